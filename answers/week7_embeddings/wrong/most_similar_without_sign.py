"""most_similar: ranks by the size of the similarity.

Question: most_similar
Mistakes: slip
Deserves: 65 %
Fails: most_similar_worked
Tell: A similarity of -0.97 is the worst, not the best: sort with the sign.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: -abs(similarities[i]))
    return [(i, similarities[i]) for i in order[:k]]
