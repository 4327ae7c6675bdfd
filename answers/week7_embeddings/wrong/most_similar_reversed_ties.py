"""most_similar: sorts in ascending order and reverses the list, ties too.

Question: most_similar
Mistakes: slip
Deserves: 85 %
Fails: most_similar_ties
Tell: Equal similarities come in the wrong order, for example because a sorted list was reversed: sort by the
    negative similarity instead.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: similarities[i])[::-1]
    return [(i, similarities[i]) for i in order[:k]]
