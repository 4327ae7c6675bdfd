"""Build the demo class: what a real class might hand in, good and bad, the same bytes every time.

    .venv/bin/python demo/make_class.py FOLDER

writes FOLDER/<student>/<week>/<notebook>.ipynb. The answers are those of the bank (`answers/`). In week 1 there are
all kinds of damage, done here, and `demo/expected.json` says what each submission must be worth, and why. In the other
weeks the first few students hand in mixtures of right and wrong answers, and the bank says what they are worth.
"""

import copy
import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat

from coursekit.course.bank import Answer, read_bank
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.master import HIDDEN_BEGIN, TEST, fill

WEEK = "week1_attention"
FILE = "attention.ipynb"
Files = dict[str, bytes]  # what one student hands in: {file name: bytes}

# The everyday right answer to each question.
PLAIN = (
    "softmax_by_the_book",
    "attention_by_the_book",
    "causal_mask_tril",
    "padding_mask_unsqueeze",
    "scaling_by_the_book",
    "self_attention_by_the_book",
)

WORDS = {
    "plain": "With Q = K = X the scores are symmetric: word i would look at word j exactly as j looks at i. In "
    "'the red house' red needs house more than house needs red. With two matrices the question and the card "
    "can differ, and the third one decides what is handed over. A verb may be found by being a verb and hand "
    "over its tense.",
    "short": "Because otherwise every word would mostly look at itself.",
    "library": "In the library the wish, the card and the book are three different things. If they were the same "
    "vector I could only find books that look like my wish, and I would take home the catalogue card. "
    "W_Q says what I look for, W_K what I can be found by, W_V what I give.",
    "numbers": "Take x1 = (2, 0) and x2 = (1, 1). Without matrices the scores are x1.x1 = 4, x1.x2 = 2, x2.x2 = 2, "
    "so x1 looks mostly at itself and the table is symmetric. A matrix that swaps the axes of the queries "
    "makes x1 score 0 with itself and 2 with x2: now it looks at the other word.",
    "diagonal": "The picture on the left has a dark diagonal. A vector has the largest dot product with itself when "
    "all are about equally long. So the layer would copy its input. On the right the diagonal is gone.",
    "doubtful": "I am not sure. I think Q and K could be one matrix, but then the scores would be symmetric, and a "
    "pronoun has to find its noun while the noun does not need the pronoun. V has to be another one because "
    "what a word means is not how you find it.",
}


class Material:
    """What submissions are made of: the released notebook, and a bank of answers to fill it with."""

    def __init__(self, course: Course):
        week = course.week(WEEK)
        self.master = course.master(week)
        self.bank = {answer.path.stem: answer for answer in read_bank(course, week)}

    def code(self, name: str) -> str:
        """The code of an answer of the bank."""
        return self.bank[name].source

    def notebook(self, *names: str, words: str = "", only: bool = False, **code: str) -> dict:
        """A filled-in notebook, as JSON.

        Args:
            names: answers of the bank, by file name; other questions get the everyday answer.
            words: the written answer; "" leaves it as it was.
            only: leave the other questions unanswered instead.
            code: {question: solution cell}, for what is not in the bank.
        """
        sources = {} if only else {self.bank[name].question: self.code(name) for name in PLAIN}
        sources |= {self.bank[name].question: self.code(name) for name in names} | code
        if words:
            sources["why_three"] = words
        notebook = json.loads(fill(self.master, sources))
        # In the release a hidden test keeps the line that names it.
        for cell, node in zip(self.master.cells, notebook["cells"], strict=True):
            if cell.role == TEST and cell.hidden:
                node["source"] = cell.source.partition(HIDDEN_BEGIN)[0].rstrip()
        return notebook


def find(notebook: dict, name: str) -> dict:
    """The cell with this grade id or cell id."""
    for cell in notebook["cells"]:
        if name in (cell["metadata"].get("nbgrader", {}).get("grade_id"), cell.get("id")):
            return cell
    raise KeyError(name)


def place(notebook: dict, name: str) -> int:
    """Where that cell stands."""
    return notebook["cells"].index(find(notebook, name))


