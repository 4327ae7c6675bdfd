"""Says at the end of a run how many honest notebooks were graded, and what it cost them."""


def pytest_terminal_summary(terminalreporter):
    lost = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        for key, value in getattr(report, "user_properties", ())
        if key == "points_lost" and getattr(report, "when", "") == "call"
    ]
    if lost:
        terminalreporter.write_line(f"{len(lost)} honest notebooks, {sum(lost):g} points lost")
