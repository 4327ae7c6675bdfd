"""most_similar: ranks by the dot product.

Question: most_similar
Mistakes: concept
Deserves: 55 %
Fails: most_similar_worked
Tell: Long vectors win here: rank by cosine similarity, not by the dot product.
"""


def most_similar(query, sentences, k):
    dots = (sentences @ query).tolist()
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(dots)), key=lambda i: (-dots[i], i))
    return [(i, similarities[i]) for i in order[:k]]
