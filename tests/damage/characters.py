"""Sources whose characters another program changed."""

import json

from damage.harness import damaged, own_words


@damaged(repairs={"accents_removed"})
def accents_without_end(submission):
    """A name in a cell of the student's own, from a page that piles accents on letters for fun."""
    submission.notebook["cells"].append(
        {
            "cell_type": "code",
            "metadata": {},
            "source": "z" + "\u0301\u0327" * 400 + "algo = 1",
            "outputs": [],
        }
    )


@damaged()
def every_script(submission):
    """Names, comments and text from many scripts, decomposed letters, emoji, right to left, half a surrogate pair."""
    submission.cell("softmax")["source"] = (
        "# \u05e2\u05d1\u05e8\u05d9\u05ea \u0639\u0631\u0628\u064a \u202eback\u202c \U0001f469\u200d\U0001f52c\n"
        "def softmax(x, axis=-1):\n    gro\u0308sse = np.exp(x - np.max(x, axis, keepdims=True))\n"
        "    \u03a3 = gr\u00f6sse.sum(axis, keepdims=True)\n    return gr\u00f6sse / \u03a3\n"
    )
    submission.cells.insert(1, own_words("\ud83d half of a pair, \x07 a bell, \x00 a zero"))
    submission.data = json.dumps(submission.notebook).encode()  # with escapes: half a pair has no UTF-8


@damaged()
def line_ends_mixed(submission):
    """Three systems, three line ends, all in one cell."""
    for name in ("softmax", "attention", "softmax_rows"):
        lines = submission.cell(name)["source"].split("\n")
        ends = [("\n", "\r\n", "\r")[number % 3] for number in range(len(lines))]
        submission.cell(name)["source"] = "".join(map("".join, zip(lines, ends, strict=True)))


@damaged(repairs={"characters_restored"})
def non_breaking_spaces(submission):
    """Copied from a web page that indents with spaces which are none to Python."""
    for name in ("softmax", "causal_mask"):
        cell = submission.cell(name)
        cell["source"] = cell["source"].replace("    ", "\u00a0\u00a0\u00a0\u00a0")


@damaged(repairs={"characters_restored"})
def smart_quotes(submission):
    """Through a word processor that made quotes and the minus sign pretty."""
    submission.cell("softmax")["source"] = (
        "def softmax(x, axis=\u22121):\n    \u201c\u201c\u201cWeights of one row.\u201d\u201d\u201d\n"
        "    e = np.exp(x \u2013 np.max(x, axis, keepdims=True))\n"
        "    total = {\u2018sum\u2019: e.sum(axis, keepdims=True)}\n    return e / total[\u201csum\u201d]"
    )


@damaged(repairs={"characters_restored"})
def tabs_and_spaces(submission):
    """Two editors, one that indents with tabs: Python no longer knows which line belongs where, a reader does."""
    submission.cell("softmax")["source"] = (
        "def softmax(x, axis=-1):\n    top = np.max(x, axis, keepdims=True)\n\te = np.exp(x - top)\n"
        "    return e / e.sum(axis, keepdims=True)"
    )


@damaged(repairs={"characters_restored"})
def zero_width(submission):
    """Copied from a chat that puts invisible characters between words and at the start."""
    cell = submission.cell("attention")
    cell["source"] = "\ufeff" + cell["source"].replace(" = ", " \u200b=\u200b ").replace(
        "return", "\u2060return"
    )
