"""`tutor` in the notebook: what an assistant gets to know, what it must not, and the hints where there is none."""

import json
import sys
import threading
from dataclasses import replace
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

import pytest
from quick import first

from coursekit.authoring.publish import tutor
from coursekit.authoring.publish.leaks import Secrets
from coursekit.course.config import open_course
from coursekit.engine.shared.master import fill

COURSE = open_course(Path(__file__).parent.parent)
WEEK = COURSE.weeks[0]
MASTER = COURSE.master(WEEK)
TEXT = tutor.context(COURSE, WEEK)
HALF = {"causal_mask": "def causal_mask(length):\n    return 'mine, and wrong'"}
TESTS = {cell.grade_id: cell.source for cell in MASTER.cells if cell.role == "test"}


class Assistant:
    """A server on loopback that speaks OpenAI's protocol and has the published course beside it."""

    def __init__(self):
        self.asked, self.keys, self.files = [], [], {f"/{WEEK.name}/tutor.txt": TEXT}
        self.answer = {"choices": [{"message": {"role": "assistant", "content": "Which *shape* has it?"}}]}
        assistant = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                assert self.path == "/v1/chat/completions", self.path
                length = int(self.headers["Content-Length"])
                assistant.asked.append(json.loads(self.rfile.read(length)))
                assistant.keys.append(self.headers.get("Authorization"))
                self.reply(200, json.dumps(assistant.answer))

            def do_GET(self):
                text = assistant.files.get(self.path)
                self.reply(404 if text is None else 200, text or "")

            def reply(self, status, text):
                self.send_response(status)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def assistant(tools, monkeypatch):
    """The course's own assistant, named in the notebook; nothing else can be reached."""
    started = Assistant()
    for proxy in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "TUTOR_KEY"):
        monkeypatch.delenv(proxy, raising=False)
    tools |= {"PUBLISHED": f"{started.address}/", "TUTOR_ADDRESS": f"{started.address}/v1/"}
    tools["TUTOR_MODEL"] = "small"
    yield started
    started.server.shutdown()
    started.server.server_close()


@pytest.fixture
def shown(tools, monkeypatch):
    """What is displayed as Markdown, in a list."""
    import IPython.display

    texts = []
    monkeypatch.setattr(IPython.display, "display", lambda item: texts.append(item.data))
    return texts


def notebook_beside(tmp_path, answers=HALF):
    (tmp_path / "attention.ipynb").write_bytes(fill(MASTER, answers))


def test_it_gets_rules_and_notebook_and_no_answer_of_the_student(tools, assistant, shown, tmp_path):
    notebook_beside(tmp_path)
    tools["tutor"]("why is my mask upside down?")
    (asked,) = assistant.asked
    assert asked["model"] == "small"
    system, question = asked["messages"]
    assert system == {"role": "system", "content": TEXT}
    assert question == {"role": "user", "content": "why is my mask upside down?"}
    assert "mine, and wrong" not in json.dumps(asked)
    assert shown[0].startswith("Which *shape* has it?") and "can be wrong" in shown[0]
    assert assistant.address in shown[0] and assistant.keys == [None]


def test_it_sees_the_named_cell_and_the_conversation(tools, assistant, shown, tmp_path, monkeypatch):
    notebook_beside(tmp_path)
    monkeypatch.setenv("TUTOR_KEY", "a key")
    tools["tutor"]("first")
    tools["tutor"]("and this?", cell="causal_mask")
    roles = [(message["role"], message["content"]) for message in assistant.asked[1]["messages"]]
    assert roles[1:3] == [("user", "first"), ("assistant", "Which *shape* has it?")]
    assert roles[3][1].startswith("and this?") and "mine, and wrong" in roles[3][1]
    assert assistant.keys == ["Bearer a key"] * 2
    for _ in range(9):
        tools["tutor"]("and?")
    assert len(assistant.asked[-1]["messages"]) == 8, "the rules, three exchanges and the question"


def test_a_cell_that_is_not_there(tools, assistant, shown, tmp_path, capsys):
    notebook_beside(tmp_path)
    tools["tutor"]("why?", cell="causalmask")
    wanted = (
        "There is no answer cell named causalmask. Found in this notebook: softmax, attention, causal_mask"
    )
    assert wanted in capsys.readouterr().out and assistant.asked == []


