"""merge_heads: hstack of the words of each head, sentence by sentence.

Question: merge_heads
"""


def merge_heads(x):
    sentences = []
    for sentence in x:  # (heads, seq, d_k)
        sentences.append(torch.hstack(list(sentence)))
    return torch.stack(sentences)
