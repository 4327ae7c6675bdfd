"""most_similar: finds the right ones and returns them by index.

Question: most_similar
Mistakes: slip
Deserves: 65 %
Fails: most_similar_worked
Tell: The right sentences in the wrong order: the most similar should come first.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: -similarities[i])[:k]
    return [(i, similarities[i]) for i in sorted(order)]
