"""A thread that was started before.

With: heads_by_ready_attention
"""

from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(1)
pool.submit(int).result()


def ready(*arguments):
    return pool.submit(torch.nn.functional.scaled_dot_product_attention, *arguments).result()
