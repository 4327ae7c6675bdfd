"""For notebooks: the explorer in a frame of its own, on Colab, in JupyterLab and in VS Code.

Week 4 has a copy of this function, and of those in `parameters` and `export`.
"""


def frame(page, mine="", height=900):
    """Show the explorer below a notebook's cell.

    The page is part of the output, so it works without any network. The frame is sandboxed: the page's scripts run, but
    they reach neither the notebook nor its cookies, and they cannot open windows or send forms.

    Args:
        page: the path of index.html, or the page itself as text.
        mine: a file that export_attention has written; it stands under "Mine against the reference" then.
        height: of the frame, in pixels.

    Returns:
        An IPython.display.HTML, which a notebook shows when it is the last value of a cell.
    """
    import html
    import os
    import warnings

    from IPython.display import HTML

    text = str(page)
    if not text.lstrip().startswith("<"):
        with open(os.fspath(page), encoding="utf-8") as file:
            text = file.read()
    if mine:
        with open(mine, encoding="utf-8") as file:
            weights = html.escape(file.read())
        text = text.replace('spellcheck="false"></textarea>', f'spellcheck="false">{weights}</textarea>')
    with warnings.catch_warnings():
        # IPython recommends its IFrame, which needs an address; this page has none.
        warnings.simplefilter("ignore", UserWarning)
        return HTML(
            f'<iframe title="Attention, cell by cell" sandbox="allow-scripts" width="100%" height="{int(height)}" '
            f'style="border: 0" srcdoc="{html.escape(text)}"></iframe>'
        )