def test_no_question(tools, assistant, capsys):
    tools["tutor"]("  ")
    assert "Type a question" in capsys.readouterr().out and assistant.asked == []


def test_colabs_own_assistant_where_the_course_names_none(tools, assistant, colab, shown, monkeypatch):
    asked = []
    ai = ModuleType("google.colab.ai")
    ai.generate_text = lambda prompt: asked.append(prompt) or "What did you expect?"
    monkeypatch.setattr(colab, "ai", ai, raising=False)
    monkeypatch.setitem(sys.modules, "google.colab.ai", ai)
    tools["TUTOR_ADDRESS"] = ""
    tools["tutor"]("why?")
    assert asked[0].startswith("system: You help a student") and asked[0].endswith("user: why?")
    assert "What did you expect?" in shown[0] and "Colab's own assistant" in shown[0]
    assert assistant.asked == []


WHY = {
    "no assistant": "There is no assistant in this session",
    "not its protocol": "The assistant does not answer (KeyError)",
    "no rules": "The tutor's rules cannot be read from here",
    "no network": "The tutor's rules cannot be read from here",
}


@pytest.mark.parametrize("broken", WHY)
def test_the_hints_come_where_no_assistant_answers(broken, tools, assistant, shown, tmp_path, capsys):
    """One by one, for the first question whose tests do not pass."""
    notebook_beside(tmp_path)
    if broken == "no assistant":
        tools["TUTOR_ADDRESS"] = ""
    elif broken == "not its protocol":
        assistant.answer = {"error": "quota"}
    elif broken == "no rules":
        assistant.files.clear()
    else:
        tools["PUBLISHED"] = tools["TUTOR_ADDRESS"] = "http://127.0.0.1:9/"
    for _ in range(4):
        tools["tutor"]("help")
    said = capsys.readouterr().out
    assert said.count("From the notebook itself:") == 4
    assert said.count(WHY[broken]) == 4, said
    assert [text.partition("**Hint")[2][:3] for text in shown] == [" 1:", " 2:", " 3:", ""]
    assert all("Question 1. A stable softmax" in text and "`softmax_rows`" in text for text in shown)
    assert "no exponent is above 0" in shown[0] and "no exponent is above 0" not in shown[1]
    assert "all of its hints" in shown[3]

    exec(MASTER.solutions["softmax"], tools)
    tools["In"] += [TESTS[test] for test in ("softmax_rows", "softmax_axis", "softmax_large")]
    tools["tutor"]("and now?")
    assert "Question 2." in shown[4] and "**Hint 1:" in shown[4] and "attention_worked" in shown[4]


def test_nothing_is_left_to_hint_at(tools, assistant, shown, tmp_path, capsys):
    assistant.files.clear()
    notebook_beside(tmp_path, {})
    for source in MASTER.solutions.values():
        exec(source, tools)
    tools["In"] += [source for source in TESTS.values() if "HIDDEN" not in source]
    tools["tutor"]("and now?")
    assert shown == ["All visible tests pass, so no hint is left."]


def test_a_notebook_that_cannot_be_read(tools, assistant, shown, capsys):
    assistant.files.clear()
    tools["tutor"]("help")
    assert "cannot be read from here" in capsys.readouterr().out and shown == []


@cache
def secrets_of(weeks):
    """All that publishing keeps back of these weeks."""
    return Secrets(replace(COURSE, weeks=weeks))


@pytest.mark.parametrize(
    ("week", "secret_weeks"),
    first(1, [(WEEK, (WEEK,)), *((week, COURSE.weeks) for week in COURSE.weeks)]),
    ids=lambda value: f"secrets of {len(value)}" if isinstance(value, tuple) else value.name,
)
def test_the_context_shows_nothing_that_students_must_not_see(week, secret_weeks):
    """And what it does show is the whole lesson: each question, each stub, each visible test."""
    hidden = secrets_of(secret_weeks)
    text = tutor.context(COURSE, week)
    master = COURSE.master(week)
    assert hidden.find(f"{week.name}/{tutor.NAME}", text.encode()) == []
    for question in master.questions:
        assert question.title in text
    assert text.count("raise NotImplementedError") >= len(master.solutions)
    planted = text + "\n" + next(iter(master.solutions.values()))
    assert hidden.find(f"{week.name}/{tutor.NAME}", planted.encode())
