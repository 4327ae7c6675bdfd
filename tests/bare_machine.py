"""The two commands of README.md on a bare machine: a new Debian root with Python, make and git, and a fresh clone.

    sudo python3 tests/bare_machine.py                       # make demo and make test, as root
    sudo python3 tests/bare_machine.py --user                # as an ordinary user who may not become root
    sudo python3 tests/bare_machine.py 'CI=true make test'   # another command

debootstrap makes the root in a temporary folder. Each command runs in mount and process namespaces of its own, so that
its processes and mounts are gone when it ends; then the folder is removed. Packages come from the registries that this
machine is set up for: pip's settings, apt's, the proxy and the name server are taken over, and the folders that pip's
settings name can be read. What is not committed is not in the clone. Exits with 1 if one of the commands fails.
"""

import argparse
import ast
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = "python3,make,git,ca-certificates"
USER = "student"
# From the machine's environment: how to get out of its network.
PASSED = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE")
# $1: the new root, then what is to be read in it, "--", and the command.
ENTER = """
root=$1; shift
mount -t proc proc "$root/proc"
while [ "$1" != -- ]; do mount --bind -o ro "$1" "$root$1"; shift; done
shift
exec chroot "$@"
"""
OWN_NAMESPACES = ("unshare", "--mount", "--pid", "--fork", "--kill-child")


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def mirror(suite: str) -> list[str]:
    """debootstrap's argument: where this machine gets the suite's packages; nothing, and so its default, if nowhere."""
    if shutil.which("apt-get") is None:
        return []
    for line in output("apt-get", "indextargets", "--format", "$(RELEASE) $(REPO_URI)").splitlines():
        release, address = line.split()
        if release == suite:
            return [address]
    return []


def pip_settings() -> dict[str, str]:
    """The settings of this machine's pip, as environment variables: {"PIP_FIND_LINKS": "/wheels", ...}."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
        return {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    settings = {}
    for line in output(sys.executable, "-m", "pip", "config", "list").splitlines():
        name, _, value = line.partition("=")
        settings[f"PIP_{name.rpartition('.')[2].replace('-', '_').upper()}"] = ast.literal_eval(value)
    return settings


def named_paths(settings: dict[str, str]) -> list[Path]:
    """The files and folders of this machine that settings name. An index of packages lies beside its files."""
    found = set()
    for word in " ".join(settings.values()).split():
        address = urlsplit(word)
        path = Path(address.path).parent if address.scheme == "file" else Path(word)
        if address.scheme in ("", "file") and path.is_absolute() and path.exists():
            found.add(path)
    return sorted(found)


def make_root(root: Path, suite: str) -> None:
    """Debian with nothing but PACKAGES, which finds its registries as this machine does."""
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite, str(root)]
    command += mirror(suite)
    with tempfile.TemporaryFile() as said:
        done = subprocess.run([*OWN_NAMESPACES, *command], stdout=said, stderr=subprocess.STDOUT)
        said.seek(0)
        if done.returncode:
            sys.exit(said.read().decode(errors="replace")[-3000:] + "debootstrap made no root.")
    for name in ("resolv.conf", "hosts"):
        shutil.copyfile(f"/etc/{name}", root / "etc" / name)
    if shutil.which("apt-config"):
        (root / "etc/apt/apt.conf.d/90machine").write_text(output("apt-config", "dump", "Acquire"))


def clone(root: Path, user: bool) -> tuple[str, Path]:
    """Clone this repository for the account that uses it; gives chroot's option for that account, and its home."""
    home = Path("/root")
    if user:
        # Not a user of this machine, whose processes elsewhere would count towards the limit of this one's.
        number = str(50_000 + os.getpid() % 10_000)
        subprocess.run(["chroot", root, "useradd", "--create-home", "--uid", number, USER], check=True)
        home = Path("/home", USER)
    copy = root / home.relative_to("/") / "course"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, copy], check=True)
    account = f"{USER}:{USER}" if user else "root:root"
    subprocess.run(["chroot", root, "chown", "-R", account, home / "course"], check=True)
    return f"--userspec={account}", home


def run(root: Path, account: str, home: Path, command: str, environment: dict[str, str]) -> int:
    """Run a command in the clone, and return its exit code."""
    paths = named_paths(environment)
    for path in paths:
        place = root / path.relative_to("/")
        if path.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        elif not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
    line = [*OWN_NAMESPACES, "sh", "-euc", ENTER, "enter", root, *paths, "--", account, root]
    line += ["env", "-i", f"HOME={home}", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
    line += [f"{name}={value}" for name, value in environment.items()]
    line += ["sh", "-c", f"cd {home}/course && {command}"]
    return subprocess.run(line, stdin=subprocess.DEVNULL).returncode


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("commands", nargs="*", default=["make demo", "make test"], metavar="COMMAND")
    parser.add_argument("--suite", default="bookworm", help="Debian's or Ubuntu's; default: bookworm")
    parser.add_argument("--user", action="store_true", help="as an ordinary user without sudo, not as root")
    options = parser.parse_args()
    missing = [name for name in ("debootstrap", "unshare", "chroot", "git") if shutil.which(name) is None]
    if missing:
        sys.exit(f"{', '.join(missing)} must be installed first.")
    if os.getuid():
        sys.exit("Only root can make another root: sudo python3 tests/bare_machine.py")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended."))  # by way of what is below `finally`
    folder = Path(tempfile.mkdtemp(prefix="bare-machine-"))
    try:
        folder.chmod(0o755)  # an ordinary user has to get into it
        root = folder / "root"
        make_root(root, options.suite)
        account, home = clone(root, options.user)
        environment = {name: os.environ[name] for name in PASSED if name in os.environ} | pip_settings()
        ended = {command: run(root, account, home, command, environment) for command in options.commands}
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)
    for command, code in ended.items():
        print(f"{shlex.quote(command)} on {options.suite}: exit code {code}")
    sys.exit(any(ended.values()))


if __name__ == "__main__":
    main()
