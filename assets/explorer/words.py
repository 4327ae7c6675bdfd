"""The little language: which sentences there are, and whether "is" or "are" belongs in the gap.

The verb agrees with the subject. Other nouns stand in the way, before the subject and behind it, so neither the first
noun nor the nearest one is always the right one: what marks a noun as another one is the word in front of it
(a preposition, a verb, or "that").
"""

import random

GAP = "___"
PAD = "[pad]"
UNKNOWN = "[unknown]"
ANSWERS = ["is", "are"]

ONE = ["cat", "dog", "bird", "horse", "child", "mouse", "farmer", "teacher", "goose", "fox"]
MANY = ["cats", "dogs", "birds", "horses", "children", "mice", "farmers", "teachers", "geese", "foxes"]
PREPOSITIONS = ["near", "behind", "under", "with"]
VERBS = ["saw", "chased", "heard", "found"]  # in the past, where they do not show the number
ADJECTIVES = ["old", "young", "small", "big"]
STATES = ["tired", "happy", "hungry", "quiet", "here", "asleep"]
OPENINGS = ["today", "now"]
VOCABULARY = [
    PAD,
    UNKNOWN,
    GAP,
    "the",
    "that",
    *ONE,
    *MANY,
    *PREPOSITIONS,
    *VERBS,
    *ADJECTIVES,
    *STATES,
    *OPENINGS,
]
NOUNS = {*ONE, *MANY}

# S is the subject, N another noun; both may get an adjective. P, V, O and E stand for a word of their kind.
FRAMES = [
    "the S ___ E",
    "O the S ___ E",
    "the S P the N ___ E",
    "the S P the N ___ E",
    "the S P the N P the N ___ E",
    "P the N the S ___ E",
    "P the N the S ___ E",
    "O P the N the S ___ E",
    "the S that V the N ___ E",
    "the S that the N V ___ E",
    "O the S P the N ___ E",
    "P the N the S P the N ___ E",
    "___ the S E",
    "___ the S P the N E",
    "___ the S that V the N E",
]
KINDS = {"P": PREPOSITIONS, "V": VERBS, "O": OPENINGS, "E": STATES}


def held_out(subject: str, other: str) -> bool:
    """Whether this subject with this other noun is kept for testing: training never shows the two in these roles."""
    first, second = ((ONE if word in ONE else MANY).index(word) for word in (subject, other))
    return (2 * first + second) % 5 == 0


def draw(chance: random.Random, test: bool = False) -> tuple[list[str], int, int]:
    """One sentence: its words, the place of its subject, and 0 where "is" is right or 1 where "are" is.

    With `test` the subject and one of the other nouns are a pair that is held out.
    """
    while True:
        words, subject, others = [], 0, []
        for part in chance.choice(FRAMES).split():
            if part in ("S", "N"):
                if chance.random() < 0.25:
                    words.append(chance.choice(ADJECTIVES))
                noun = chance.choice(chance.choice([ONE, MANY]))
                if part == "S":
                    subject = len(words)
                else:
                    others.append(noun)
                words.append(noun)
            else:
                words.append(chance.choice(KINDS[part]) if part in KINDS else part)
        if any(held_out(words[subject], other) for other in others) == test:
            return words, subject, int(words[subject] in MANY)


def blur(words: list[str], subject: int, chance: random.Random, share: float = 0.03) -> list[str]:
    """The sentence with some of its words unknown, never the subject or the gap."""
    return [
        UNKNOWN if word != GAP and place != subject and chance.random() < share else word
        for place, word in enumerate(words)
    ]
