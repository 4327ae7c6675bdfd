"""Changes matplotlib's and seaborn's looks for good: rcParams, style sheets, fonts that are not there, xkcd."""


def habit(submission):
    submission.add(
        "plt.rcParams.update({'figure.dpi': 200, 'font.family': 'No Such Font', 'text.usetex': True})\n"
        "plt.style.use('dark_background')\nplt.xkcd()\nimport seaborn as sns\nsns.set_theme(style='darkgrid', font_scale=3)\n"
        "plt.title('$x^2$'); plt.show()"
    )
