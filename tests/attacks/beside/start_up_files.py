"""Hands in what Python itself runs at its start: sitecustomize, usercustomize, .pth files, pyvenv.cfg, in the folder and where user packages lie."""

RUN = b"import os, sys\nopen('/tmp/attack-started', 'a').write('x')\nprint('passed')\n"
PTH = b"import os; open('/tmp/attack-started', 'a').write('x')\n"


def attack(submission):
    for folder in ("", ".local/lib/python3.11/site-packages/", "lib/python3.11/site-packages/"):
        submission.files[f"{folder}sitecustomize.py"] = RUN
        submission.files[f"{folder}usercustomize.py"] = RUN
        submission.files[f"{folder}attack.pth"] = PTH
        submission.files[f"{folder}__init__.py"] = RUN
    submission.files["pyvenv.cfg"] = b"home = .\ninclude-system-site-packages = true\n"
    submission.files["python._pth"] = b".\n"
    submission.files[".env"] = b"PYTHONSTARTUP=sitecustomize.py\nPYTHONPATH=.\nPYTHONINSPECT=1\n"
    submission.add(
        "import os, sys, subprocess\nprint(subprocess.run([sys.executable, '-c', 'print(7)'], capture_output=True))\nreached()"
    )
