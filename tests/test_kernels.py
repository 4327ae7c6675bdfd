"""Forked kernels: they compute, they are confined, and nothing of them is left."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgpack
import nbformat
import psutil
import pytest
from jupyter_client.manager import start_new_kernel
from jupyter_client.provisioning import KernelProvisionerFactory
from nbclient import NotebookClient
from student_kernel import computes, run, text
from waiting import wait_until

from coursekit.engine.shared import frames
from coursekit.engine.shared.outputs import OutputBudget

ROOT = Path(__file__).parent.parent
# For programs that start kernels of their own.
IMPORTS = """
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.outputs import OutputBudget
"""


def test_outputs_are_those_of_a_notebook(kernel):
    source = """
        import sys, matplotlib.pyplot as plt
        print('out'); print('err', file=sys.stderr)
        plt.plot([1, 2]); plt.show()
        40 + 2
    """
    done = run(kernel, source)
    kinds = [output["output_type"] for output in done.outputs]
    assert done.ended == "ok" and kinds == ["stream", "stream", "display_data", "execute_result"]
    assert done.outputs[2]["data"]["image/png"].startswith("iVBOR")
    assert done.outputs[3]["data"]["text/plain"] == "42"


def test_libraries_work_in_a_confined_kernel(kernel):
    source = """
        import numpy as np, torch
        torch.set_num_threads(2)
        a = torch.rand(600, 600, requires_grad=True)
        (a @ a).sum().backward()
        assert np.allclose(a.detach().numpy() @ a.detach().numpy(), (a @ a).detach().numpy(), atol=1e-2)
        torch.save(a, "tensor.pt")
        torch.equal(torch.load("tensor.pt"), a)
    """
    assert run(kernel, source).outputs[-1]["data"]["text/plain"] == "True"


def test_what_is_written_to_a_descriptor_stands_in_its_place(kernel):
    source = """
        import os
        print('a'); n = os.write(1, 'b ü\\n'.encode())
        print('c'); n = os.write(1, b'd\\n')
        3
    """
    for _ in range(40):
        done = run(kernel, source)
        assert text(done) == "a\nb ü\nc\nd\n" and done.outputs[-1]["data"] == {"text/plain": "3"}


def test_a_forked_process_leaves_the_kernels_pipe_alone(kernel):
    source = """
        import os, warnings
        warnings.simplefilter('ignore')  # about forks beside threads, from Python 3.12 on
        n = os.write(1, b'before\\n')
        if (child := os.fork()) == 0:
            print('child')
            os._exit(0)
        status = os.waitpid(child, 0)
        print('after')
    """
    for _ in range(5):
        printed = text(run(kernel, source)).splitlines()
        assert sorted(set(printed) - {"child"}) == ["after", "before"], printed


def test_a_program_that_floods_the_pipe_holds_up_no_cell(kernel):
    flood = "yes | head -c 50000000"  # less than MAX_BYTES, however long it takes to run the next cell
    assert run(kernel, f"import subprocess\nflood = subprocess.Popen({flood!r}, shell=True)").ended == "ok"
    assert run(kernel, "print('on'); print('and on')").ended == "ok"
    assert run(kernel, "ended = flood.wait()").ended == "ok"
    assert text(run(kernel, "print('done')")).endswith("done\n")


def test_a_closed_pipe_ends_nothing(kernel):
    source = """
        import os, stat, sys
        ours = sys.stdout._fid, sys.stderr._fid
        for n in range(1, 60):
            try:
                if stat.S_ISFIFO(os.fstat(n).st_mode) and n not in ours:
                    os.close(n)
            except OSError:
                pass
    """
    assert run(kernel, source).ended == "ok"
    assert text(run(kernel, "print(1)")) == "1\n"


def test_cells_run_after_an_error_and_after_tests(kernel):
    assert run(kernel, "x = 1\n1 / 0").outputs[-1]["ename"] == "ZeroDivisionError"
    kernel.serve()
    assert kernel.leave() == "ok" and text(run(kernel, "print(x)")) == "1\n"


@pytest.mark.parametrize("how", ["left", "died"])
def test_a_kernel_that_stops_serving_by_itself_is_noticed(kernel, how):
    kernel.serve()
    assert kernel.stopped_serving() == ""
    if how == "left":
        frames.send(kernel.wire, msgpack.packb(["bye"]))  # as if student code had ended it
    else:
        os.kill(kernel.process.pid, signal.SIGKILL)
        assert kernel.died(60)
    assert wait_until(kernel.stopped_serving) == kernel.leave() == how


def test_the_coordinator_receives_of_a_cell_only_what_it_waits_for(kernel, monkeypatch):
    """Neither its start nor its text: each message wakes the coordinator."""
    received, receive = [], kernel._receive
    monkeypatch.setattr(kernel, "_receive", lambda channel: received.append(receive(channel)) or received[-1])
    assert run(kernel, "x = 1").ended == "ok"
    assert sorted(kind for _, kind, _ in received if kind) == ["execute_reply", "status"]


def test_a_cell_is_transformed_anew_each_time(kernel):
    """IPython asks twice for the transformed text, which is kept for this run of the cell only."""
    run(kernel, "x = 1")
    cleanup = "get_ipython().input_transformers_cleanup"
    run(kernel, f"{cleanup}.append(lambda lines: [x.replace('1', '2') for x in lines])")
    assert text(run(kernel, "x = 1\nprint(x)")) == "2\n"
    run(kernel, f"{cleanup}.pop()")
    assert text(run(kernel, "x = 1\nprint(x)")) == "1\n"


def test_a_kernel_inherits_the_modules_that_every_fork_uses(kernel):
    """A server that leaves an import to its forks costs each of them some milliseconds."""
    modules = text(run(kernel, "import sys\nprint(*sys.modules)")).split()
    imported_by_the_server = modules[: modules.index("ipykernel.kernelapp")]
    assert {"coursekit.engine.supervisor.sandbox.confine", "torch"} <= set(imported_by_the_server)


def test_a_kernel_has_no_debugger_and_says_so(kernel):
    source = """
        import sys
        modules = [name for name in sys.modules if name.startswith(('debugpy', 'pydevd'))]
        print(modules, 'debugger' in get_ipython().kernel.kernel_info['supported_features'])
    """
    assert text(run(kernel, source)) == "[] False\n"


def test_shell_lines_magics_and_waiting_work(kernel):
    assert text(run(kernel, "!echo $((6 * 7))")) == "42\n"
    assert run(kernel, "%time 1").ended == "ok"
    waits = """
        import asyncio
        async def one(): yield 1
        await asyncio.sleep(0)
        async for x in one(): print(x)
    """
    assert text(run(kernel, waits)) == "1\n"
    assert "hello" in text(run(kernel, "import subprocess; subprocess.run(['echo', 'hello']); None"))


@pytest.mark.parametrize(
    "source",
    [
        f"open({str(ROOT / 'source' / 'week1_attention' / 'attention.ipynb')!r})",
        f"import os; os.listdir({str(ROOT)!r})",
        "open('/proc/GRADER/environ')",
        f"open({str(ROOT / 'trace')!r}, 'w')",
        "import socket; socket.create_connection(('127.0.0.1', 22))",
        "import os; os.kill(GRADER, 0)",
    ],
)
def test_the_kernel_cannot_reach_out(kernel, source):
    source = source.replace("GRADER", str(os.getpid()))
    assert run(kernel, source).outputs[-1]["ename"] in ("PermissionError", "OSError")


def test_the_environment_is_empty_of_ours(start_kernel, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "1")
    assert "SECRET" not in text(run(start_kernel(), "import os; print(dict(os.environ))"))


def test_memory_is_limited(kernel):
    done = run(kernel, "import numpy as np\nx = np.ones((1 << 20, 1 << 10))")
    assert "Memory" in done.outputs[-1]["ename"]
    assert text(run(kernel, "print('alive')")) == "alive\n"


@pytest.mark.parametrize(
    ("flood", "ended"),
    [
        ("for i in range(20_000): print(i, flush=True)", "ok"),
        ("while True: print('x' * 1000, flush=True)", "error"),
        ("import subprocess\nn = subprocess.run('yes | head -c 300000000', shell=True)", "ok"),
    ],
)
def test_a_flood_is_dropped_where_it_begins(kernel, flood, ended):
    """It takes no memory; what it used up of its notebook's budget is gone."""
    budget = OutputBudget(64)
    done = run(kernel, flood, 60, budget)
    assert done.ended == ended and "more than 64 KiB" in text(done) and len(text(done)) < 80_000
    assert run(kernel, "print('later')", budget=budget).outputs == []
    assert text(run(kernel, "print('later')")) == "later\n"
    assert kernel.memory_mb() < 200


