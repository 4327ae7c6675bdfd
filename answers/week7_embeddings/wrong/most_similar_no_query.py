"""most_similar: leaves out a sentence that equals the query.

Question: most_similar
Mistakes: slip
Deserves: 80 %
Fails: most_similar_hidden_size
Tell: A sentence with the query's own vector should count like any other: it is not the query itself.
"""


def most_similar(query, sentences, k):
    values = cosine_similarity(query, sentences).tolist()
    pairs = [(i, value) for i, value in enumerate(values) if not torch.equal(sentences[i], query)]
    pairs.sort(key=lambda pair: (-pair[1], pair[0]))
    return pairs[:k]
