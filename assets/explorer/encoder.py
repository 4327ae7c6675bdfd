"""The page's encoder: the course's post-norm encoder under its own names, with everything that it works out kept.

Shapes: `batch` sentences, `position` tokens each, d_model numbers per token, `heads` of d_k = d_model / heads.
Masks are boolean, True = may attend. In weights a row is a query and a column is a key.
"""

import math
from dataclasses import asdict, dataclass

import torch
import torch.nn as nn

from assets.explorer.words import ANSWERS, GAP, PAD, UNKNOWN, VOCABULARY

SIZES = {"layers": 2, "heads": 4, "d_model": 32, "d_ff": 64}
EPS = 1e-5  # of the layer norms


@dataclass(frozen=True)
class Settings:
    """The switches of the page.

    scale: divide by the root of d_k.
    causal: no token attends to a later one.
    padding: how many padding tokens stand behind the sentence; hide_padding: nobody attends to them.
    without: the position of a word that is taken away: nobody attends to it, in any layer; -1 for none.
    """

    scale: bool = True
    causal: bool = False
    padding: int = 0
    hide_padding: bool = True
    without: int = -1

    def plain(self) -> dict:
        return asdict(self)


class LayerNorm(nn.Module):
    """Week 4: mean 0 and variance 1 for each vector, then gamma and beta."""

    def __init__(self, d_model: int):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return nn.functional.layer_norm(x, x.shape[-1:], self.gamma, self.beta, EPS)


class MultiHeadAttention(nn.Module):
    """Week 2, with the switch for the scale, and with queries, keys, values and scores kept in `seen`."""

    def __init__(self, d_model: int, heads: int):
        super().__init__()
        self.heads = heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, x, mask, scale=True):
        # (batch, position, d_model) -> (batch, heads, position, d_k)
        q, k, v = (
            W(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for W in (self.W_Q, self.W_K, self.W_V)
        )
        scores = q @ k.transpose(-2, -1)  # (batch, heads, query, key)
        if scale:
            scores = scores / math.sqrt(k.shape[-1])
        weights = torch.softmax(
            scores.masked_fill(~mask, float("-inf")), dim=-1
        )  # (batch, heads, query, key)
        output = weights @ v  # (batch, heads, query, d_k)
        self.seen = {"q": q, "k": k, "v": v, "scores": scores, "weights": weights, "output": output}
        return self.W_O(output.transpose(1, 2).flatten(2))  # (batch, query, d_model)


class FeedForward(nn.Module):
    """Week 4: two linear layers with a ReLU between them."""

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(torch.relu(self.linear1(x)))


class Block(nn.Module):
    """Week 4: attention and feed-forward, each with a residual connection and the norm behind it (post-norm)."""

    def __init__(self, d_model: int, heads: int, d_ff: int):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)

    def forward(self, x, mask, scale=True):
        h = self.norm1(x + self.attention(x, mask, scale))  # (batch, position, d_model)
        return self.norm2(h + self.feed_forward(h))  # (batch, position, d_model)


def positions(length: int, d_model: int) -> torch.Tensor:
    """Week 3: sines and cosines of each position, (position, d_model)."""
    place = torch.arange(length, dtype=torch.float64)[:, None]
    angle = place / 10000 ** (
        torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    )  # (position, d_model / 2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).float()


class Reader(nn.Module):
    """Reads a sentence with a gap and gives, at each position, one score for "is" and one for "are"."""

    def __init__(self):
        super().__init__()
        d_model = SIZES["d_model"]
        self.embedding = nn.Embedding(len(VOCABULARY), d_model)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)
        blocks = (Block(d_model, SIZES["heads"], SIZES["d_ff"]) for _ in range(SIZES["layers"]))
        self.layers = nn.ModuleList(blocks)
        self.output = nn.Linear(d_model, len(ANSWERS))

    def forward(self, ids, mask, scale=True):
        """(batch, position) and a mask that broadcasts to (batch, heads, query, key) -> (batch, position, answer)."""
        d_model = self.embedding.embedding_dim
        x = self.embedding(ids) * math.sqrt(d_model) + positions(ids.shape[1], d_model)
        for layer in self.layers:
            x = layer(x, mask, scale)
        return self.output(x)


def token_ids(words: list[str]) -> list[int]:
    """The number of each word; a word outside of the vocabulary counts as unknown."""
    return [VOCABULARY.index(word if word in VOCABULARY else UNKNOWN) for word in words]


def allowed(words: list[str], settings: Settings) -> torch.Tensor:
    """Who may attend to whom, (query, key), True = may. A token that nobody may hear still hears itself."""
    places = torch.arange(len(words))
    mask = torch.ones(len(words), len(words), dtype=torch.bool)
    if settings.causal:
        mask &= places[None, :] <= places[:, None]
    if settings.hide_padding:
        mask &= torch.tensor([word != PAD for word in words])[None, :]
    if settings.without >= 0:
        mask &= (places != settings.without)[None, :]
    # A query that may attend to nothing would have nothing to share out: 0 divided by 0.
    mask |= torch.eye(len(words), dtype=torch.bool) & ~mask.any(dim=1, keepdim=True)
    return mask


def run(reader: Reader, words: list[str], settings: Settings) -> dict:
    """Everything about one sentence as plain lists; the page's `explorer.run` gives the same.

    tokens: the words, and the padding behind them.
    mask: (query, key), True = may attend.
    layers: per layer {q, k, v: (heads, position, d_k), scores, weights: (heads, query, key),
        output: (heads, query, d_k)}.
    probabilities: (answer,) at the gap, or None where the sentence has no gap.
    """
    words = words + [PAD] * settings.padding
    mask = allowed(words, settings)
    with torch.no_grad():
        logits = reader(torch.tensor([token_ids(words)]), mask[None, None], settings.scale)[
            0
        ]  # (position, answer)
    probabilities = torch.softmax(logits[words.index(GAP)], dim=-1).tolist() if GAP in words else None
    layers = [{name: t[0].tolist() for name, t in layer.attention.seen.items()} for layer in reader.layers]
    return {"tokens": words, "mask": mask.tolist(), "layers": layers, "probabilities": probabilities}
