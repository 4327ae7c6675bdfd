"""Asks for other matplotlib backends, installed and not: Agg, notebook, widget, Qt, Tk."""


def habit(submission):
    for line in ("%matplotlib inline", "%matplotlib notebook", "%matplotlib widget", "%matplotlib qt"):
        submission.add(f"{line}\nplt.plot([1, 2]); plt.show()")
    submission.add("plt.switch_backend('TkAgg')")
    submission.add("import matplotlib\nmatplotlib.use('Agg')\nplt.plot([1]); plt.show(block=False)")
    submission.add(
        "%config InlineBackend.figure_format = 'svg'\n%matplotlib inline\nplt.plot([1]); plt.show()"
    )
