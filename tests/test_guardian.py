"""What a guardian must see, and what it must be able to remove."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest
from quick import first
from student_kernel import run, text
from waiting import wait_until

from coursekit.engine.coordinator import forked_process
from coursekit.engine.supervisor import process_tree, scratch

# What each cell does that its guardian must notice; the cell waits afterwards. {name: (why it is ended, source)}
PILES = {
    "files": ("scratch", "for i in range(20): open(f'{i}', 'wb').write(bytes(100 << 20))"),
    "processes": ("processes", "import os\nfor _ in range(200):\n    if os.fork() == 0: break"),
    "memory": (
        "memory",
        """
        import os
        for _ in range(6):
            if os.fork() == 0:
                hoard = b"x" * (200 << 20)
                break
        """,
    ),
    "threads": (
        "processes",
        """
        import threading, time
        threading.stack_size(65536)
        try:
            for _ in range(2000):
                threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
        except RuntimeError:
            pass
        """,
    ),
    "shared memory": (
        "memory",
        """
        import mmap, os
        for _ in range(6):
            if os.fork() == 0:
                block = mmap.mmap(-1, 200 << 20)
                for place in range(0, len(block), 4096):
                    block[place] = 1
                break
        """,
    ),
    "files without a name": (
        "scratch",
        """
        import os
        files = []
        for number in range(4):
            files.append(open(f"{number}", "wb"))
            os.unlink(f"{number}")
            files[-1].write(bytes(100 << 20))
            files[-1].flush()
        """,
    ),
    "mapped files without a name": (
        "scratch",
        """
        import mmap, os
        maps = []
        for number in range(4):
            with open(f"{number}", "w+b") as file:
                os.unlink(f"{number}")
                file.write(bytes(100 << 20))
                file.flush()
                maps.append(mmap.mmap(file.fileno(), 4096))
        """,
    ),
    "folders": ("scratch", "import os\nfor number in range(11_000): os.mkdir(f'{number}')"),
    "folders in folders": (
        "scratch",
        "import os\nfor number in range(5_000):\n    os.mkdir('a' * 200)\n    os.chdir('a' * 200)\n"
        "open('below', 'w').write('x')",
    ),
    "sockets": (
        "descriptors",
        """
        import os, socket
        for _ in range(8):
            if os.fork() == 0:
                pairs = []
                try:
                    while True:
                        pairs.append(socket.socketpair())
                except OSError:
                    break
        """,
    ),
    "epoll entries": (
        "descriptors",
        """
        import os, select
        files = [os.pipe()[0] for _ in range(40)]
        lists = [select.epoll() for _ in range(6)]
        for poll in lists:
            for file in files:
                for number in range(150, 240):
                    os.dup2(file, number)
                    poll.register(number, select.EPOLLIN)
                    os.close(number)
        """,
    ),
    "an invisible child": (
        "processes",
        """
        import os, shutil, subprocess
        hidden = os.open("hidden", os.O_CREAT | os.O_WRONLY, 0o100)
        with open("/usr/bin/sleep", "rb") as file, open(hidden, "wb") as mine:
            shutil.copyfileobj(file, mine)
        subprocess.Popen(["./hidden", "100"])
        """,
    ),
    "a crash": ("exited", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"),
}


@pytest.mark.parametrize("pile", first(5, PILES))
def test_a_process_tree_that_exceeds_a_limit_is_ended(start_kernel, pile):
    why, source = PILES[pile]
    if pile == "an invisible child" and os.getuid() == 0:
        pytest.skip("nothing is invisible to root")
    kernel = start_kernel(memory_mb=600)
    folder = Path(os.readlink(f"/proc/{kernel.process.pid}/cwd"))
    done = run(kernel, textwrap.dedent(source) + "\nimport time\ntime.sleep(100)", 60)
    kernel.close()
    assert (done.ended, done.why) == ("died", why), done.outputs
    assert not folder.exists()


@pytest.mark.slow
def test_an_ordinary_process_tree_is_left_alone(start_kernel):
    """Some child processes, a temporary file, a few hundred folders: none of it is too much."""
    source = """
        import os, subprocess, sys, tempfile, threading, time
        with tempfile.TemporaryFile() as file:
            file.write(bytes(20 << 20))
            for number in range(300):
                os.mkdir(f"folder{number}")
            helpers = [subprocess.Popen([sys.executable, "-c", "print(1)"], stdout=-1, text=True) for _ in range(8)]
            threads = [threading.Thread(target=time.sleep, args=(3,)) for _ in range(40)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            print(sum(int(helper.communicate()[0]) for helper in helpers))
    """
    assert text(run(start_kernel(memory_mb=600), source, 30)) == "8\n"


@pytest.mark.slow
def test_a_guardian_that_was_stopped_is_ended_with_its_kernel(kernel, monkeypatch):
    """And with that kernel's children and its scratch folder."""
    monkeypatch.setattr(forked_process, "END_SECONDS", 1)
    assert run(kernel, "import os, time\nif os.fork() == 0: time.sleep(1000)", 3).ended == "ok"
    leader = psutil.Process(kernel.process.pid)
    guardian, folder = leader.parent(), Path(leader.cwd())
    tree = [leader, *leader.children()]
    assert len(tree) == 2 and folder.exists()
    guardian.suspend()
    kernel.close()
    _, alive = psutil.wait_procs([guardian, *tree], timeout=20)
    assert alive == [] and not folder.exists()


def test_what_runs_student_code_has_a_lower_priority_than_its_guardian(kernel):
    """Otherwise a guardian would wait for thousands of forks before it can count them."""
    leader = psutil.Process(kernel.process.pid)
    assert leader.nice() == leader.parent().nice() + process_tree.NICE


def test_a_process_tree_is_counted_no_further_than_needed():
    """A tree that forks as fast as it can grows faster than it is counted."""
    source = "import os, time\nfor _ in range(6):\n    if os.fork(): break\nprint(flush=True)\ntime.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, start_new_session=True)
    try:
        for _ in range(7):
            process.stdout.readline()
        assert len(process_tree.descendants(process.pid)) == 6
        assert len(process_tree.descendants(process.pid, 2)) == 3
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_many_runnable_processes_get_a_lower_priority(kernel):
    """Together they get about the share of one, even where Linux does not group them itself."""
    source = """
        import os, time
        for _ in range(10):
            if os.fork() == 0:
                while True: pass
        time.sleep(100)
    """
    executing = threading.Thread(target=run, args=(kernel, source, 1000))
    executing.start()
    try:
        leader = psutil.Process(kernel.process.pid)
        wait_until(lambda: leader.nice() >= process_tree.NICE + 5)
        wait_until(lambda: {child.nice() for child in leader.children(recursive=True)} == {leader.nice()})
    finally:
        kernel.end()
        executing.join()


@pytest.mark.slow  # until it is ended, it takes the processor from whatever else runs
def test_a_fork_bomb_ends(kernel):
    source = "import os\nopen('bomb', 'w').write('sh bomb & sh bomb & sh bomb')\nos.system('sh bomb')"
    group = kernel.process.pid
    done = run(kernel, source + "\nimport time\ntime.sleep(100)")
    started = time.monotonic()
    kernel.close()
    assert (done.ended, done.why) == ("died", "processes")
    assert time.monotonic() - started < 30
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)


