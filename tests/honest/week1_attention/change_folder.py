"""Changes the working folder with %cd and os.chdir, to places that are and are not there."""


def habit(submission):
    submission.add("%cd /content/drive/MyDrive")
    submission.add("%cd ..\n%pwd\n%ls\n!pwd; ls -la; cat /etc/os-release; nvidia-smi; df -h; free")
    submission.add("import os\nos.makedirs('work', exist_ok=True)\nos.chdir('work')")
    submission["softmax"] = "%cd /usr/lib\n" + submission["softmax"]
