"""A wrong name in a module costs the test that asks for the names, and no other test of weeks 2, 4 and 8.

The helpers stand in the setup cells of these weeks; what has the same name in two weeks is the same in both, which
`course check` holds.
"""

import ast
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from coursekit.authoring.checks.answers import of_question
from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.master import fill

COURSE = open_course(Path(__file__).resolve().parent.parent)

ROW, SQUARE = (6,), (6, 6)


@pytest.fixture(scope="module")
def compare_names():
    """The helper as the source notebook has it."""
    master = COURSE.master(COURSE.week("week4_encoder"))
    (source,) = [cell.source for cell in master.cells if cell.cell_id == "test-helpers"]
    helpers = ("in_pairs", "compare_names")
    wanted = [node for node in ast.parse(source).body if getattr(node, "name", "") in helpers]
    names = {"os": os, "re": re}
    exec(compile(ast.Module(wanted, []), "test-helpers", "exec"), names)
    return names["compare_names"]


def linear(name, rows, columns):
    return {f"{name}.weight": (rows, columns), f"{name}.bias": (rows,)}


def attention(name="attention", layers=("W_Q", "W_K", "W_V", "W_O")):
    return {key: shape for layer in layers for key, shape in linear(f"{name}.{layer}", 6, 6).items()}


def network(first="feed_forward.linear1", second="feed_forward.linear2"):
    return linear(first, 10, 6) | linear(second, 6, 10)


def norm(name, parameters=("gamma", "beta")):
    return {f"{name}.{parameter}": ROW for parameter in parameters}


NORMS = norm("norm1") | norm("norm2")
BLOCK = attention() | network() | NORMS


def stack(name, *parts):
    block = {key: shape for part in parts for key, shape in part.items()}
    return {f"{name}.{i}.{key}": shape for i in range(2) for key, shape in block.items()}


# What is wanted, what the module has, and what the message says about it, in its order.
RENAMED = {
    "one norm": (BLOCK, attention() | network() | norm("ln1") | norm("norm2"), "`ln1` to `norm1`"),
    "numbers before the order": (
        BLOCK,
        norm("ln2") | norm("ln1") | attention() | network(),
        "`ln1` to `norm1`, `ln2` to `norm2`",
    ),
    "numbers that begin at 0": (
        BLOCK,
        attention() | network() | norm("ln0") | norm("ln1"),
        "`ln0` to `norm1`, `ln1` to `norm2`",
    ),
    "the order where nothing else tells": (
        BLOCK,
        attention("mha") | norm("mixed") | network("ffn.0", "ffn.2") | norm("digested"),
        "`mha` to `attention`, `ffn.0` to `feed_forward.linear1`, `ffn.2` to `feed_forward.linear2`, "
        "`mixed` to `norm1`, `digested` to `norm2`",
    ),
    "a part is not grouped": (
        BLOCK,
        attention() | network("linear1", "linear2") | NORMS,
        "`linear1` to `feed_forward.linear1`, `linear2` to `feed_forward.linear2`",
    ),
    "letters before the order": (
        BLOCK,
        attention(layers=("key", "query", "value", "proj")) | network() | NORMS,
        "`query` to `W_Q`, `key` to `W_K`, `value` to `W_V`, `proj` to `W_O`",
    ),
    "one letter": (
        BLOCK,
        attention(layers=("W_out", "W_query", "W_key", "W_value")) | network() | NORMS,
        "`W_query` to `W_Q`, `W_key` to `W_K`, `W_value` to `W_V`, `W_out` to `W_O`",
    ),
    "PyTorch's norm": (
        BLOCK,
        attention() | network() | norm("norm1", ("weight", "bias")) | norm("norm2", ("bias", "weight")),
        "`weight` to `gamma`, `bias` to `beta`",
    ),
    "a stack": (stack("layers", BLOCK), stack("blocks", BLOCK), "`blocks` to `layers`"),
    "a stack with the blocks' names": (
        stack("layers", BLOCK),
        stack("layers", norm("ln_a"), attention(), norm("ln_b"), network()),
        "`ln_a` to `norm1`, `ln_b` to `norm2`",
    ),
}


@pytest.mark.parametrize("case", RENAMED)
def test_a_renaming_is_found_and_explained(case, compare_names):
    wanted, own, renaming = RENAMED[case]
    names, problem = compare_names(wanted, own, "the module")
    assert sorted(names) == sorted(wanted) and sorted(names.values()) == sorted(own)
    assert problem.startswith("the module has no parameter") and problem.endswith(f": rename {renaming}.")
    for ours, theirs in names.items():
        assert wanted[ours] == own[theirs]
        for taken, part in re.findall("`(.+?)` to `(.+?)`", renaming):
            ours = re.sub(rf"(?<![^.]){re.escape(part)}(?![^.])", taken, ours)
        assert ours == theirs


