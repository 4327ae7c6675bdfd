"""Writes files and reads them again: notes, pickles, checkpoints, figures, archives, temporary folders."""


def habit(submission):
    submission["padding_mask"] = """
import json, os, pickle, tempfile, shutil
from pathlib import Path
def padding_mask(token_ids, pad_id):
    with tempfile.TemporaryDirectory() as folder:
        torch.save(token_ids, Path(folder) / "ids.pt")
        ids = torch.load(Path(folder) / "ids.pt")
    with open("mask.pkl", "wb") as file:
        pickle.dump(ids != pad_id, file)
    with open("mask.pkl", "rb") as file:
        return pickle.load(file)[:, None]
"""
    submission.append(
        "plt.plot([1, 2]); plt.savefig('figure.png'); plt.savefig('figure.pdf')\n"
        "Path('notes.txt').write_text('größer'); np.save('x.npy', np.eye(2)); np.load('x.npy')\n"
        "shutil.make_archive('all', 'zip', '.'); shutil.copy('notes.txt', 'copy.txt'); os.chmod('copy.txt', 0o600)"
    )
    submission.append("open('/content/out.txt', 'w').write('x')")
