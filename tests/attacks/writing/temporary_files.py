"""Leaves files, folders and links in every folder that is open to all, and where jobs and logs are kept."""

BAIT_CELL = r'''
import os, tempfile

name = bait["trace"]
tempfile.tempdir = bait["paths"]["tmp"]
tried(lambda: tempfile.mkstemp(prefix=name), lambda: tempfile.mkdtemp(prefix=name))
folders = """
    /tmp /var/tmp /dev/shm /dev/mqueue /run /run/lock /var/log / /home /boot /usr/local/bin
    /etc/cron.d /etc/profile.d /etc/systemd/system /var/spool/cron/crontabs /var/spool/at
"""
for folder in (bait["paths"]["tmp"], bait["paths"]["root"], *folders.split()):
    for door in (
        lambda: open(f"{folder}/{name}", "w").write("x"),
        lambda: os.mkdir(f"{folder}/{name}.d"),
        lambda: os.symlink("/", f"{folder}/{name}.l"),
        lambda: os.mkfifo(f"{folder}/{name}.f"),
        lambda: os.rename("x", f"{folder}/{name}.r"),
    ):
        try:
            print("GOT", folder, door())
        except OSError:
            pass
tried(
    lambda: os.system(
        f"crontab -l; echo '* * * * * touch /tmp/{name}' | crontab -; echo touch /tmp/{name} | at now"
    )
)
'''
