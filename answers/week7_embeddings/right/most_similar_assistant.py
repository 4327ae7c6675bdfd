"""most_similar: the way a chat assistant writes it: type hints, checks and comments.

Question: most_similar
"""


def most_similar(query: torch.Tensor, sentences: torch.Tensor, k: int) -> list[tuple[int, float]]:
    """Return the k most similar sentences as (index, similarity) tuples."""
    # Make sure that k does not exceed the number of sentences
    k = min(k, sentences.size(0))
    # Compute the similarities with broadcasting
    similarities = cosine_similarity(query.expand_as(sentences), sentences)
    # Sort: primary key is the similarity (descending), secondary key is the index (ascending)
    ranked = sorted(enumerate(similarities.tolist()), key=lambda item: (-item[1], item[0]))
    return ranked[:k]
