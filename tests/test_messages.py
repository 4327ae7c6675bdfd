"""What a kernel says costs the grader little: large, deep and many messages; what is honest comes through."""

import json
import time
import tracemalloc

import pytest
from quick import first
from student_kernel import run

from coursekit.engine.coordinator import channel
from coursekit.engine.kernel.kernel import MESSAGE_CHARACTERS
from coursekit.engine.shared import outputs
from coursekit.engine.shared.outputs import OutputBudget, mask_run_dependent, parse

BOMBS = {
    "lists": b'{"data": {"text/plain": "x", "bomb": [' + b"[]," * 800_000 + b"[]]}}",
    "dictionaries": b'{"data": {"text/plain": "x", "bomb": [' + b"{}," * 800_000 + b"{}]}}",
    "depth": b'{"data": ' + b"[" * 1_200_000 + b"]" * 1_200_000 + b"}",
    "depth that is never left": b'{"data": ' + b'{"a":' * 400_000,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_not_unfolded(bomb, monkeypatch):
    monkeypatch.setattr(json, "loads", lambda *_: pytest.fail("parsed"))
    tracemalloc.start()
    assert parse(BOMBS[bomb]) == {}
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * channel.MAX_MESSAGE
    monkeypatch.undo()
    assert parse(b'{"data": ' + b"[" * 5000 + b"]" * 5000 + b"}") == {}


def test_brackets_in_a_text_are_none():
    text = '[[1., 2.], {3.}]\\n\\"' * 100_000
    data = f'{{"name": "stdout", "text": "{text}"}}'.encode()
    assert parse(data) == {"name": "stdout", "text": json.loads(f'"{text}"')}


@pytest.mark.parametrize(
    "text",
    [
        "expected 0xdeadbeef, got 0xc0ffee00",
        "the hash is 0xcbf29ce484222325",
        "0x7fffffff",
        "colour 0xff8800",
    ],
)
def test_a_number_is_not_chance(text):
    assert mask_run_dependent(text) == text


def test_an_address_in_memory_is_seen_as_one():
    thing = object()
    assert mask_run_dependent(f"{thing!r} {hex(id(thing))}") == "<object object at 0x…> 0x…"
    assert mask_run_dependent("<A object at 0x1c2f3a0>") == "<A object at 0x…>", "of a smaller heap"


@pytest.mark.parametrize("data", [b"", b"[]", b"3", b'{"a":', b"\xff", b"nope"])
def test_what_is_no_content_is_empty(data):
    assert parse(data) == {}


def test_an_error_of_other_things_is_an_error_without_words():
    budget, found = OutputBudget(10), []
    deep = []
    for _ in range(900):
        deep = [deep]
    budget.put(found, "error", {"ename": deep, "evalue": {"a": 1}, "traceback": [deep, "line"]})
    assert found == [{"output_type": "error", "ename": "", "evalue": "", "traceback": ["", "line"]}]


def test_when_the_budget_is_spent_nothing_is_parsed(monkeypatch):
    budget, found = OutputBudget(1), []
    budget.put_message(found, "stream", json.dumps({"name": "stdout", "text": "x" * 2000}).encode())
    assert len(found) == 2 and "more than 1 KiB" in found[1]["text"]
    monkeypatch.setattr(outputs, "parse", lambda _: pytest.fail("parsed"))
    budget.put_message(found, "stream", b'{"name": "stdout", "text": "y"}')
    for other in (OutputBudget(0), OutputBudget(100)):
        other.put_message(found, "comm_msg", b"{}")
    OutputBudget(0).put_message([], "stream", b"{}")
    assert len(found) == 2


def test_what_is_no_output_uses_up_the_budget_all_the_same():
    budget, found = OutputBudget(10), []
    data = json.dumps({"data": {"text/plain": "", "other": "x" * 5000}}).encode()
    for _ in range(1000):
        budget.put_message(found, "display_data", data)
    parsed = sum(item["output_type"] == "display_data" for item in found)
    assert parsed <= outputs.PARSED_SHARE * 10 * 1024 / len(data) + 1
    assert found[-1]["text"].startswith("[Output left out")


def test_a_text_in_small_pieces_is_kept_in_blocks():
    budget, found = OutputBudget(2048), []
    for _ in range(700):
        budget.put(found, "stream", {"name": "stdout", "text": "x" * 1000})
    sizes = [len(item["text"]) for item in found]
    assert sizes == [outputs.BLOCK, outputs.BLOCK, 700_000 - 2 * outputs.BLOCK]
    budget, whole = OutputBudget(2048), []
    budget.put(whole, "stream", {"name": "stdout", "text": "x" * 700_000})
    assert whole == found


def test_a_piece_of_text_fits_into_a_message():
    for letter in ("x", "é", "😀", "\x01", "\\"):
        message = json.dumps({"text": letter * MESSAGE_CHARACTERS}, ensure_ascii=False)
        assert len(message.encode()) < channel.MAX_MESSAGE


def test_a_picture_of_one_and_a_half_mebibytes_comes_through(kernel):
    source = (
        "import base64, os\nfrom IPython.display import display\n"
        "display({'image/png': base64.b64encode(os.urandom(1500 << 10)).decode()}, raw=True)"
    )
    done = run(kernel, source, 20, 4096)
    assert len(done.outputs[0]["data"]["image/png"]) == 2_048_000


# Sent by the thread that holds the kernel's socket, past IPython: enough to be no longer read.
FLOOD = """
kernel = get_ipython().kernel
thread = kernel.iopub_socket.io_thread
def flood():
    for _ in range({count}):
        thread.socket.send_multipart({parts}, copy=True)
thread.schedule(flood)
import time
time.sleep(0.5)
print("the cell has ended")
"""


@pytest.mark.parametrize(
    ("count", "parts"),
    first(1, [(60, "[b'x'] * 900"), (20_000, "[b'topic', b'<IDS|MSG>', b'']"), (140, "[bytes(1 << 20)]")]),
    ids=["frames", "messages", "bytes"],
)
def test_a_kernel_that_sends_too_much_is_not_read_any_more_and_loses_no_cell(kernel, count, parts):
    done = run(kernel, FLOOD.format(count=count, parts=parts), 60, 100)
    assert done.ended == "ok", done
    # A later cell has all its time.
    done = run(kernel, "sum(n * n for n in range(20_000_000))\nx = 3", 60, 100)
    assert done.ended == "ok" and kernel._iopub.stopped
    assert kernel._iopub._frames <= channel.MAX_FRAMES + 1
    done = run(kernel, "assert x == 4", 60, 100)
    assert done.ended == "error" and "left out" in done.outputs[-1]["text"]


@pytest.mark.slow
def test_a_kernel_that_hangs_up_and_lets_children_compute_is_lost_at_its_limit(kernel):
    """The kernel closes its shell's socket and lives on; what its children use is reported again and again."""
    source = (
        "import os, subprocess, sys\n"
        "for _ in range(2):\n"
        "    subprocess.Popen([sys.executable, '-c', 'while True: pass'])\n"
        "for number in range(3, 200):\n"
        "    try:\n        os.close(number)\n    except OSError:\n        pass\n"
        "while True: pass"
    )
    begun = time.monotonic()
    done = run(kernel, source, 3, 100)
    assert done.ended in ("died", "timed_out") and time.monotonic() - begun < 30, done


def test_a_kernel_that_sends_unsolicited_replies_is_lost(kernel):
    source = (
        "kernel = get_ipython().kernel\nimport time\n"
        "for _ in range(500):\n"
        "    kernel.session.send(kernel.shell_streams[0] if hasattr(kernel, 'shell_streams') else kernel.shell_stream,"
        " 'execute_reply', {'status': 'ok'}, ident=kernel._parent_ident['shell'])\n"
        "print('said')\ntime.sleep(1000)"
    )
    done = run(kernel, source, 60, 100)
    assert done.ended == "died", done.outputs
