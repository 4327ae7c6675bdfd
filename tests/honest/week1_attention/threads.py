"""Threads: ThreadPoolExecutor inside an answer, a daemon that never ends, a changed number of torch's threads.

multiprocessing's pools need semaphores in /dev/shm, which the sandbox does not allow: docs/engine.md.
"""


def habit(submission):
    submission["softmax"] = """
from concurrent.futures import ThreadPoolExecutor
import threading, time
def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    rows = x.reshape(-1, x.shape[-1])
    with ThreadPoolExecutor(4) as pool:
        powers = list(pool.map(lambda row: np.exp(row - row.max()), rows))
        rows = list(pool.map(lambda row: row / row.sum(), powers))
    return np.moveaxis(np.array(rows).reshape(x.shape), -1, axis)
def tick():
    while True:
        time.sleep(0.05); print("tick")
threading.Thread(target=tick, daemon=True).start()
torch.set_num_threads(8)
"""
