"""A thread of its own, which was there before."""

from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(1)
pool.submit(int).result()


def softmax(x, axis=-1):
    tensor = torch.from_numpy(np.array(x, dtype=float))
    return pool.submit(torch.softmax, tensor, axis).result().numpy()
