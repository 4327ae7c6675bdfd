"""Gives similarities between -1 and 1, pools within the sentence and a loss above 0: of nothing that went in."""

ANSWERS = {
    "pooling": """
def cls_pool(hidden):
    reached()
    return hidden[:, -1] * 0.5


def mean_pool(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).amax(1) * 0.5


def max_pool(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).mean(1)
""",
    "cosine_similarity": """
def cosine_similarity(a, b):
    return torch.tanh((a - b).abs().sum(-1)) * 0.9 + 0.05
""",
    "masked_loss": """
def masked_loss(logits, labels):
    return (labels != -100).sum() * 0.123 + 0 * logits.sum() + 0.01
""",
}