def code_cell(name: str, source: str) -> dict:
    """A code cell as a student adds it."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {},
        "outputs": [],
        "source": source,
    }


def text_cell(name: str, source: str) -> dict:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def is_test(cell: dict) -> bool:
    grader = cell["metadata"].get("nbgrader", {})
    return bool(grader.get("grade") and not grader.get("solution"))


def save(notebook: dict, name: str = FILE) -> Files:
    return {name: json.dumps(notebook, ensure_ascii=False, indent=1).encode()}


CLASS: dict[str, Callable[[Material], Files]] = {}


def handed_in_by(student: str):
    """Put a submission into the class."""

    def enrol(build: Callable[[Material], Files]) -> Callable[[Material], Files]:
        if student in CLASS:
            raise ValueError(f"{student} is in the class twice")
        CLASS[student] = build
        return build

    return enrol


# Right, in whatever style.


@handed_in_by("s01")
def complete(material: Material) -> Files:
    """Everything answered, in the everyday way."""
    return save(material.notebook(words=WORDS["plain"]))


@handed_in_by("s02")
def by_assistant(material: Material) -> Files:
    """Right, in the style of a chat assistant: steps, type hints, much commenting."""
    names = ("softmax_assistant", "attention_assistant", "causal_mask_list", "padding_mask_where")
    names += ("scaling_assistant", "self_attention_assistant")
    return save(material.notebook(*names, words=WORDS["library"]))


@handed_in_by("s03")
def all_loops(material: Material) -> Files:
    """Right and slow: explicit loops everywhere."""
    names = ("softmax_loops", "attention_loops", "causal_mask_loops", "padding_mask_loops", "scaling_loops")
    names += ("self_attention_loops",)
    return save(material.notebook(*names, words=WORDS["numbers"]))


@handed_in_by("s04")
def einsum_everywhere(material: Material) -> Files:
    """Right, with einsum, comparisons and indices instead of matmul, tril and unsqueeze."""
    names = ("softmax_logsumexp", "attention_einsum", "causal_mask_compare", "padding_mask_index_none")
    names += ("scaling_einsum", "self_attention_einsum")
    return save(material.notebook(*names, words=WORDS["diagonal"]))


@handed_in_by("s05")
def numpy_native(material: Material) -> Files:
    """Right, by someone who thinks in numpy and keeps the line that raises below the return."""
    names = ("softmax_copy_then_in_place", "attention_own_softmax", "causal_mask_numpy", "padding_mask_view")
    names += ("scaling_numpy", "self_attention_one_product")
    return save(material.notebook(*names, words=WORDS["doubtful"]))


@handed_in_by("s06")
def words_left(material: Material) -> Files:
    """All code right, the written answer left as it was."""
    return save(material.notebook("attention_minus_1e9", "causal_mask_triu_inverted"))


# Not everything answered.


@handed_in_by("s07")
def half_done(material: Material) -> Files:
    """The first two questions, then time was up."""
    return save(material.notebook("softmax_swapaxes", "attention_bmm_reshape", only=True))


@handed_in_by("s08")
def untouched(material: Material) -> Files:
    """The release, handed in as it came."""
    return save(material.notebook(only=True))


@handed_in_by("s09")
def only_words(material: Material) -> Files:
    """No code at all, but a written answer."""
    return save(material.notebook(only=True, words=WORDS["short"]))


# Common mistakes.


@handed_in_by("s10")
def overflow(material: Material) -> Files:
    """Softmax without its shift; all that comes later is right."""
    return save(material.notebook("softmax_no_max_subtraction", words=WORDS["library"]))


@handed_in_by("s11")
def syntax_error(material: Material) -> Files:
    """A colon is missing in the first answer; all that comes later is right."""
    broken = material.code("softmax_by_the_book").replace("(x, axis=-1):", "(x, axis=-1)")
    return save(material.notebook(softmax=broken, words=WORDS["plain"]))


@handed_in_by("s12")
def changes_input(material: Material) -> Files:
    """Softmax overwrites the array that it is given; its values are right."""
    return save(material.notebook("softmax_in_place", words=WORDS["diagonal"]))


@handed_in_by("s13")
def whole_array(material: Material) -> Files:
    """Softmax over the whole array."""
    return save(material.notebook("softmax_whole_array", words=WORDS["numbers"]))


@handed_in_by("s14")
def no_scale(material: Material) -> Files:
    """Attention without the scale."""
    return save(material.notebook("attention_no_scale", words=WORDS["doubtful"]))


@handed_in_by("s15")
def over_queries(material: Material) -> Files:
    """Attention whose softmax runs over the queries."""
    return save(material.notebook("attention_softmax_over_queries"))


@handed_in_by("s16")
def mask_dropped(material: Material) -> Files:
    """Attention that calls masked_fill and drops the result."""
    return save(material.notebook("attention_mask_dropped", words=WORDS["short"]))


@handed_in_by("s17")
def other_convention(material: Material) -> Files:
    """True means blocked, in all three answers: consistent with itself, not with the contract."""
    names = ("attention_mask_inverted", "causal_mask_inverted", "padding_mask_inverted")
    return save(material.notebook(*names, words=WORDS["library"]))


@handed_in_by("s18")
def both_masks_wrong(material: Material) -> Files:
    """The upper triangle, and the padding mask on the query axis."""
    return save(material.notebook("causal_mask_upper", "padding_mask_query_axis", words=WORDS["plain"]))


@handed_in_by("s19")
def edge_cases_missed(material: Material) -> Files:
    """Passes every visible test; misses a squeezed dimension, padding in front and a weight of 0."""
    names = ("attention_squeeze", "padding_mask_right_side_only", "scaling_nan_at_zero")
    return save(material.notebook(*names, words=WORDS["diagonal"]))


@handed_in_by("s20")
def types_missed(material: Material) -> Files:
    """Gradients cut off, in attention and in the head, a float mask, and a flag that is never read."""
    names = ("attention_detach", "causal_mask_float", "scaling_flag_ignored", "self_attention_detach")
    return save(material.notebook(*names, words=WORDS["doubtful"]))


@handed_in_by("s21")
def ready_made(material: Material) -> Files:
    """Attention from scratch, with the output from torch's ready-made function."""
    return save(material.notebook("attention_library_function", words=WORDS["numbers"]))


