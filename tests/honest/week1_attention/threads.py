"""Threads in answers and cells: ThreadPoolExecutor, multiprocessing's ThreadPool, a daemon that never ends."""


def habit(submission):
    submission.answer(
        "softmax",
        """
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool
import threading, time
def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    rows = x.reshape(-1, x.shape[-1])
    with ThreadPoolExecutor(4) as pool:
        powers = list(pool.map(lambda row: np.exp(row - row.max()), rows))
    with ThreadPool(2) as pool:
        rows = pool.map(lambda row: row / row.sum(), powers)
    return np.moveaxis(np.array(rows).reshape(x.shape), -1, axis)
def tick():
    while True:
        time.sleep(0.05); print("tick")
threading.Thread(target=tick, daemon=True).start()
torch.set_num_threads(8)
""",
    )
