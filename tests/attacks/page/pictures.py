"""Hides script in what calls itself a PNG: after its end, in its text, as SVG, HTML or a data address."""

BAIT_CELL = r"""
import base64, io
import matplotlib.pyplot as plt
from IPython.display import display

evil = b"<script>window.attacked='picture'</script>"
buffer = io.BytesIO()
plt.figure(figsize=(1, 1))
plt.savefig(buffer, metadata={"Title": evil.decode()})
plt.close()
real = buffer.getvalue()
for data in (
    base64.b64encode(real + evil).decode(),
    base64.b64encode(evil).decode(),
    base64.b64encode(b"<svg onload=alert(1)>" + real).decode(),
    "x' onerror='window.attacked=1",
    'x"><script>window.attacked=1</script>',
    "data:image/svg+xml,<svg onload=alert(1)>",
    base64.b64encode(real).decode() + '"onload="window.attacked=1',
):
    for kind in ("image/png", "image/jpeg", "image/gif"):
        display({kind: data}, raw=True)
"""
