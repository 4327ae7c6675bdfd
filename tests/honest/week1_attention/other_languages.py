"""Comments, names and texts in other languages and scripts; emoji, combining and right-to-left characters."""


def habit(submission):
    submission["softmax"] = """
# 注意力权重：每行之和为 1 · مجموع كل صف يساوي 1 · Сумма строки равна 1 🤖\u200b
def softmax(x, axis=-1):
    '''Gewichte für größere Übungen'''
    größte = np.max(x, axis=axis, keepdims=True)
    指数 = np.exp(x - größte)
    σ = 指数.sum(axis=axis, keepdims=True); print("Σ =", σ, "✓", "e\u0301", "\U0001f9d1\u200d\U0001f393")
    return 指数 / σ
"""
    submission.add("été = {'naïve': 'café'}; print(été)")