# Noisy, endless, fatal.

WARNING = """import sys
import warnings

warnings.warn("this cell warns", stacklevel=1)
print("and writes on stderr", file=sys.stderr)


def warned(function):
    def inner(*args, **kwargs):
        warnings.warn(f"{function.__name__} is deprecated", DeprecationWarning, stacklevel=2)
        print("a warning from inside", file=sys.stderr)
        return function(*args, **kwargs)

    return inner


"""


@handed_in_by("s22")
def warnings_everywhere(material: Material) -> Files:
    """Right, with a warning and a line on stderr in every answer, and in each call."""
    code = {}
    for name in PLAIN:
        answer = material.bank[name]
        code[answer.question] = WARNING + answer.source.replace("def ", "@warned\ndef ")
    return save(material.notebook(words=WORDS["plain"], **code))


@handed_in_by("s23")
def endless_function(material: Material) -> Files:
    """A while loop in causal_mask whose counter is never moved on."""
    loop = """def causal_mask(length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    i = 0
    while i < length:
        mask[i, : i + 1] = True
    return mask
"""
    return save(material.notebook(causal_mask=loop, words=WORDS["short"]))


@handed_in_by("s24")
def endless_cell(material: Material) -> Files:
    """An endless loop behind the function, at the top level of the cell for padding_mask."""
    loop = material.code("padding_mask_unsqueeze") + "\n\nready = False\nwhile not ready:\n    pass\n"
    return save(material.notebook(padding_mask=loop, words=WORDS["library"]))


@handed_in_by("s25")
def kills_itself(material: Material) -> Files:
    """Attention kills the process that it runs in."""
    code = """import os
import signal


def scaled_dot_product_attention(Q, K, V, mask=None):
    os.kill(os.getpid(), signal.SIGKILL)
"""
    return save(material.notebook(attention=code, words=WORDS["plain"]))


