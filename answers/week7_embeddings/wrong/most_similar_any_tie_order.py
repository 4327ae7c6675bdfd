"""most_similar: sorts equal similarities by the larger index.

Question: most_similar
Mistakes: slip
Deserves: 85 %
Fails: most_similar_ties
Tell: Among equal similarities the larger index comes first: the docstring asks for the smaller one.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: (similarities[i], i), reverse=True)
    return [(i, similarities[i]) for i in order[:k]]
