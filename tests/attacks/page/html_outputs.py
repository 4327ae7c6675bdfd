"""Shows HTML, SVG, JavaScript, LaTeX, markdown, JSON and widgets as outputs, with script in each."""

BAIT_CELL = r"""
from IPython.display import HTML, SVG, Javascript, Latex, Markdown, IFrame, Image, Video, display

evil = "<script>window.attacked='html'</script><img src='x' onerror=\"window.attacked='html'\"/>"
svg = (
    "<svg xmlns='http://www.w3.org/2000/svg' onload=\"window.attacked='svg'\"><script>window.attacked='svg'</script><foreignObject>"
    + evil
    + "</foreignObject></svg>"
)
tried(
    lambda: display(HTML(evil), SVG(svg), Javascript("window.attacked='js'; alert(1)"), Latex(evil)),
    lambda: display(Markdown(evil), IFrame("javascript:alert(1)", 1, 1)),
    lambda: display(Image(url="http://attacker.example/x.png")),
    lambda: display(Video("http://attacker.example/x.mp4")),
)
kinds = '''
    text/html text/markdown text/latex text/plain image/svg+xml image/jpeg image/gif image/png
    application/javascript application/json application/pdf application/vnd.plotly.v1+json
    application/vnd.jupyter.widget-view+json <script>alert(1)</script>
'''
for kind in kinds.split():
    display(
        {kind: evil},
        raw=True,
        metadata={
            kind: {
                "width": "1 onload=window.attacked='width'",
                "height": '"><script>alert(1)</script>',
                "isolated": True,
                "alt": '"onload=alert(1) x="',
            }
        },
    )


class Evil:
    def _repr_html_(self):
        return evil

    def _repr_svg_(self):
        return svg

    def _repr_javascript_(self):
        return "window.attacked='repr'"

    def __repr__(self):
        return evil


reached()
Evil()
"""