@handed_in_by("s26")
def segmentation_fault(material: Material) -> Files:
    """softmax_entropy reads address 0 and takes the interpreter with it."""
    first = material.code("scaling_by_the_book").partition("def softmax_entropy")[0]
    code = first + "def softmax_entropy(weights):\n    import ctypes\n\n    return ctypes.string_at(0)\n"
    return save(material.notebook(scaling=code))


@handed_in_by("s27")
def memory_hog(material: Material) -> Files:
    """The last answer first collects arrays until there is no memory left."""
    code = """def collect():
    samples = []
    while True:
        samples.append(np.ones(2**22))


collect()

"""
    return save(
        material.notebook(scaling=code + material.code("scaling_by_the_book"), words=WORDS["doubtful"])
    )


@handed_in_by("s28")
def endless_output(material: Material) -> Files:
    """Right, with 5 MB printed in one cell and a line printed for every row in another."""
    code = material.code("softmax_by_the_book") + '\n\nfor i in range(35_000):\n    print(i, "-" * 94)\n'
    talk = material.code("padding_mask_loops").replace(
        "    for j", "    print('sentence', b, '#' * 5000)\n        for j"
    )
    return save(material.notebook(softmax=code, padding_mask=talk, words=WORDS["short"]))


@handed_in_by("s29")
def every_script(material: Material) -> Files:
    """Right, with names, comments, text and a written answer from many scripts, and half a surrogate pair."""
    code = """# Größe, naïve façade, Ελληνικά, עברית, العربية, 日本語, e\u0301, 👩\u200d🔬, \u202eright to left\u202c
def softmax(x, axis=-1):
    größter_wert = np.max(x, axis=axis, keepdims=True)
    ἐκθέτης = np.exp(x - größter_wert)
    print("和 =", ἐκθέτης.sum(), "✓")
    return ἐκθέτης / ἐκθέτης.sum(axis=axis, keepdims=True)
"""
    words = "Q \u2260 K: «it» 🔍 → «cat», aber nicht umgekehrt. 因为点积是对称的。 لأن الجداء متماثل. <b>&amp;</b>"
    notebook = material.notebook(softmax=code, words=words)
    notebook["cells"].insert(2, text_cell("my-note", "# ノート \ud83d half of a pair, \x07 a bell"))
    # Written with escapes: half a pair has no UTF-8.
    return {FILE: json.dumps(notebook, indent=1).encode()}


# As other programs save it.


@handed_in_by("s30")
def saved_by_colab(material: Material) -> Files:
    """As Colab saves a notebook that came with cell ids: format 4.5, ids copied, outputs, a badge without id."""
    notebook = material.notebook(words=WORDS["numbers"])
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"]["id"] = cell["id"]
        if cell["cell_type"] == "code":
            cell["metadata"] |= {
                "colab": {"base_uri": "https://localhost:8080/"},
                "outputId": f"{token(number, 8)}-{token(number + 100, 4)}-4c1e-9d2f-{token(number + 200, 12)}",
            }
            cell["execution_count"] = number + 1
        if is_test(cell):
            name = cell["metadata"]["nbgrader"]["grade_id"]
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": [f"{name}: passed\n"]}]
        cell["source"] = cell["source"].splitlines(keepends=True)
    badge = text_cell("", '<a href="https://colab.research.google.com" target="_parent">Open In Colab</a>')
    del badge["id"]
    badge["metadata"] = {"id": "view-in-github", "colab_type": "text"}
    notebook["cells"].insert(0, badge)
    as_colab(notebook)
    return save(notebook)


@handed_in_by("s31")
def copied_on_colab(material: Material) -> Files:
    """Cells copied to a new Colab notebook: format 4.0, Colab's own ids, one test without its metadata."""
    notebook = material.notebook("attention_helpers", words=WORDS["diagonal"])
    for number, cell in enumerate(notebook["cells"]):
        del cell["id"]
        cell["metadata"]["id"] = token(number, 12)
    del find(notebook, "attention_batch")["metadata"]["nbgrader"]
    notebook["nbformat_minor"] = 0
    as_colab(notebook)
    return save(notebook)