NONE = {
    "a part is missing": (
        attention() | network() | norm("norm1"),
        "the block has no parameters norm2.gamma, norm2.beta.",
    ),
    "a part is missing, others have other names": (
        attention() | network() | norm("ln"),
        "the block has no parameters norm1.gamma, norm1.beta, norm2.gamma, norm2.beta, "
        "but it has the parameters ln.gamma, ln.beta.",
    ),
    "one too many": (BLOCK | {"scale": ROW}, "the block has more than was asked for: parameter scale."),
    "one too many beside another name": (
        attention() | network() | norm("norm1") | norm("ln") | norm("more"),
        "the block has no parameters norm2.gamma, norm2.beta, "
        "but it has the parameters ln.gamma, ln.beta, more.gamma, more.beta.",
    ),
    "a right name, another shape": (
        BLOCK | linear("feed_forward.linear1", 6, 10),
        "the block: parameter feed_forward.linear1.weight has shape (6, 10), expected (10, 6).",
    ),
    "nothing": (
        {},
        "the block has no parameters attention.W_Q.weight, attention.W_Q.bias, attention.W_K.weight, "
        "attention.W_K.bias and 12 more.",
    ),
}


@pytest.mark.parametrize("case", NONE)
def test_where_the_shapes_differ_nothing_is_renamed(case, compare_names):
    own, problem = NONE[case]
    assert compare_names(BLOCK, own, "the block") == (None, problem)


def test_right_names_are_taken_as_they_are(compare_names):
    """Also where parts are defined in another order."""
    own = norm("norm2") | norm("norm1") | network() | attention()
    assert compare_names(BLOCK, own) == ({name: name for name in BLOCK}, "")


# {question: (its week, the test that asks for the names, other names for what the contract names)}
OTHER = {
    "layer_norm": ("week4_encoder", "layer_norm_parameters", "gamma=weight beta=bias"),
    "feed_forward": ("week4_encoder", "feed_forward_parts", "linear1=fc1 linear2=fc2"),
    "encoder_block": (
        "week4_encoder",
        "encoder_block_parts",
        "attention=mha feed_forward=ffn norm1=ln1 norm2=ln2",
    ),
    "encoder": ("week4_encoder", "encoder_layers", "layers=blocks"),
    "multi_head": ("week2_multi_head", "multi_head_layers", "W_Q=query W_K=key W_V=value W_O=proj"),
    "decoder_block": (
        "week8_transformer",
        "decoder_block_parts",
        "self_attention=masked_attn cross_attention=memory_attn feed_forward=ffn norm1=ln_a norm2=ln_b norm3=ln_c",
    ),
    "transformer": (
        "week8_transformer",
        "transformer_parts",
        "src_embedding=embed_in tgt_embedding=embed_out encoder_blocks=encoder decoder_blocks=decoder output=fc",
    ),
}
# What has too few parameters to be paired with what is wanted is filled only in part, or in another order, if its names
# are wrong as well. So these answers fail more tests then.
UNPAIRED = {
    "wrong/decoder_block_shared_attention": ["decoder_block_hidden_weights"],
    "wrong/multi_head_extra_layer": [  # five layers of one shape for four names
        "multi_head_worked",
        "multi_head_output",
        "multi_head_lengths",
        "multi_head_mask",
        "multi_head_hidden_mask_shapes",
        "multi_head_hidden_gradient",
        "multi_head_hidden_sizes",
        "multi_head_hidden_arguments",
    ],
    "wrong/transformer_one_block": ["transformer_hidden_gradient"],
    "wrong/transformer_output_no_bias": [
        "transformer_embedding",
        "transformer_logits",
        "transformer_hidden_gradient",
    ],
    "wrong/transformer_plain_list": [
        "transformer_embedding",
        "transformer_logits",
        "transformer_hidden_logits",
        "transformer_hidden_weights",
    ],
    # Blocks in a plain list can be filled in only where the list has its name.
    "wrong/encoder_python_list": ["encoder_loop", "encoder_mask", "encoder_hidden_weights"],
}


@pytest.mark.slow
@pytest.mark.parametrize("question", OTHER)
def test_other_names_hide_no_mistake_and_cost_one_test(question):
    """Each answer of the bank, with other names, fails what it fails with the right ones, and the test for names."""
    name, asked, other = OTHER[question]
    week = COURSE.week(name)
    master = of_question(COURSE.master(week), question)
    tried = {}
    for answer in read_bank(COURSE, week):
        source = answer.source
        for pair in other.split():
            name, instead = pair.split("=")
            source = re.sub(rf"(?<=[.\"]){name}\b", instead, source)
        if answer.question == question and source != answer.source:
            tried[answer.name] = source, {asked, *answer.fails}
            tried[answer.name][1].update(UNPAIRED.get(answer.name, []))
    assert len(tried) > 10
    with Servers(modules=warm_modules(master, COURSE.limits)) as servers, ThreadPoolExecutor(2) as pool:
        handed_in = [fill(master, master.solutions | {question: source}) for source, _ in tried.values()]
        results = pool.map(lambda data: grade(master, data, COURSE.limits, servers).result, handed_in)
        problems = {}
        for (name, (_, expected)), result in zip(tried.items(), results, strict=True):
            failed = {test.id for test in result.tests if test.question == question and not test.score}
            if failed != expected:
                problems[name] = sorted(failed ^ expected)
    assert problems == {}
