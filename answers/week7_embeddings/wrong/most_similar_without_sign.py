"""most_similar: ranks by the size of the similarity.

Question: most_similar
Fails: most_similar_worked, most_similar_hidden_size, most_similar_hidden_values
Tell: A similarity of -0.97 is the worst, not the best: sort with the sign.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: -abs(similarities[i]))
    return [(i, similarities[i]) for i in order[:k]]
