"""Reference definitions: a later answer works with right earlier ones, whatever the student's earlier answers are."""

import json
import marshal

import pytest
from small_course import DOUBLE, cells, code, graded, markdown, master_of

from coursekit.engine.coordinator.compiling import compile_reference_definitions
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import PASSED

LIMITS = Limits(cell_seconds=5, test_seconds=5, all_cells_seconds=60, memory_mb=1024)

SETUP = "import torch\nfrom torch import nn\nSCALE = 3.0"
GIVEN = "print('not needed')\n\ndef tripled(x):\n    return SCALE * x\n\nunused = tripled(torch.ones(2))"
SCALED = """def scaled(x, *, by):
    ### BEGIN SOLUTION
    return tripled(x) * by
    ### END SOLUTION
    raise NotImplementedError("week 1, scaled: write it")"""
BLOCK = """class Block(nn.Module):
    def __init__(self, size, p=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.size, self.layers = size, nn.ModuleList(nn.Linear(size, size) for _ in range(2))
        self.gain = nn.Parameter(torch.ones(size))
        self.register_buffer("shift", torch.arange(size).float(), persistent=False)
        self.dropout = nn.Dropout(p)
        return
        ### END SOLUTION
        raise NotImplementedError("week 1, block: write it")

    def forward(self, x, mask=None):
        ### BEGIN SOLUTION
        for layer in self.layers:
            x = torch.tanh(layer(x))
        x = self.dropout(self.gain * x) + self.shift.to(x.dtype)
        return x if mask is None else x * mask, x.sum()
        ### END SOLUTION
        raise NotImplementedError("week 1, block: write it")"""
TOWER = """class Tower(nn.Module):
    def __init__(self, size, p=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.first, self.second, self.ways = Block(size, p), Block(size, p), len(WAYS)
        return
        ### END SOLUTION
        raise NotImplementedError("week 1, tower: write it")

    def forward(self, x, mask=None):
        ### BEGIN SOLUTION
        x, _ = self.first(x, mask)
        x, total = self.second(scaled(x, by=2.0), mask=mask)
        return x + total
        ### END SOLUTION
        raise NotImplementedError("week 1, tower: write it")"""

ORACLE = """
def block(state, x, mask):
    for i in range(2):
        x = torch.tanh(x @ state[f"layers.{i}.weight"].T + state[f"layers.{i}.bias"])
    x = state["gain"] * x + torch.arange(4)
    return (x if mask is None else x * mask), x.sum()

def tower(state, x, mask=None):
    parts = [{k.partition(".")[2]: v for k, v in state.items() if k.startswith(n)} for n in ("first.", "second.")]
    x, _ = block(parts[0], x, mask)
    x, total = block(parts[1], 6 * x, mask)
    return x + total

def weights(seed, dtype=torch.float32):
    g = torch.Generator().manual_seed(seed)
    shapes = {"layers.0.weight": (4, 4), "layers.0.bias": (4,), "layers.1.weight": (4, 4), "layers.1.bias": (4,)}
    shapes = {f"{n}.{k}": s for n in ("first", "second") for k, s in ({"gain": (4,)} | shapes).items()}
    return {name: torch.randn(shape, generator=g).to(dtype) for name, shape in shapes.items()}
"""

