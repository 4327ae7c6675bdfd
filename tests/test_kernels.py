"""Forked kernels: they compute, they are confined, and nothing of them is left."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgpack
import nbformat
import psutil
import pytest
from jupyter_client.provisioning import KernelProvisionerFactory
from nbclient import NotebookClient
from warm import MODULES

from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared import frames
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.outputs import OutputBudget
from coursekit.engine.supervisor.process_tree import descendants

ROOT = Path(__file__).parent.parent
COMPUTES = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass"


@pytest.fixture
def kernel(servers):
    started = StudentKernel(servers, Limits(memory_mb=1024))
    yield started
    started.close()


def run(kernel, source, seconds=20, room=None):
    return kernel.execute(source, seconds, room or OutputBudget(1024))


def text(execution):
    return "".join(output.get("text", "") for output in execution.outputs)


def test_outputs_are_those_of_a_notebook(kernel):
    done = run(
        kernel,
        "import sys, matplotlib.pyplot as plt\n"
        "print('out'); print('err', file=sys.stderr)\nplt.plot([1, 2]); plt.show()\n40 + 2",
    )
    kinds = [output["output_type"] for output in done.outputs]
    assert done.ended == "ok" and kinds == ["stream", "stream", "display_data", "execute_result"]
    assert done.outputs[2]["data"]["image/png"].startswith("iVBOR")
    assert done.outputs[3]["data"]["text/plain"] == "42"


def test_what_is_written_to_a_descriptor_stands_in_its_place(kernel):
    source = (
        "import os\nprint('a')\nn = os.write(1, 'b ü\\n'.encode())\nprint('c')\nn = os.write(1, b'd\\n')\n3"
    )
    for _ in range(40):
        done = run(kernel, source)
        assert text(done) == "a\nb ü\nc\nd\n" and done.outputs[-1]["data"] == {"text/plain": "3"}


def test_a_forked_process_leaves_the_kernels_pipe_alone(kernel):
    source = (
        "import os\nnobody = os.write(1, b'before\\n')\nif (child := os.fork()) == 0:\n    print('child')\n"
        "    os._exit(0)\nstatus = os.waitpid(child, 0)\nprint('after')"
    )
    for _ in range(5):
        printed = text(run(kernel, source)).splitlines()
        assert sorted(set(printed) - {"child"}) == ["after", "before"], printed


def test_a_program_that_floods_the_pipe_holds_up_no_cell(kernel):
    flood = "yes | head -c 50000000"  # less than what a kernel is heard, however long it takes us to go on
    assert run(kernel, f"import subprocess\nflood = subprocess.Popen({flood!r}, shell=True)").ended == "ok"
    assert run(kernel, "print('on'); print('and on')").ended == "ok"
    assert run(kernel, "ended = flood.wait()").ended == "ok"
    assert text(run(kernel, "print('done')")).endswith("done\n")


def test_a_closed_pipe_ends_nothing(kernel):
    source = (
        "import os, stat, sys\nours = sys.stdout._fid, sys.stderr._fid\nfor n in range(1, 60):\n    try:\n"
        "        if stat.S_ISFIFO(os.fstat(n).st_mode) and n not in ours:\n            os.close(n)\n"
        "    except OSError:\n        pass"
    )
    assert run(kernel, source).ended == "ok"
    assert text(run(kernel, "print(1)")) == "1\n"


def test_an_error_does_not_end_the_kernel(kernel):
    assert run(kernel, "x = 1\n1 / 0").outputs[-1]["ename"] == "ZeroDivisionError"
    assert text(run(kernel, "print(x)")) == "1\n"


def test_cells_run_again_after_tests(kernel):
    kernel.serve()
    assert kernel.leave() == "ok" and text(run(kernel, "print(1)")) == "1\n"


def test_a_kernel_that_stops_serving_by_itself_is_noticed(kernel):
    kernel.serve()
    assert kernel.astray() == ""
    frames.send(kernel.wire, msgpack.packb(["bye"]))  # as if the student's code had ended it
    deadline = time.monotonic() + 60
    while not kernel.astray() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert kernel.astray() == kernel.leave() == "left"


def test_a_kernel_that_dies_between_tests_is_noticed(kernel):
    kernel.serve()
    os.kill(kernel.lease.pid, signal.SIGKILL)
    assert kernel.died(60) and kernel.astray() == kernel.leave() == "died"


def test_the_coordinator_hears_of_a_cell_what_it_waits_for(kernel, monkeypatch):
    """Neither that it has begun nor its text: each message wakes the coordinator."""
    heard, receive = [], kernel._receive

    def listen(channel):
        heard.append(receive(channel))
        return heard[-1]

    monkeypatch.setattr(kernel, "_receive", listen)
    assert run(kernel, "x = 1").ended == "ok"
    assert sorted(kind for _, kind, _ in heard if kind) == ["execute_reply", "status"]


def test_a_cell_is_prepared_anew_each_time(kernel):
    """The kernel asks for a cell's preparation twice; what it remembers in between is of this run of the cell."""
    run(kernel, "x = 1")
    run(
        kernel,
        "get_ipython().input_transformers_cleanup.append(lambda rows: [row.replace('1', '2') for row in rows])",
    )
    assert text(run(kernel, "x = 1\nprint(x)")) == "2\n"
    run(kernel, "get_ipython().input_transformers_cleanup.pop()")
    assert text(run(kernel, "x = 1\nprint(x)")) == "1\n"


