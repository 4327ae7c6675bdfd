"""The text, its tokens, and the training."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import torch

from assets.novelist.parts import ROOT

NOVEL = ROOT / "source" / "week5_tokenizer" / "pride_and_prejudice.txt"
HELD_OUT = 5  # the last chapters, which the training never sees
MERGES = 1000
SIZES = {"d_model": 160, "num_heads": 4, "num_layers": 4, "d_ff": 640}
DROPOUT = 0.1
LENGTH = 128  # tokens of a window
BATCH = 16  # windows of a step
STEPS = 2400
WARMUP = 200
HEIGHT = 0.5  # of the warm-up's rates
SEED = 1813


def chapters() -> list[list[str]]:
    """The novel's paragraphs by chapter, each as its words joined by single spaces."""
    parts = NOVEL.read_text(encoding="ascii").split("\nChapter ")[1:]
    return [
        [" ".join(part.split()) for part in chapter.split("\n\n")[1:] if part.strip()] for chapter in parts
    ]


class Tokens:
    """Byte pair encoding with the functions of week 5.

    Attributes:
        merges: pairs of symbols, in the order in which they were learned.
        vocabulary: token by id, the special tokens first.
    """

    def __init__(self, parts: SimpleNamespace, merges: Sequence[Sequence[str]], vocabulary: list[str]):
        self.merges = [tuple(pair) for pair in merges]
        self.vocabulary = vocabulary
        self._parts = parts
        self._ids = {token: number for number, token in enumerate(vocabulary)}
        self._words: dict[str, list[int]] = {}

    @classmethod
    def learned(cls, parts: SimpleNamespace, paragraphs: list[str]) -> "Tokens":
        """Those that these paragraphs give; takes a minute or two."""
        counts = Counter(word for paragraph in paragraphs for word in paragraph.split())
        merges = parts.train_bpe(counts, MERGES)
        characters = sorted(set("".join(counts)))
        joined = [left + right for left, right in merges]
        return cls(parts, merges, [*parts.SPECIALS, *characters, parts.END, *joined])

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        for word in set(text.split()) - self._words.keys():
            tokens = self._parts.encode_word([*word, self._parts.END], self.merges)
            self._words[word] = [self._ids.get(token, self._parts.UNK) for token in tokens]
        return [number for word in text.split() for number in self._words[word]]

    def stream(self, paragraphs: list[str]) -> torch.Tensor:
        """All paragraphs as one row of ids, each between <BOS> and <EOS>."""
        parts = self._parts
        return torch.tensor([i for text in paragraphs for i in (parts.BOS, *self.encode(text), parts.EOS)])


def held_out_loss(parts: SimpleNamespace, model: torch.nn.Module, ids: torch.Tensor) -> float:
    """Mean of -ln p over a text's tokens, read in windows that do not overlap."""
    model.eval()
    whole = ids[: len(ids) // LENGTH * LENGTH].reshape(-1, LENGTH)  # (window, position)
    with torch.no_grad():
        losses = [parts.shifted_loss(model(rows[:, :-1]), rows, parts.PAD).item() for rows in whole.split(64)]
    return sum(loss * len(rows) for loss, rows in zip(losses, whole.split(64), strict=True)) / len(whole)


def new_model(parts: SimpleNamespace, vocabulary: list[str]) -> torch.nn.Module:
    """The model before its first step: embeddings are as long as positions, which would drown shorter ones."""
    torch.manual_seed(SEED)
    model = parts.LanguageModel(len(vocabulary), **SIZES, dropout=DROPOUT)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.xavier_uniform_(parameter)
    torch.nn.init.normal_(model.embedding.weight, std=SIZES["d_model"] ** -0.5)
    return model


def train(
    parts: SimpleNamespace,
    model: torch.nn.Module,
    ids: torch.Tensor,
    each: Callable[[int, float], None],
    steps: int,
) -> None:
    """Train on random windows of `ids`; `each(step, loss)` hears of every step."""
    generator = torch.Generator().manual_seed(SEED + 1)
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.1)
    for step in range(1, steps + 1):
        model.train()
        starts = torch.randint(0, len(ids) - LENGTH, (BATCH, 1), generator=generator)
        rows = ids[starts + torch.arange(LENGTH)]  # (batch, position)
        loss = parts.shifted_loss(model(rows[:, :-1]), rows, parts.PAD)
        rate = HEIGHT * parts.warmup_rate(step, SIZES["d_model"], WARMUP) * (1 - step / steps)
        optimiser.param_groups[0]["lr"] = rate
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        each(step, loss.item())
        if not math.isfinite(loss.item()):
            raise FloatingPointError(f"the loss of step {step} is {loss.item()}")
