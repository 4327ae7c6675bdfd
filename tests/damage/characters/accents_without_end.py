"""A name in a cell of the student's own, from a page that piles accents on letters for fun."""

REPAIRS = {"accents_removed"}


def damage(submission):
    submission.notebook["cells"].append(
        {
            "cell_type": "code",
            "metadata": {},
            "source": "z" + "\u0301\u0327" * 400 + "algo = 1",
            "outputs": [],
        }
    )