def test_a_cell_is_read_once(kernel):
    """IPython looks first whether a cell is Python, and then runs it: Python's parser need not read it for both."""
    watched = (
        "import ast, builtins\nread, real = [], compile\n"
        "def watching(source, filename, mode, flags=0, *rest, **named):\n"
        "    if flags & ast.PyCF_ONLY_AST: read.append(source)\n"
        "    return real(source, filename, mode, flags, *rest, **named)\n"
        "builtins.compile = watching"
    )
    assert run(kernel, watched).ended == "ok"
    assert text(run(kernel, "one = 1")) == ""
    assert (
        text(run(kernel, "builtins.compile = real\nprint([*map(str.strip, read)].count('one = 1'))")) == "1\n"
    )


def test_what_python_says_of_a_cell_is_said_when_it_is_run(kernel):
    for _ in range(2):  # the parser warns of the first line, the compiler of the second
        warned = text(run(kernel, "x = '\\d'\n1 is 1"))
        assert warned.count('"is" with a literal') == 1, warned
        # Which older versions say to nobody.
        assert warned.count("invalid escape sequence") == (sys.version_info >= (3, 12)), warned


def test_a_tree_that_something_changed_is_not_used_again(kernel):
    assert text(run(kernel, "print(40 + 2)")) == "42\n"
    doubling = (
        "import ast\nclass Double(ast.NodeTransformer):\n    def visit_Constant(self, node):\n"
        "        twice = node.value * 2 if type(node.value) is int else node.value\n"
        "        return ast.copy_location(ast.Constant(twice), node)\n"
        "get_ipython().ast_transformers.append(Double())"
    )
    assert run(kernel, doubling).ended == "ok"
    assert [text(run(kernel, "print(40 + 2)")) for _ in range(2)] == ["84\n", "84\n"]
    inner = "result = get_ipython().run_cell('print(1)'); result = get_ipython().run_cell('print(1)')"
    assert text(run(kernel, inner)) == "2\n2\n"


@pytest.mark.slow
def test_the_servers_memory_is_in_large_pages():
    """Of servers that nobody has used: each fork that lives while its server writes something splits some again."""
    release = tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2])
    if release < (6, 1) or not Path("/sys/kernel/mm/transparent_hugepage").exists():
        pytest.skip("this kernel does not make large pages when it is asked to")

    def mostly_large(pid):
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        of = {line.split()[0]: int(line.split()[1]) for line in rollup.splitlines() if line.endswith("kB")}
        return of["AnonHugePages:"] > of["Anonymous:"] / 2

    with Servers(modules=MODULES) as servers:
        StudentKernel(servers, Limits(memory_mb=1024)).close()
        students = servers._generation._process.pid
        _, examiners = descendants(students)[:2]  # the readers' is small
        for pid in (students, examiners):
            deadline = time.monotonic() + 60  # it is done when nobody asks for a fork
            while not mostly_large(pid):
                assert time.monotonic() < deadline
                time.sleep(0.1)


def test_a_first_error_finds_what_tracebacks_need(servers):
    """Python's list of module files takes longest, and a kernel that has to make it has to look at each of them."""
    deadline = time.monotonic() + 60
    known = ""
    while known != "True\n":  # it is done when nobody asks for a fork
        assert time.monotonic() < deadline
        started = StudentKernel(servers, Limits(memory_mb=1024))
        known = text(run(started, "import inspect\nprint(len(inspect.modulesbyfile) > 500)"))
        started.close()