@pytest.mark.slow
def test_a_flood_without_end_ends_like_any_other_cell(kernel):
    done = run(kernel, "while True: print(0, flush=True)", seconds=2, budget=1)
    assert done.ended == "timed_out" and "more than 1 KiB" in text(done) and done.seconds >= 2


@pytest.mark.slow
def test_a_flood_that_kernels_send_themselves_loses_no_cell(kernel):
    """Its output is no longer read, but it can end, and later cells have all of their time."""
    flood = "for i in range(9000): get_ipython().kernel.streams[0].limit(9, 9, 9); print(i, flush=True)"
    for source in (flood, f"{flood}\n{computes(1, 'process')}", computes(1, "process")):
        assert run(kernel, source, seconds=60, budget=16).ended == "ok"
    assert run(kernel, "while True: pass", seconds=2).seconds >= 2


def test_timeit_runs_its_statement_once(kernel):
    """IPython's own repeats it for up to 14 s, depending on the machine."""
    source = """
        calls = []
        def f():
            calls.append(1)
        %timeit f()
        %timeit -n 1000 -r 100 f()
        found = %timeit -q -o -n5 f()
        print(len(calls), found.average > 0)
    """
    done = run(kernel, source)
    assert "1 loop each" in text(done) and text(done).endswith("3 True\n"), text(done)
    assert run(kernel, "%%timeit calls.clear()\nf()").ended == "ok"
    assert text(run(kernel, "%time f()\nprint(len(calls))")).endswith("2\n")