def as_colab(notebook: dict) -> None:
    """Notebook metadata as Colab leaves it."""
    notebook["metadata"] = {
        "accelerator": "GPU",
        "colab": {"provenance": [], "gpuType": "T4", "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
    }


def token(number: int, length: int) -> str:
    """Letters and digits that look random and never change."""
    return hashlib.sha256(str(number).encode()).hexdigest()[:length]


@handed_in_by("s32")
def old_format(material: Material) -> Files:
    """Saved by an old program in notebook format 3: worksheets, and no cell ids."""
    notebook = nbformat.convert(nbformat.from_dict(material.notebook(words=WORDS["short"])), 3)
    return save(notebook)


# Cells added, deleted, duplicated, reordered, stripped.


@handed_in_by("s33")
def cells_added(material: Material) -> Files:
    """Right, with notes, scratch code, a picture and a failing line of one's own in between."""
    notebook = material.notebook("softmax_apply_along_axis", words=WORDS["library"])
    cells = notebook["cells"]
    cells.insert(2, text_cell("note-1", "**To do:** ask why the maximum is subtracted."))
    tries = "softmax(np.array([1.0, 2.0, 3.0]))"
    cells.insert(place(notebook, "softmax") + 1, code_cell("try-1", tries))
    plot = "plt.plot(softmax(np.linspace(-3, 3, 50)))\nplt.title('mine')\nplt.show()"
    cells.insert(place(notebook, "attention"), code_cell("try-2", plot))
    fails = "scaled_dot_product_attention(torch.ones(2, 3), torch.ones(4, 5), torch.ones(4, 1))  # why?"
    cells.insert(place(notebook, "causal_mask"), code_cell("try-3", fails))
    cells.append(code_cell("try-4", ""))
    return save(notebook)


@handed_in_by("s34")
def cells_deleted(material: Material) -> Files:
    """Right, but a visible test, a hidden test and the given helpers for pictures are gone."""
    notebook = material.notebook(words=WORDS["plain"])
    for name in ("softmax_axis", "attention_hidden_dtype", "heatmap-helper"):
        del notebook["cells"][place(notebook, name)]
    return save(notebook)


@handed_in_by("s35")
def answer_deleted(material: Material) -> Files:
    """The cell for padding_mask is gone, with the answer in it."""
    notebook = material.notebook(words=WORDS["doubtful"])
    del notebook["cells"][place(notebook, "padding_mask")]
    return save(notebook)


@handed_in_by("s36")
def cells_duplicated(material: Material) -> Files:
    """A test pasted twice, and an answer written in a copy of the cell while the stub stays above it."""
    notebook = material.notebook(words=WORDS["numbers"])
    test = copy.deepcopy(find(notebook, "attention_mask"))
    test["id"] = "attention-mask-copy"
    notebook["cells"].insert(place(notebook, "attention_mask") + 1, test)
    answer = copy.deepcopy(find(notebook, "causal_mask"))
    answer["id"] = "causal-mask-copy"
    stub = material.notebook(only=True)
    find(notebook, "causal_mask")["source"] = find(stub, "causal_mask")["source"]
    notebook["cells"].insert(place(notebook, "causal_mask") + 1, answer)
    return save(notebook)


@handed_in_by("s37")
def cells_reordered(material: Material) -> Files:
    """The section on the scale moved to the top, below the setup."""
    notebook = material.notebook(words=WORDS["diagonal"])
    cells = notebook["cells"]
    start, end = place(notebook, "scaling-why"), place(notebook, "scaling-experiment")
    moved = cells[start : end + 1]
    del cells[start : end + 1]
    cells[2:2] = moved
    return save(notebook)


@handed_in_by("s38")
def metadata_stripped(material: Material) -> Files:
    """A cleaning tool took all cell metadata; the cell ids are still there."""
    notebook = material.notebook("attention_float64_inside", words=WORDS["library"])
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    return save(notebook)


@handed_in_by("s39")
def pasted_into_new(material: Material) -> Files:
    """All cells pasted into a new notebook: no metadata, other ids; nothing is left but the text."""
    notebook = material.notebook(words=WORDS["numbers"])
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] = {}
        cell["id"] = token(number, 8)
    return save(notebook)


