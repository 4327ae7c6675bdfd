"""most_similar: always returns three.

Question: most_similar
Mistakes: slip
Deserves: 75 %
Fails: most_similar_hidden_size
Tell: k is ignored: cut the list at k, not at 3.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: -similarities[i])
    return [(i, similarities[i]) for i in order[:3]]