def test_a_kernel_has_no_debugger_and_says_so(kernel):
    source = (
        "import sys\nprint([name for name in sys.modules if name.startswith(('debugpy', 'pydevd'))], "
        "'debugger' in get_ipython().kernel.kernel_info['supported_features'])"
    )
    assert text(run(kernel, source)) == "[] False\n"


def test_shell_lines_and_magics_work(kernel):
    assert text(run(kernel, "!echo $((6 * 7))")) == "42\n"
    assert run(kernel, "%time 1").ended == "ok"
    assert run(kernel, "import asyncio\nawait asyncio.sleep(0)").ended == "ok"
    assert "hello" in text(run(kernel, "import subprocess; subprocess.run(['echo', 'hello']); None"))


@pytest.mark.parametrize(
    "source",
    [
        f"open({str(ROOT / 'source' / 'week1_attention' / 'attention.ipynb')!r})",
        f"import os; os.listdir({str(ROOT)!r})",
        "open('/etc/passwd')",
        "open('/proc/GRADER/environ')",
        "open('/proc/GRADER/cmdline')",
        f"open({str(ROOT / 'trace')!r}, 'w')",
        "import socket; socket.create_connection(('127.0.0.1', 22))",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import os; os.kill(GRADER, 0)",
        "import os; os.kill(os.getppid(), 9)",
    ],
)
def test_the_kernel_cannot_reach_out(kernel, source):
    source = source.replace("GRADER", str(os.getpid()))
    assert run(kernel, source).outputs[-1]["ename"] in ("PermissionError", "OSError")


def test_the_environment_is_empty_of_ours(servers, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "1")
    kernel = StudentKernel(servers, Limits())
    try:
        assert "SECRET" not in text(run(kernel, "import os; print(dict(os.environ))"))
    finally:
        kernel.close()


def test_memory_is_limited(kernel):
    done = run(kernel, "import numpy as np\nx = np.ones((1 << 20, 1 << 10))")
    assert "Memory" in done.outputs[-1]["ename"]
    assert text(run(kernel, "print('alive')")) == "alive\n"


def test_output_is_cut_while_it_streams(kernel):
    room = OutputBudget(64)
    done = run(kernel, "for i in range(20000): print('x' * 100)", room=room)
    assert done.ended == "ok" and len(text(done)) < 80_000 and "more than 64 KiB" in text(done)
    assert run(kernel, "print('later')", room=room).outputs == []


@pytest.mark.parametrize(
    ("flood", "ended"),
    [
        ("for i in range(20_000): print(i, flush=True)", "ok"),
        ("while True: print('x' * 1000, flush=True)", "error"),
        ("import subprocess\nn = subprocess.run('yes | head -c 300000000', shell=True)", "ok"),
    ],
)
def test_a_flood_is_dropped_where_it_begins(kernel, flood, ended):
    """And takes neither memory nor its own output from what comes behind it."""
    done = run(kernel, flood, seconds=60, room=OutputBudget(64))
    assert done.ended == ended and "more than 64 KiB" in text(done)
    assert text(run(kernel, "print('later')")) == "later\n"
    assert kernel.memory_mb() < 200


@pytest.mark.slow
def test_a_flood_that_kernels_send_themselves_loses_no_cell(kernel):
    """Nothing more is heard of it, but it can end, and what comes behind it has all of its time."""
    flood = "for i in range(9000): get_ipython().kernel.streams[0].limit(9, 9, 9); print(i, flush=True)"
    assert run(kernel, flood, seconds=60, room=OutputBudget(16)).ended == "ok"
    assert run(kernel, f"{flood}\n{COMPUTES.format(1)}", seconds=60, room=OutputBudget(16)).ended == "ok"
    assert run(kernel, COMPUTES.format(1), seconds=60).ended == "ok"
    assert run(kernel, "while True: pass", seconds=2).seconds >= 2


def test_timeit_runs_its_statement_once(kernel):
    """IPython's own repeats it for as long as the machine lets it, up to 14 s."""
    source = (
        "calls = []\ndef f():\n    calls.append(1)\n%timeit f()\n%timeit -n 1000 -r 100 f()\n"
        "found = %timeit -q -o -n5 f()\nprint(len(calls), found.average > 0)"
    )
    done = run(kernel, source)
    assert "1 loop each" in text(done) and text(done).endswith("3 True\n"), text(done)
    done = run(kernel, "%%timeit calls.clear()\nf()")
    assert done.ended == "ok" and text(run(kernel, "%time f()\nprint(len(calls))")).endswith("2\n")