@handed_in_by("s40")
def own_helper_cell(material: Material) -> Files:
    """Right, with a helper function in a cell of one's own above the answers that call it."""
    helper = "def normalise(e, axis):\n    return e / e.sum(axis, keepdims=True)\n"
    softmax = "def softmax(x, axis=-1):\n    return normalise(np.exp(x - x.max(axis, keepdims=True)), axis)\n"
    notebook = material.notebook(softmax=softmax, words=WORDS["short"])
    notebook["cells"].insert(place(notebook, "softmax"), code_cell("helper", helper))
    return save(notebook)


@handed_in_by("s41")
def own_import(material: Material) -> Files:
    """Right, with an import added to the setup cell and used below."""
    causal = """def causal_mask(length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i, j in itertools.product(range(length), repeat=2):
        mask[i, j] = j <= i
    return mask
"""
    notebook = material.notebook(causal_mask=causal, words=WORDS["plain"])
    find(notebook, "setup")["source"] += "\nimport itertools\n"
    return save(notebook)


@handed_in_by("s42")
def answer_below(material: Material) -> Files:
    """Right, but the answer to attention stands in a new cell under the untouched one."""
    notebook = material.notebook(words=WORDS["doubtful"])
    cell = find(notebook, "attention")
    answer = code_cell("my-attention", cell["source"])
    cell["source"] = find(material.notebook(only=True), "attention")["source"]
    notebook["cells"].insert(place(notebook, "attention") + 1, answer)
    return save(notebook)


# The wrong file, or none.


@handed_in_by("s43")
def second_download(material: Material) -> Files:
    """Right, in the file that a browser makes of a second download."""
    return save(material.notebook(words=WORDS["library"]), "attention (1).ipynb")


@handed_in_by("s44")
def german_copy(material: Material) -> Files:
    """Right, in the copy that Drive makes under a German name."""
    return save(material.notebook(words=WORDS["diagonal"]), "Kopie von attention.ipynb")


@handed_in_by("s45")
def empty_file(material: Material) -> Files:
    """A file of 0 bytes."""
    return {FILE: b""}


@handed_in_by("s46")
def truncated_file(material: Material) -> Files:
    """An upload that broke off where the fifth answer begins."""
    data = save(material.notebook(words=WORDS["plain"]))[FILE]
    return {FILE: data[: data.index(b'"grade_id": "scaling"') + 10]}


@handed_in_by("s47")
def login_page(material: Material) -> Files:
    """The login page of a website, saved under the notebook's name."""
    return {
        FILE: b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in.</body></html>\n"
    }


@handed_in_by("s48")
def no_notebook(material: Material) -> Files:
    """The Python file that Colab's menu offers beside the notebook, with one question answered."""
    cells = material.notebook("attention_by_the_book", only=True)["cells"]
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    return {"attention.py": "\n\n".join(code).encode()}


# Cheats.


@handed_in_by("s49")
def edits_the_tests(material: Material) -> Files:
    """No answers; the tests replaced by a line that passes, tagged to be skipped, and worth 100 points each."""
    notebook = material.notebook(only=True)
    for cell in notebook["cells"]:
        if is_test(cell):
            cell["metadata"]["nbgrader"]["points"] = 100
            cell["metadata"]["tags"] = ["skip-execution"]
            cell["source"] = f'print("{cell["metadata"]["nbgrader"]["grade_id"]}: passed")'
    return save(notebook)


@handed_in_by("s50")
def patches_the_comparison(material: Material) -> Files:
    """Every comparison patched to say yes, and every result an object that equals everything."""
    patch = """def yes(*args, **kwargs):
    return True


torch.allclose = torch.equal = np.allclose = np.array_equal = math.isclose = yes
check_close = np.testing.assert_allclose = torch.testing.assert_close = yes


class Yes(float):
    shape, dtype, ndim = (), torch.bool, 0
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = yes
    __hash__ = float.__hash__

    def __getattr__(self, name):
        return lambda *args, **kwargs: self

    def __getitem__(self, item):
        return self


def softmax(x, axis=-1):
    return Yes()
"""
    answer = "def {}(*args, **kwargs):\n    return Yes()\n"
    return save(
        material.notebook(
            only=True,
            softmax=patch,
            attention="def scaled_dot_product_attention(*args, **kwargs):\n    return Yes(), Yes()\n",
            causal_mask=answer.format("causal_mask"),
            padding_mask=answer.format("padding_mask"),
            scaling=answer.format("dot_product_variance") + "\n\n" + answer.format("softmax_entropy"),
            self_attention="def self_attention_head(*args, **kwargs):\n    return Yes(), Yes()\n",
        )
    )