TESTS = {
    "tower_values": ORACLE
    + """
for dtype in (torch.float32, torch.float64):
    state, x = weights(1, dtype), torch.randn(3, 4, generator=torch.Generator().manual_seed(2)).to(dtype)
    mask = torch.tensor([1, 0, 1, 1], dtype=dtype)
    m = Tower(4).to(dtype)
    m.load_state_dict(state)
    assert m(x).dtype == dtype
    assert torch.allclose(m(x), tower(state, x), atol=1e-5)
    assert torch.allclose(m(x, mask), tower(state, x, mask), atol=1e-5)
    assert m(x).requires_grad is False
""",
    "tower_state": """
m = Tower(4)
names = sorted(name for name, _ in m.named_parameters())
assert len(names) == 10 and "second.layers.1.bias" in names, names
assert sorted(m.state_dict()) == names, "a buffer that is not persistent is not saved"
assert m.first.size == 4 and len(m.first.layers) == 2 and m.ways == 2
""",
    "tower_modes": ORACLE
    + """
state, x = weights(3), torch.ones(5, 4)
m = Tower(4, p=1.0)
m.load_state_dict(state)
m.eval()
assert torch.allclose(m(x), tower(state, x), atol=1e-5)
m.train()
assert torch.allclose(m(x), torch.arange(4) + 0 * x + 5 * 6.0, atol=1e-5), m(x)
""",
    "tower_gradients": ORACLE
    + """
def probe_gradients(make, state, x):
    m = make(4)
    m.load_state_dict(state)
    x = x.requires_grad_()
    (m(x) ** 2).sum().backward()
    return [x.grad, {name: value.grad for name, value in m.named_parameters()}]

state, x = weights(4), torch.randn(2, 4, generator=torch.Generator().manual_seed(5))
leaves = {name: value.clone().requires_grad_() for name, value in state.items()}
leaf = x.clone().requires_grad_()
(tower(leaves, leaf) ** 2).sum().backward()
got, gradients = probe_gradients(Tower, state, x)
assert torch.allclose(got, leaf.grad, rtol=1e-3, atol=1e-3)
for name, leaf in leaves.items():
    assert torch.allclose(gradients[name], leaf.grad, rtol=1e-3, atol=1e-3), name
""",
    "tower_copies": """
def probe_copies(make):
    import copy
    m = make(4)
    other = copy.deepcopy(m)
    with torch.no_grad():
        other.first.gain.zero_()
    x = torch.ones(1, 4)
    return [m(x), other(x), isinstance(m.first, nn.Module), type(m.first).__name__]

one, two, is_module, name = probe_copies(Tower)
assert not torch.equal(one, two) and is_module and name == "Block"
m = Tower(4)
assert torch.isfinite(m(torch.ones(1, 4))).all()
""",
}


def read(more=()):
    cells = [
        markdown("intro", "# Week 1"),
        code("setup", SETUP, tags=["setup"]),
        code("given", GIVEN),
        code("scaled", SCALED, **graded("scaled", solution=True)),
        graded_test(
            "scaled_values", "assert torch.equal(scaled(torch.ones(2), by=2.0), torch.full((2,), 6.0))"
        ),
        code("block", BLOCK + "\n\nWAYS = ('left', 'right')", **graded("block", solution=True)),
        graded_test("block_size", "assert Block(3).size == 3"),
        code("tower", TOWER, **graded("tower", solution=True)),
        *(graded_test(name, source) for name, source in TESTS.items()),
        *more,
    ]
    return master_of(*cells)


def graded_test(name, source):
    metadata = graded(name, grade=True, points=1)
    return code(name.replace("_", "-"), f"# Test: {name}\n{source}", **metadata)


@pytest.fixture(scope="module")
def master():
    return read()


def graded_with(master, servers, **answers):
    """{test: (outcome, message)}; a question that is not named has the reference answer."""
    result = grade(master, fill(master, master.solutions | answers), LIMITS, servers).result
    return {test.id: (test.outcome, test.message) for test in result.tests}


def passed(found):
    return {name for name, (outcome, _) in found.items() if outcome == PASSED}


@pytest.mark.parametrize(
    ("answers", "others"),
    [
        ({}, {"scaled_values", "block_size"}),
        ({"scaled": "def scaled(x, *, by):\n    return x", "block": "class Block: pass"}, set()),
        ({"scaled": "raise ValueError", "block": "x ="}, set()),
        ({"scaled": "scaled = None", "block": "def Block(*_, **__):\n    raise SystemExit"}, set()),
    ],
    ids=["right", "wrong", "broken", "traps"],
)
def test_wrong_earlier_answers_cost_the_later_question_nothing(master, servers, answers, others):
    found = graded_with(master, servers, **answers)
    assert passed(found) == {*TESTS, *others}, found


def test_a_wrong_later_answer_fails(master, servers):
    found = graded_with(master, servers, tower=TOWER.replace("x + total", "x - total"))
    assert "tower_values" not in passed(found) and "tower_state" in passed(found)


def test_reference_definitions_are_gone_after_the_test(servers):
    """The student's later cells meet the student's own answers again."""
    longer = read([code("after", "print('own' if Block.__doc__ == 'mine' else Block)")])
    mine = BLOCK.replace("(nn.Module):", '(nn.Module):\n    """mine"""', 1)
    done = grade(longer, fill(longer, longer.solutions | {"block": mine}), LIMITS, servers)
    assert "own" in json.loads(done.notebook)["cells"][-1]["outputs"][0]["text"]


