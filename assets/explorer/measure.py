"""Numbers about runs of the encoder, from which the steps of the page make their claims.

A step of content.json names each number that its sentence uses, as a small table:

    {"of": "weight", "layer": 2, "head": 1, "query": 5, "key": 1}     one weight
    {"of": "most", "layer": 2, "head": 1, "query": 5}                 the token with the row's largest weight
    {"of": "probability", "answer": "are"}                            of an answer at the gap
    {"of": "least", "query": 0, "key": 0}                             the smallest weight of this cell in any head
    {"of": "largest"}                                                 mean over all rows of the largest weight
    {"of": "padding"}                                                 mean over all rows of words: weight on padding
    {"of": "training", "name": "right"}                               what weights.json says of the training;
                                                                      with layer and head where it has one each

Layers and heads count from 1 and positions from 0, as on the page. "sentence" and "settings" in the table stand in for
the step's own. With "is" it also says what must be true: {"above": 0.9}, {"below": 0.1}, {"equals": "dogs"}.
A run is {tokens, mask, layers, probabilities}, from encoder.run or from the page's explorer.run.
"""

import operator
from collections.abc import Callable

from assets.explorer.words import ANSWERS, PAD

# (words, {setting: value}) -> a run; the settings are those of encoder.Settings and "model".
Run = Callable[[list[str], dict], dict]


def measure(wanted: dict, step: dict, run: Run, training: dict) -> float | str:
    """The number, or the token, that one of these tables asks for."""
    if wanted["of"] == "training":
        value = training[wanted["name"]]
        return value[wanted["layer"] - 1][wanted["head"] - 1] if isinstance(value, list) else value
    sentence = wanted.get("sentence", step["sentence"]).split()
    seen = run(sentence, {**step.get("settings", {}), **wanted.get("settings", {})})
    if wanted["of"] == "probability":
        return seen["probabilities"][ANSWERS.index(wanted["answer"])]
    if wanted["of"] in ("weight", "most"):
        row = seen["layers"][wanted["layer"] - 1]["weights"][wanted["head"] - 1][wanted["query"]]
        return row[wanted["key"]] if wanted["of"] == "weight" else seen["tokens"][row.index(max(row))]
    heads = [head for layer in seen["layers"] for head in layer["weights"]]
    if wanted["of"] == "least":
        return min(head[wanted["query"]][wanted["key"]] for head in heads)
    words = [place for place, token in enumerate(seen["tokens"]) if token != PAD]
    rows = [head[place] for head in heads for place in words]
    if wanted["of"] == "largest":
        return sum(map(max, rows)) / len(rows)
    if wanted["of"] == "padding":
        return sum(sum(row[len(words) :]) for row in rows) / len(rows)
    raise ValueError(f"There is no measure {wanted['of']!r}.")


RELATIONS = {"above": operator.gt, "below": operator.lt, "equals": operator.eq}


def broken(wanted: dict, value: float | str) -> str:
    """What is not true of this value though the table says so; empty if it holds."""
    for relation, bound in wanted.get("is", {}).items():
        if not RELATIONS[relation](value, bound):
            return f"{value!r} is not {relation} {bound!r}"
    return ""


def findings(step: dict, run: Run, training: dict) -> tuple[dict[str, float | str], list[str]]:
    """All numbers of a step by name, and what is not true of them, a sentence each."""
    values = {name: measure(wanted, step, run, training) for name, wanted in step["numbers"].items()}
    problems = [
        f"{step['title']}, {name}: {why}"
        for name, wanted in step["numbers"].items()
        if (why := broken(wanted, values[name]))
    ]
    return values, problems


def sentence(step: dict, values: dict[str, float | str]) -> str:
    """The step's finding with its numbers filled in."""
    return step["found"].format(**values)