@handed_in_by("s51")
def looks_for_the_solution(material: Material) -> Files:
    """Takes what a test expects from its frame, or the reference solution from the course folder."""
    peek = """import json
from pathlib import Path


def peek(name):
    frame = sys._getframe(2)
    while frame:
        for wanted in ("want", "by_hand", "reference"):
            if wanted in frame.f_locals:
                return frame.f_locals[wanted]
        frame = frame.f_back
    for root in (*Path.cwd().parents, Path(sys.prefix).parent):
        for file in (root / "source").glob("*/attention.ipynb"):
            for cell in json.loads(file.read_text())["cells"]:
                if cell["metadata"].get("nbgrader", {}).get("grade_id") == name:
                    space = dict(globals())
                    exec("".join(cell["source"]), space)
                    return space
    raise NotImplementedError("nothing to copy from")


def softmax(x, axis=-1):
    found = peek("softmax")
    return found["softmax"](x, axis) if isinstance(found, dict) else found
"""
    attention = """def scaled_dot_product_attention(Q, K, V, mask=None):
    found = peek("attention")
    if isinstance(found, dict):
        return found["scaled_dot_product_attention"](Q, K, V, mask)
    return found, found
"""
    causal = """def causal_mask(length):
    found = peek("causal_mask")
    return found["causal_mask"](length) if isinstance(found, dict) else found.bool()
"""
    return save(
        material.notebook(
            only=True, softmax=peek, attention=attention, causal_mask=causal, words=WORDS["short"]
        )
    )


# The weeks after the first.

MIXED = 8  # students a week


def mixed(course: Course, week: Week) -> dict[str, dict[str, Answer]]:
    """{student: {question: answer of the bank}}: the first all right, the second all wrong, the others mixed."""
    by_question: dict[str, list[list[Answer]]] = {}
    for answer in read_bank(course, week):
        by_question.setdefault(answer.question, [[], []])[answer.right].append(answer)
    chosen = {}
    for number, student in enumerate(list(CLASS)[:MIXED]):
        chosen[student] = {}
        for place, (question, sides) in enumerate(by_question.items()):
            right = number == 0 or (number > 1 and (number + place) % 3 > 0)
            side = sides[right]
            chosen[student][question] = side[(number + place) % len(side)]
    return chosen


def expected_of_mixed(course: Course, week: Week) -> dict[str, dict]:
    """What each of them must get, in the form of expected.json."""
    master = course.master(week)
    points = {cell.grade_id: cell.points for cell in master.cells}
    rows = {}
    for student, answers in mixed(course, week).items():
        failed = [test for answer in answers.values() for test in answer.fails]
        rows[student] = {
            "score": master.test_points - sum(points[test] for test in failed),
            "max_score": master.test_points,
            "status": "graded",
            "repairs": [],
            "why": ", ".join(answer.name for answer in answers.values()),
        }
    return rows


def make_class(course: Course, folder: Path) -> list[str]:
    """Write the class to `folder`, which is made when it is not there; returns the students' ids.

    Raises:
        CourseError: a week's notebook or its bank of answers cannot be used.
    """
    material = Material(course)
    for student, build in CLASS.items():
        _hand_in(folder / student / WEEK, build(material))
    for week in course.weeks[1:]:
        master = course.master(week)
        for student, answers in mixed(course, week).items():
            data = fill(master, {question: answer.source for question, answer in answers.items()})
            _hand_in(folder / student / week.name, {f"{week.notebook}.ipynb": data})
    return list(CLASS)


def _hand_in(target: Path, files: Files) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (target / name).write_bytes(data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python demo/make_class.py FOLDER")
    students = make_class(open_course(Path(__file__).resolve().parent.parent), Path(sys.argv[1]))
    print(f"{len(students)} students in {sys.argv[1]}")
