"""most_similar: sets the similarity of a found sentence to -1.

Question: most_similar
Mistakes: slip
Deserves: 80 %
Fails: most_similar_hidden_size
Tell: Where a similarity is -1, a sentence is found twice: mark what was found with less than -1, or sort.
"""


def most_similar(query, sentences, k):
    left = cosine_similarity(query, sentences).clone()
    given = left.clone()
    result = []
    for _ in range(min(k, len(left))):
        best = int(left.argmax())
        result.append((best, given[best].item()))
        left[best] = -1.0
    return result
