"""Starts programs that mean to outlive their shell: nohup, setsid, disown, background jobs, systemd-run."""

BAIT_CELL = r"""
import subprocess, sys

line = f"while :; do date > /tmp/{bait['trace']}; sleep 0.3; done"
for command in (
    ["nohup", "sh", "-c", line],
    ["setsid", "-f", "sh", "-c", line],
    ["bash", "-mc", f"({line}) & disown"],
    ["sh", "-c", f"(({line}) &) &"],
    ["systemd-run", "--user", "sh", "-c", line],
    ["setsid", "nohup", sys.executable, "-c", "import time; time.sleep(1000)"],
):
    for options in ({}, {"start_new_session": True}, {"process_group": 0}):
        tried(lambda: subprocess.Popen(command, stdin=-3, stdout=-3, stderr=-3, **options).pid)
"""
