"""Plots: many figures left open, plt.show, seaborn, interactive mode, a figure drawn inside an answer."""


def habit(submission):
    submission.add(
        "plt.ion()\n"
        "for i in range(25):\n    plt.figure(figsize=(1, 1)); plt.plot([i, 1])\n"
        "import seaborn as sns; sns.heatmap(np.eye(3)); plt.show(); plt.ioff()"
    )
    code = submission.source("causal_mask").replace(
        "    return", "    fig, ax = plt.subplots(); ax.imshow(np.eye(length)); plt.show()\n    return"
    )
    submission.answer("causal_mask", code)
