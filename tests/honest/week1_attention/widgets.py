"""ipywidgets: sliders, interact, an output widget that stays open."""


def habit(submission):
    submission.add(
        "import ipywidgets as widgets\nfrom ipywidgets import interact\n"
        "out = widgets.Output()\nslider = widgets.IntSlider(value=3)\ndisplay(slider, out)\n"
        "interact(lambda n: print(n), n=(1, 5))\nwith out: print('inside')\n"
        "bar = widgets.IntProgress(max=3); display(bar); bar.value = 2"
    )
