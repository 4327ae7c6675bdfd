"""most_similar: leaves out the best one, as if it were the query itself.

Question: most_similar
Mistakes: concept
Deserves: 50 %
Fails: most_similar_worked, most_similar_hidden_size
Tell: The best match was left out: the query need not be one of the sentences.
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences).tolist()
    order = sorted(range(len(similarities)), key=lambda i: -similarities[i])
    return [(i, similarities[i]) for i in order[1 : k + 1]]
