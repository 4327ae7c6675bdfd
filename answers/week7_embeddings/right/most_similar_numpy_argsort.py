"""most_similar: numpy's stable argsort of the negated similarities.

Question: most_similar
"""


def most_similar(query, sentences, k):
    sims = cosine_similarity(query.unsqueeze(0), sentences).detach().cpu().numpy()
    order = np.argsort(-sims, kind="stable")[: min(k, len(sims))]
    return [(int(i), float(sims[i])) for i in order]
