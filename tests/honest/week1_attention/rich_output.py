"""Rich outputs: HTML, Markdown, LaTeX, pictures, sound, JavaScript, clear_output, display handles."""


def habit(submission):
    submission.add(
        "from IPython.display import *\n"
        "display(HTML('<b>x</b>'), Markdown('# x'), Latex('$x$'), Math('x'), SVG('<svg></svg>'), JSON({'a': 1}))\n"
        "display(Audio(np.sin(np.arange(4000) / 9), rate=8000), Javascript('1'), IFrame('https://example.org', 9, 9))\n"
        "handle = display('one', display_id=True); handle.update('two'); clear_output(wait=True)\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.ast_node_interactivity = 'all'"
    )
    submission.add("%%html\n<marquee>x</marquee>\n<script>alert(1)</script>")
    submission.add("%%latex\n$x$")
    submission.add("%%javascript\nalert(1)")
    submission.add("%%svg\n<svg></svg>")