DEEP = """
import sys, threading
sys.setrecursionlimit(10**6)
def deep(n):
    return n and max([n], key=lambda n: deep(n - 1))
# Python 3.12 and 3.13 end 10,000 calls in C, however large the stack is.
print(deep(3_000 if (3, 12) <= sys.version_info < (3, 14) else 20_000))
threads = [threading.Thread(target=threading.Event().wait, args=(5,)) for _ in range(200)]
for thread in threads: thread.start()
print(len(threads))
"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [1024, "unlimited"])
def test_a_kernels_stacks_do_not_depend_on_the_shell(size):
    """The `ulimit -s` of the shell from which grading is started is inherited by all processes."""
    program = f"""{IMPORTS}
with Servers() as servers:
    kernel = StudentKernel(servers, Limits())
    print(kernel.execute({DEEP!r}, 60, OutputBudget(16)))
    kernel.close()"""
    shell = ["sh", "-c", f'ulimit -S -s {size} && exec "$@"', "sh"]
    done = subprocess.run([*shell, sys.executable, "-c", program], capture_output=True, text=True)
    assert "000\\n200\\n'" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_other_kernels_leave_a_kernel_the_threads_that_it_needs(start_kernel):
    """Linux limits the threads of a user, of all kernels together."""
    source = """
        import threading, time
        for _ in range(235): threading.Thread(target=time.sleep, args=(30,)).start()
    """
    for _ in range(4):
        done = run(start_kernel(), source)
        assert done.ended == "ok" and not done.shared_limit, text(done)


@pytest.mark.parametrize(
    ("source", "shared"),
    [
        ("raise OSError(28, 'No space left on device')", True),
        ("try: raise BlockingIOError(11, 'x')\nexcept OSError as error: raise KeyError from error", True),
        ('raise RuntimeError("can\'t start new thread")', True),
        ("open('large', 'wb').write(bytes(300 << 20))", False),
        ("import threading\nwhile True: threading.Timer(9, print).start()", False),
        ("1 / 0", False),
    ],
)
def test_a_limit_that_all_share_is_reported(kernel, source, shared):
    """Another submission may have used up the disk, or the user's processes."""
    done = run(kernel, source)
    assert done.ended in ("error", "died") and done.shared_limit == shared, text(done)


@pytest.mark.parametrize(
    ("source", "ended", "left"),
    [
        ("print('a' + 'é' * 20_000_000)", "ok", r"aé+.*more than 16 KiB"),
        ("from IPython.display import HTML\nHTML('x' * 40_000_000)", "ok", r"Output left out: a single one"),
        ("raise ValueError('x' * 40_000_000)", "error", r"Output left out: a single one"),
    ],
)
def test_an_output_that_is_very_large_costs_only_itself(kernel, source, ended, left):
    done = run(kernel, source, budget=16)
    assert done.ended == ended and re.search(left, text(done), re.DOTALL)
    assert run(kernel, "1").ended == "ok" and text(run(kernel, "print('on')")) == "on\n"