DEEP = (
    "import sys, threading\nsys.setrecursionlimit(10**6)\n"
    "def deep(n):\n    return n and max([n], key=lambda n: deep(n - 1))\n"
    "print(deep(20_000))\n"
    "threads = [threading.Thread(target=threading.Event().wait, args=(5,)) for _ in range(200)]\n"
    "for thread in threads: thread.start()\nprint(len(threads))"
)


@pytest.mark.slow
@pytest.mark.parametrize("stack_mb", [1, 8, 64, None])
def test_a_kernels_stacks_do_not_depend_on_the_shell(stack_mb):
    """`ulimit -s` of the shell that started the grader is inherited by all that it starts."""
    program = (
        "import resource\nfrom coursekit.engine.coordinator.kernel_client import StudentKernel\n"
        "from coursekit.engine.coordinator.servers import Servers\nfrom coursekit.engine.shared.limits import Limits\n"
        "from coursekit.engine.shared.outputs import OutputBudget\nwith Servers() as servers:\n"
        f"    kernel = StudentKernel(servers, Limits())\n    print(kernel.execute({DEEP!r}, 60, OutputBudget(16)))\n"
        "    kernel.close()"
    )
    size = "unlimited" if stack_mb is None else stack_mb << 10
    shell = ["sh", "-c", f'ulimit -S -s {size} && exec "$@"', "sh"]
    done = subprocess.run([*shell, sys.executable, "-c", program], capture_output=True, text=True)
    assert "'20000\\n200\\n'" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_neighbours_leave_a_kernel_the_threads_that_it_needs(servers):
    """Linux counts those of a user, of all kernels together."""
    waiting = (
        "import threading, time\nfor _ in range({}): threading.Thread(target=time.sleep, args=(30,)).start()"
    )
    neighbours = [StudentKernel(servers, Limits()) for _ in range(3)]
    kernel = StudentKernel(servers, Limits())
    try:
        assert [run(item, waiting.format(235)).ended for item in neighbours] == ["ok"] * 3
        done = run(kernel, waiting.format(235))
        assert done.ended == "ok" and not done.shared_limit, text(done)
    finally:
        for item in (*neighbours, kernel):
            item.close()


@pytest.mark.parametrize(
    ("source", "shared"),
    [
        ("raise OSError(28, 'No space left on device')", True),
        (
            "try:\n    raise BlockingIOError(11, 'again')\nexcept OSError as error:\n    raise KeyError from error",
            True,
        ),
        ('raise RuntimeError("can\'t start new thread")', True),
        ("open('large', 'wb').write(bytes(300 << 20))", False),
        (
            "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
            False,
        ),
        ("1 / 0", False),
    ],
)
def test_a_limit_that_all_share_is_told(kernel, source, shared):
    """A neighbour may have used up the disk, or the user's processes."""
    done = run(kernel, source)
    assert done.ended in ("error", "died") and done.shared_limit == shared, text(done)


@pytest.mark.slow
def test_a_flood_without_end_ends_like_any_other_cell(kernel):
    """And what comes behind it has its own time, and is told the truth about it."""
    done = run(kernel, "while True: print(0, flush=True)", seconds=2, room=OutputBudget(1))
    assert done.ended == "timed_out" and "more than 1 KiB" in text(done) and done.seconds >= 2


@pytest.mark.parametrize(
    ("source", "ended", "left"),
    [
        ("print('a' + 'é' * 20_000_000)", "ok", r"aé+.*more than 16 KiB"),
        ("from IPython.display import HTML\nHTML('x' * 40_000_000)", "ok", r"Output left out: a single one"),
        ("raise ValueError('x' * 40_000_000)", "error", r"Output left out: a single one"),
    ],
)
def test_an_output_that_is_very_large_costs_only_itself(kernel, source, ended, left):
    done = run(kernel, source, room=OutputBudget(16))
    assert done.ended == ended and re.search(left, text(done), re.DOTALL)
    assert run(kernel, "1").ended == "ok" and text(run(kernel, "print('on')")) == "on\n"


def test_a_full_scratch_folder_ends_the_kernel(kernel):
    source = (
        "for i in range(20):\n    open(f'{i}', 'wb').write(bytes(100 << 20))\nimport time; time.sleep(60)"
    )
    done = run(kernel, source, seconds=60)
    assert (done.ended, done.why) == ("died", "scratch")


