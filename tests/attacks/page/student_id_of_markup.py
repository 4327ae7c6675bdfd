"""Is handed in under a name that is markup for the terminal's library, as long as a name can be."""

REFUSED = True
STUDENT = "[red]a[bold][link=http:attacker.example]{0.__class__}%s%n" + "x" * 190
