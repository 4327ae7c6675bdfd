"""Odd layout: semicolons, backslashes, tabs, very long lines, no line end, blank lines, Windows line ends."""


def habit(submission):
    submission["softmax"] = (
        "def softmax(x,axis=-1):\r\n\tm=np.max(x,axis=axis,keepdims=True);p=np.exp(x-m)\r\n\treturn p \\\r\n\t\t/ \\\r\n\t\tp.sum(axis=axis,keepdims=True);"
    )
    submission["causal_mask"] = (
        "\n\n\n\ndef causal_mask(length): return torch.tensor([["
        + " " * 3000
        + "column <= row for column in range(length)] for row in range(length)]) # "
        + "x" * 5000
    )
    cell = submission.cell("padding_mask")
    cell["source"] = [line + "\n" for line in cell["source"].split("\n")]
    submission["scaling"] = submission["scaling"].replace("\n", "   \n") + "\n" * 50 + "    "