def test_a_crash_is_reported(kernel):
    done = run(kernel, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert (done.ended, done.why) == ("died", "exited")


def test_an_endless_cell_is_cut_and_its_family_is_killed(servers):
    kernel = StudentKernel(servers, Limits())
    source = (
        "import signal, subprocess, sys\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "children = [subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)']) for _ in range(3)]\n"
        "print(*[child.pid for child in children], flush=True)\nwhile True: pass"
    )
    done = run(kernel, source, seconds=3)
    pids = [int(word) for word in text(done).split()]
    assert done.ended == "timed_out" and len(pids) == 3 and all(map(psutil.pid_exists, pids))
    kernel.close()
    assert not any(map(psutil.pid_exists, pids))


def test_orphans_die_with_the_kernel_and_scratch_goes(servers):
    kernel = StudentKernel(servers, Limits())
    source = (
        "import os, time\nif os.fork() == 0:\n    if os.fork() == 0:\n        time.sleep(1000)\n    os._exit(0)\n"
        "open('file', 'w').write('x'); print(os.getcwd())"
    )
    scratch = Path(text(run(kernel, source)).split()[-1])
    assert (scratch / "file").exists()
    kernel.close()
    assert not scratch.exists()
    left = [item for item in psutil.process_iter(["cwd"]) if str(item.info["cwd"]).startswith(str(scratch))]
    assert left == []


def test_too_many_processes_end_the_kernel(servers):
    kernel = StudentKernel(servers, Limits())
    source = "import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n        time.sleep(100)\ntime.sleep(100)"
    done = run(kernel, source, seconds=20)
    kernel.close()
    assert (done.ended, done.why) == ("died", "processes")


def test_families_have_a_memory_limit_too(servers):
    kernel = StudentKernel(servers, Limits(memory_mb=300))
    source = (
        "import os, time\nfor _ in range(6):\n    if os.fork() == 0:\n"
        "        hoard = b'x' * (200 << 20)\n        time.sleep(100)\ntime.sleep(100)"
    )
    done = run(kernel, source, seconds=20)
    kernel.close()
    assert (done.ended, done.why) == ("died", "memory")


def test_nothing_survives_the_grader(tmp_path):
    """The process that leased a kernel is killed outright: kernel, guardian, servers and folders go."""
    program = (
        "from coursekit.engine.shared.limits import Limits\n"
        "from coursekit.engine.coordinator.kernel_client import StudentKernel\n"
        "from coursekit.engine.coordinator.servers import Servers\n"
        "from coursekit.engine.shared.outputs import OutputBudget\n"
        "import threading, time\nservers = Servers()\nkernel = StudentKernel(servers, Limits())\n"
        "threading.Thread(target=kernel.execute, args=('while True: pass', 1000, OutputBudget(1))).start()\n"
        "print(servers.folder, flush=True)\ntime.sleep(1000)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    folder = Path(process.stdout.readline().strip())
    family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 4 and folder.exists()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and (any(item.is_running() for item in family) or folder.exists()):
        time.sleep(0.05)
    assert not any(item.is_running() and item.status() != psutil.STATUS_ZOMBIE for item in family)
    assert not folder.exists()


def test_a_grader_that_dies_while_the_servers_warm_up_leaves_no_folder():
    program = (
        "from coursekit.engine.coordinator.servers import Servers\nimport os\n"
        "print(Servers().folder, flush=True)\nos._exit(1)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    folder = Path(done.stdout.strip())
    deadline = time.monotonic() + 60
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert folder.name.startswith("course-servers-") and not folder.exists()


@pytest.fixture
def fresh_factory():
    """Jupyter's factory of provisioners reads its settings once a process."""
    KernelProvisionerFactory.clear_instance()
    yield
    KernelProvisionerFactory.clear_instance()


@pytest.mark.slow
def test_any_jupyter_client_can_have_a_forked_kernel(fresh_factory, monkeypatch, tmp_path):
    monkeypatch.setenv("JUPYTER_DEFAULT_PROVISIONER_NAME", "coursekit-fork")
    (tmp_path / "beside.txt").write_text("read me")
    cells = ["print(open('beside.txt').read())", "open('new.txt', 'w')", "import sys; print(sys.executable)"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, allow_errors=True, resources=resources, kernel_name="python3").execute()
    for cell in notebook.cells:  # what a person is shown beside a cell while it runs
        assert {
            "iopub.status.busy",
            "iopub.execute_input",
            "iopub.status.idle",
        } <= cell.metadata.execution.keys()
    read, write, where = (cell.outputs[0] for cell in notebook.cells)
    assert read["text"] == "read me\n"
    assert write["ename"] == "PermissionError"
    assert where["text"].strip() == sys.executable