def test_an_endless_cell_is_cut_and_its_descendants_are_killed(kernel):
    source = """
        import signal, subprocess, sys
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        children = [subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)']) for _ in range(3)]
        print(*[child.pid for child in children], flush=True)
        while True: pass
    """
    done = run(kernel, source, seconds=3)
    pids = [int(word) for word in text(done).split()]
    assert done.ended == "timed_out" and len(pids) == 3 and all(map(psutil.pid_exists, pids))
    kernel.close()
    assert not any(map(psutil.pid_exists, pids))


def test_orphans_die_with_the_kernel_and_scratch_goes(kernel):
    source = """
        import os, time, warnings
        warnings.simplefilter('ignore')  # about forks beside threads, from Python 3.12 on
        if os.fork() == 0:
            if os.fork() == 0:
                time.sleep(1000)
            os._exit(0)
        open('file', 'w').write('x'); print(os.getcwd())
    """
    scratch = Path(text(run(kernel, source)).split()[-1])
    assert (scratch / "file").exists()
    kernel.close()
    assert not scratch.exists()
    left = [item for item in psutil.process_iter(["cwd"]) if str(item.info["cwd"]).startswith(str(scratch))]
    assert left == []


def test_nothing_survives_the_grader():
    """The coordinator is killed outright: kernel, guardian, servers and folders go."""
    program = f"""{IMPORTS}
import threading, time
servers = Servers()
kernel = StudentKernel(servers, Limits())
threading.Thread(target=kernel.execute, args=('while True: pass', 1000, OutputBudget(1))).start()
print(servers.folder, flush=True)
time.sleep(1000)"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    folder = Path(process.stdout.readline().strip())
    tree = psutil.Process(process.pid).children(recursive=True)
    assert len(tree) >= 4 and folder.exists()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    _, alive = psutil.wait_procs(tree, timeout=20)
    assert [item for item in alive if item.status() != psutil.STATUS_ZOMBIE] == []
    assert not folder.exists()


def test_a_grader_that_dies_while_the_servers_start_leaves_no_folder():
    program = f"{IMPORTS}\nimport os\nprint(Servers().folder, flush=True)\nos._exit(1)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("course-servers-")
    wait_until(lambda: not folder.exists())


@pytest.fixture
def fresh_factory(monkeypatch):
    """Jupyter starts forked kernels; its factory of provisioners reads its settings once per process."""
    monkeypatch.setenv("JUPYTER_DEFAULT_PROVISIONER_NAME", "coursekit-fork")
    KernelProvisionerFactory.clear_instance()
    yield
    KernelProvisionerFactory.clear_instance()


@pytest.mark.slow
def test_any_jupyter_client_can_have_a_forked_kernel(fresh_factory, tmp_path):
    (tmp_path / "beside.txt").write_text("read me")
    cells = ["print(open('beside.txt').read())", "open('new.txt', 'w')", "import os; print(os.getpid())"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, allow_errors=True, resources=resources, kernel_name="python3").execute()
    shown = {"iopub.status.busy", "iopub.execute_input", "iopub.status.idle"}  # while a cell runs
    assert all(shown <= cell.metadata.execution.keys() for cell in notebook.cells)
    read, write, where = (cell.outputs[0] for cell in notebook.cells)
    assert read["text"] == "read me\n"
    assert write["ename"] == "PermissionError"
    assert not psutil.pid_exists(int(where["text"])), "the kernel outlives its client"


@pytest.mark.slow
def test_a_jupyter_client_can_interrupt_and_restart_a_forked_kernel(fresh_factory):
    manager, client = start_new_kernel(startup_timeout=60)
    try:
        client.execute("while True: pass")
        while client.get_iopub_msg(timeout=60)["msg_type"] != "execute_input":
            pass
        manager.interrupt_kernel()
        assert client.get_shell_msg(timeout=60)["content"]["ename"] == "KeyboardInterrupt"
        manager.restart_kernel(now=True)
        client.wait_for_ready(timeout=60)
        assert manager.is_alive()
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert not manager.is_alive()
