"""most_similar: takes the first maximum k times.

Question: most_similar
"""


def most_similar(query, sentences, k):
    left = dict(enumerate(cosine_similarity(query, sentences).tolist()))
    found = []
    while left and len(found) < k:
        best = max(left, key=left.get)
        found.append((best, left.pop(best)))
    return found
