"""Trains the page's encoder and writes weights.json: about a minute on one core.

    python -m assets.explorer.train [SEED]

Half of the batches are read with the causal mask, so that its switch on the page shows what the encoder then can and
cannot know, and not merely what it has never met. Two runs on one machine give the same bytes.
"""

import random
import sys
from copy import deepcopy

import torch
from torch.nn.functional import cross_entropy

from assets.explorer import storage
from assets.explorer.encoder import Reader, token_ids
from assets.explorer.words import GAP, PAD, VOCABULARY, blur, draw

SEED = 2
STEPS = 3000
BATCH = 64  # sentences per step
RATE = 3e-3  # the highest learning rate of Adam
TESTS = 1000  # sentences with held-out pairs of subject and other noun
PADDING = VOCABULARY.index(PAD)


def batch(sentences: list[tuple[list[str], int, int]]):
    """ids (batch, position), place of the gap (batch,), answer (batch,), and the padding mask."""
    length = max(len(words) for words, _, _ in sentences)
    ids = torch.tensor([token_ids(words + [PAD] * (length - len(words))) for words, _, _ in sentences])
    gaps = torch.tensor([words.index(GAP) for words, _, _ in sentences])
    answers = torch.tensor([answer for _, _, answer in sentences])
    return ids, gaps, answers, (ids != PADDING)[:, None, None, :]


def right(reader: Reader, sentences, causal: bool) -> torch.Tensor:
    """Whether each sentence is answered rightly, (batch,)."""
    ids, gaps, answers, mask = batch(sentences)
    if causal:
        mask = mask & torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril()
    with torch.no_grad():
        logits = reader(ids, mask)[torch.arange(len(gaps)), gaps]
    return logits.argmax(-1) == answers


def train(seed: int) -> tuple[Reader, Reader]:
    """The trained reader, and the same one before its first step."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    reader = Reader()
    untrained = deepcopy(reader)
    optimiser = torch.optim.Adam(reader.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=STEPS, pct_start=0.1)
    for step in range(STEPS):
        sentences = [draw(chance) for _ in range(BATCH)]
        sentences = [(blur(words, subject, chance), subject, answer) for words, subject, answer in sentences]
        ids, gaps, answers, mask = batch(sentences)
        if step % 2:
            mask = mask & torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril()
        loss = cross_entropy(reader(ids, mask)[torch.arange(BATCH), gaps], answers)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return reader.eval(), untrained.eval()


def subject_shares(reader: Reader, sentences) -> list[list[float]]:
    """Per layer and head: in which share of the sentences the gap's largest weight lies on the subject."""
    ids, gaps, _, mask = batch(sentences)
    subjects = torch.tensor([subject for _, subject, _ in sentences])
    with torch.no_grad():
        reader(ids, mask)
    rows = [layer.attention.seen["weights"][torch.arange(len(gaps)), :, gaps] for layer in reader.layers]
    return [
        (row.argmax(-1) == subjects[:, None]).float().mean(0).tolist() for row in rows
    ]  # row: (batch, heads, key)


def test_sentences() -> list[tuple[list[str], int, int]]:
    """The sentences on which every reader is judged, the same for all seeds."""
    chance = random.Random(0)
    return [draw(chance, test=True) for _ in range(TESTS)]


def main(seed: int = SEED) -> None:
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    trained, untrained = (storage.unpack(storage.pack(reader)) for reader in train(seed))
    tests = test_sentences()
    statements = [sentence for sentence in tests if sentence[0][0] != GAP]
    questions = [sentence for sentence in tests if sentence[0][0] == GAP]
    notes = {
        "seed": seed,
        "steps": STEPS,
        "sentences": TESTS,
        "right": round(float(right(trained, tests, causal=False).float().mean()), 4),
        "right_untrained": round(float(right(untrained, tests, causal=False).float().mean()), 4),
        "right_causal_statements": round(float(right(trained, statements, causal=True).float().mean()), 4),
        "subject_shares": [[round(x, 4) for x in row] for row in subject_shares(trained, tests)],
        "right_causal_questions": round(float(right(trained, questions, causal=True).float().mean()), 4),
    }
    storage.write(trained, untrained, notes)
    print(notes)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