SPY = '''
import gc, inspect, sys
class Tower(nn.Module):
    """Puts all that it can reach into the message of its error."""
    def __init__(self, size, p=0.0):
        super().__init__()
        self.first = Block(size, p)

    def forward(self, x, mask=None):
        found = []
        for thing in (type(self.first), scaled, type(self.first).forward, self.first._calls):
            try:
                found.append(inspect.getsource(thing))
            except (OSError, TypeError):
                pass
            code = getattr(thing, "__code__", None)
            found.append(repr(code and (code.co_consts, code.co_names)))
        whole = " ".join(found) + repr(gc.get_objects()).count("torch." + "tanh(") * " held"
        raise ValueError("spied " + whole)
'''


def test_the_code_of_a_reference_definition_cannot_be_read(master, servers):
    _, message = graded_with(master, servers, block="class Block: pass", tower=SPY)["tower_copies"]
    assert "spied" in message
    assert not any(word in message for word in ("tanh(", "arange", " held"))


CATCHES = """
def scaled(x, *, by):
    try:
        return by * halves(x)
    except ValueError as error:
        assert str(error) == "odd", error
        return 0
"""


def test_an_earlier_answer_raises_in_the_later_one_what_it_raises_in_the_notebook(servers):
    halves = """def halves(x):
    ### BEGIN SOLUTION
    if x % 2:
        raise ValueError("odd")
    return x // 2
    ### END SOLUTION
    raise NotImplementedError("week 1, halves: write it")"""
    week = master_of(
        cells()[1],
        code("halves", halves, **graded("halves", solution=True)),
        code("halves-test", "assert halves(4) == 2", **graded("halves_values", grade=True, points=1)),
        code(
            "scaled",
            CATCHES.replace("def scaled(x, *, by):", "def scaled(x, *, by):\n    ### BEGIN SOLUTION")
            + "    ### END SOLUTION",
            **graded("scaled", solution=True),
        ),
        code(
            "scaled-test",
            "assert scaled(4, by=3) == 6\nassert scaled(3, by=3) == 0",
            **graded("scaled_values", grade=True, points=1),
        ),
    )
    lent = fill(week, {"halves": "def halves(x):\n    return None", "scaled": CATCHES})
    found = {
        test.id: (test.outcome, test.message) for test in grade(week, lent, LIMITS, servers).result.tests
    }
    assert found["scaled_values"][0] == PASSED, found


GREEDY = """
class Tower(nn.Module):
    def __init__(self, size, p=0.0):
        super().__init__()
        {inside}

    def forward(self, x, mask=None):
        return x
"""


@pytest.mark.parametrize(
    ("inside", "error"),
    [
        ("self._calls = None; Block._calls.make('Tower', [4], {})", "KeyError"),
        ("Block._calls.make('torch', [4], {})", "KeyError"),
        ("Block(4)._calls.call([7, ''], {}, [], [torch.ones(4)], {}, [])", "IndexError"),
        ("Block(4)._calls.call([0, '__class__'], {}, [], [], {}, [])", "AttributeError"),
        ("Block(4)._calls.gradients(3, [])", "IndexError"),
        ("Block(10**9)", "RuntimeError"),
    ],
)
def test_only_reference_definitions_can_be_asked_for(master, servers, inside, error):
    found = graded_with(master, servers, tower=GREEDY.format(inside=inside))
    assert not passed(found) & set(TESTS)
    assert error in found["tower_values"][1], found["tower_values"]


@pytest.mark.parametrize(
    ("line", "names"),
    [("SIZE: int = 2", ["SIZE"]), ("OTHER, SIZE = 1, 2", ["SIZE"]), ("if True: SIZE = 2", [])],
)
def test_what_is_assigned_in_any_form_is_defined_or_left_to_the_student(line, names):
    solution = f"### BEGIN SOLUTION\n{line}\n### END SOLUTION"
    own = code("size", solution, **graded("size", solution=True))
    size_values = code("size-values", "assert SIZE == 2", **graded("size_values", grade=True, points=1))
    scaled = code("double", DOUBLE.replace("x + x", "x * SIZE"), **graded("double", solution=True))
    week = master_of(cells()[1], own, size_values, scaled, *cells()[4:6])
    references = compile_reference_definitions(week, "double")
    assert references.names == names
    defined = {}
    exec(marshal.loads(references.code) if names else "", defined)
    assert defined.keys() >= set(names)


def test_only_definitions_that_are_needed_are_compiled(master):
    references = compile_reference_definitions(master, "tower")
    assert references.names == ["Block", "WAYS", "scaled"]
    assert [word in references.code for word in (b"tripled", b"not needed", b"unused")] == [
        True,
        False,
        False,
    ]
    assert compile_reference_definitions(master, "scaled").names == []