@pytest.mark.slow
@pytest.mark.parametrize("ordinary", [False, True], ids=["this user", "an ordinary user"])
def test_a_scratch_folder_goes_whatever_is_in_it(ordinary):
    """Root needs no rights to a folder; an ordinary user does."""
    if ordinary and os.getuid() != 0:
        pytest.skip("only root can become another user")
    folder = Path(tempfile.mkdtemp(prefix=scratch.PREFIX))
    outside = Path(tempfile.mkdtemp(prefix="course-test-"))
    (outside / "kept").write_text("x")
    os.chmod(outside, 0o777)
    program = f"""
        import os
        from pathlib import Path
        from coursekit.engine.supervisor import scratch

        folder = Path({str(folder)!r})
        if {ordinary}:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        os.chdir(folder)
        os.mkdir("closed", 0)
        os.mkdir("unlisted", 0o300)
        Path("unlisted/file").write_text("x")
        os.mkdir("unlisted/closed", 0)
        os.mkdir("unlisted/folder")
        Path("unlisted/folder/file").write_text("x")
        os.symlink({str(outside)!r}, "link")
        os.symlink({str(outside)!r}, "unlisted/link")
        os.mkfifo("fifo")
        Path("\\x01\\n name").write_text("x")
        if {ordinary}:
            assert scratch.is_full(folder, 128)  # what cannot be looked at
        for _ in range(3000):
            os.mkdir("deep" * 50)
            os.chdir("deep" * 50)
            Path("file").write_text("x")
        assert scratch.is_full(folder, 128)
        os.chdir("/")
        scratch.remove(folder)
    """
    try:
        if ordinary:
            os.chown(folder, 65534, 65534)
            os.chown(outside, 65534, 65534)
        command = [sys.executable, "-c", textwrap.dedent(program)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        # Its parent is not that user's: the folder itself may stay, empty.
        assert not folder.exists() or (ordinary and os.listdir(folder) == [])
        assert (outside / "kept").read_text() == "x"
    finally:
        subprocess.run(["rm", "-rf", folder, outside], check=True)


def test_no_other_folder_goes(tmp_path, monkeypatch):
    (tmp_path / "kept").write_text("x")
    monkeypatch.chdir(tmp_path)
    for folder in (tmp_path, Path("."), Path()):
        with pytest.raises(ValueError, match="not a scratch folder"):
            scratch.remove(folder)
    assert (tmp_path / "kept").exists()


def test_what_is_in_a_scratch_folder_is_counted(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(b"x" * 10_000)
    (tmp_path / "link").symlink_to("/")
    assert not scratch.is_full(tmp_path, 100)
    assert scratch.is_full(tmp_path, 100, used=100 << 20)
    assert not scratch.is_full(tmp_path / "gone", 100)


def test_descendants_are_found_through_threads():
    code = "import threading, subprocess\nthreading.Thread(target=subprocess.run, args=(['sleep', '100'],)).start()"
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    try:
        found = wait_until(lambda: process_tree.descendants(process.pid))
        assert len(found) == 1 and process.pid not in found
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


BURN = "import time\nwhile time.process_time() < 1: pass"
# Who burns a second of CPU beside the kernel, and how it ends.
BURNERS = {
    "a child that is waited for": f"subprocess.run([sys.executable, '-c', {BURN!r}])",
    "children that live": f"""
for _ in range(2):
    subprocess.Popen([sys.executable, '-c', {BURN!r} + '\\ntime.sleep(100)'])""",
    "an orphan": f"""
if os.fork() == 0:
    if os.fork() == 0:
        exec({BURN!r})
    os._exit(0)
os.wait()""",
    "a child whose end is ignored": f"""
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork() == 0:
    exec({BURN!r})
    time.sleep(20)
    os._exit(0)""",
}


@pytest.mark.slow
@pytest.mark.parametrize("burner", first(2, BURNERS))
def test_what_a_kernel_starts_is_on_its_clock(kernel, burner):
    clock = kernel.clock(1000)
    done = run(kernel, f"import os, signal, subprocess, sys, time\n{BURNERS[burner]}")
    assert done.ended == "ok", done.outputs
    wait_until(lambda: not clock.left() or clock.spent() >= 0.9)  # it is reported in tenths
    assert 0.9 <= clock.spent() < 20


@pytest.mark.slow
def test_children_end_a_cell_as_its_own_work_does(kernel):
    """Four that compute while the kernel sleeps: the limit comes long before the one for sleeping would."""
    source = """
        import subprocess, sys, time
        for _ in range(4): subprocess.Popen([sys.executable, '-c', 'while True: pass'])
        time.sleep(1000)
    """
    assert run(kernel, source, 4).ended == "timed_out" and kernel.process.children_seconds >= 1
