"""most_similar: returns (similarity, index).

Question: most_similar
Mistakes: slip
Deserves: 80 %
Fails: most_similar_hidden_values
Tell: The pair should be (index, similarity): yours is the other way round.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: -similarities[i])
    return [(similarities[i], i) for i in order[:k]]
