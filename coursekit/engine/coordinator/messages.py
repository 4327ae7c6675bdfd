"""Requests to a kernel, as Jupyter's messaging protocol has them.

https://jupyter-client.readthedocs.io/en/stable/messaging.html

jupyter_client's `Session` does the same and much besides. A kernel is asked some twenty times per submission, with
other work in between, so that its code has left the processor's cache each time: it took a twentieth of the
coordinator's time.
"""

import hmac
import uuid
from datetime import UTC, datetime
from typing import Any

from coursekit.engine.shared.result import json_bytes

DELIMITER = b"<IDS|MSG>"  # before it addresses; behind it the signature, header, parent's header, metadata and content
VERSION = "5.4"  # of the protocol


class Requests:
    """What one client asks.

    Args:
        key: the kernel's, which it checks signatures with.
    """

    def __init__(self, key: str):
        self._signer = hmac.new(key.encode(), digestmod="sha256")
        self._session, self._count = uuid.uuid4().hex, 0

    def make(
        self, kind: str, content: dict[str, Any] | None, metadata: dict[str, Any] | None
    ) -> tuple[str, list[bytes]]:
        """The number by which answers refer to a request, and the parts of its message."""
        self._count += 1
        number = f"{self._session}_{self._count}"
        header = {
            "msg_id": number,
            "msg_type": kind,
            "session": self._session,
            "username": "course",
            "date": datetime.now(UTC).isoformat(),
            "version": VERSION,
        }
        parts = [json_bytes(part) for part in (header, {}, metadata or {}, content or {})]
        signer = self._signer.copy()
        for part in parts:
            signer.update(part)
        return number, [DELIMITER, signer.hexdigest().encode(), *parts]
