"""Other libraries: those that are here, and those that are not, in a try."""


def habit(submission):
    submission.add(
        "import pandas as pd, sympy, networkx as nx, requests, psutil\nfrom PIL import Image\nimport IPython.display\n"
        "display(pd.DataFrame(np.eye(3)).style.background_gradient())\n"
        "nx.draw(nx.path_graph(3)); plt.show()\nImage.fromarray(np.zeros((4, 4), np.uint8))"
    )
    submission.add("import scipy.special, sklearn, einops, torchvision, tensorflow as tf, jax")
    submission["causal_mask"] = """
try:
    from scipy.linalg import toeplitz
except ImportError:
    toeplitz = None
import pandas as pd
def causal_mask(length):
    frame = pd.DataFrame([[column <= row for column in range(length)] for row in range(length)])
    return torch.tensor(frame.to_numpy())
"""
