"""most_similar: gives the least similar first.

Question: most_similar
Mistakes: slip
Deserves: 65 %
Fails: most_similar_worked
Tell: The order is from small to large: sort descending, the best should come first.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: similarities[i])
    return [(i, similarities[i]) for i in order[:k]]
