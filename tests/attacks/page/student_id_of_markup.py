"""Is handed in under a name that is markup of the terminal's own library and of formats, and as long as a
name can be."""

REFUSED = True


def attack(submission):
    submission.student = "[red]a[bold][link=http:attacker.example]{0.__class__}%s%n" + "x" * 190
