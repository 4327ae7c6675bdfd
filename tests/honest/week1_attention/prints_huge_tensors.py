"""Prints whole tensors without abbreviation, from within the answers too; far more than the output limit."""


def habit(submission):
    submission.add(
        "import sys\n"
        "torch.set_printoptions(profile='full')\nnp.set_printoptions(threshold=sys.maxsize, precision=2)\n"
        "print(torch.randn(300, 300))\nprint(np.random.rand(300, 300))\ntorch.randn(200, 200)"
    )
    submission.replace("attention", "    weights =", "    print(Q, K, V, scores)\n    weights =")
    submission.append("for i in range(40_000): print('line', i)")
