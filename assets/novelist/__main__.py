"""Trains week 8's language model anew and writes its file, log.csv and samples.txt: about ten minutes on two cores.

    python -m assets.novelist [STEPS]

Then the notebook's cell `novel-helper` needs the file's new hash, which is printed.
"""

import csv
import hashlib
import re
import sys
import time
from pathlib import Path

import torch

from assets.novelist import storage, training
from assets.novelist.parts import read_parts

HERE = Path(__file__).parent
EVERY = 100  # steps between two lines of the log


def main(steps: int = training.STEPS) -> None:
    parts = read_parts()
    chapters = training.chapters()
    known = [text for chapter in chapters[: -training.HELD_OUT] for text in chapter]
    unseen = [text for chapter in chapters[-training.HELD_OUT :] for text in chapter]
    tokens = training.Tokens.learned(parts, known)
    ids, held_out = tokens.stream(known), tokens.stream(unseen)
    print(
        f"{len(ids)} tokens to train on, {len(held_out)} held out, {len(tokens.vocabulary)} in the vocabulary"
    )

    model = training.new_model(parts, tokens.vocabulary)
    rows = [(0, "", round(training.held_out_loss(parts, model, held_out), 4), 0)]
    losses, begin = [], time.monotonic()

    def each(step: int, loss: float) -> None:
        losses.append(loss)
        if step % EVERY == 0:
            unseen_loss = training.held_out_loss(parts, model, held_out)
            rows.append(
                (
                    step,
                    round(sum(losses[-EVERY:]) / EVERY, 4),
                    round(unseen_loss, 4),
                    round(time.monotonic() - begin),
                )
            )
            print(*rows[-1], flush=True)

    training.train(parts, model, ids, each, steps)
    state = storage.rounded(model.state_dict())
    model.load_state_dict(state)
    model.eval()
    words = sorted(set(re.findall(r"[a-z]+(?:'[a-z]+)?", " ".join(known).lower())))
    notes = {
        "sizes": training.SIZES,
        "vocabulary": tokens.vocabulary,
        "merges": tokens.merges,
        "words": words,
        "steps": steps,
        "untrained": rows[0][2],
        "trained": round(training.held_out_loss(parts, model, held_out), 4),
        "about": "Trained on Pride and Prejudice by Jane Austen, 1813, in the public domain. Licence: MIT",
    }
    data = storage.pack(state, notes)
    storage.FILE.write_bytes(data)
    with (HERE / "log.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("step", "training loss of the last 100 steps", "held-out loss", "seconds"))
        writer.writerows(rows)
    print(f"{len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    torch.set_num_threads(2)
    main(*map(int, sys.argv[1:]))
