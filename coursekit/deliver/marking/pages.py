"""The pages for marking as HTML. Each can be used without a script; marking.js adds keys, and saves at once."""

import base64
import hashlib
from pathlib import Path
from typing import Any

from coursekit.deliver.html import environment
from coursekit.deliver.plain import cut

ANSWER_CHARACTERS = 20_000

_HERE = Path(__file__).parent
_ENVIRONMENT = environment([_HERE, _HERE.parent / "feedback", _HERE.parent / "review"])
_SCRIPT = (_HERE / "marking.js").read_text(encoding="utf-8")
_SCRIPT_HASH = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()

# The one script of these pages may run and ask this server; nothing else may, and nobody may frame them.
POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_SCRIPT_HASH}'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def render(template: str, **values: Any) -> str:
    """A page, or a part of one, from the template of this name."""
    return _ENVIRONMENT.get_template(template).render(
        script=_SCRIPT, cut=cut, answer_characters=ANSWER_CHARACTERS, **values
    )
