"""most_similar: rounds similarities to one digit before sorting.

Question: most_similar
Mistakes: slip
Deserves: 75 %
Fails: most_similar_hidden_values
Tell: Rounding makes different similarities equal: sort and return them as they are.
"""


def most_similar(query, sentences, k):
    similarities = [round(value, 1) for value in cosine_similarity(query, sentences).tolist()]
    order = sorted(range(len(similarities)), key=lambda i: -similarities[i])
    return [(i, similarities[i]) for i in order[:k]]
