# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints TAP, for tests/tally."""
import os

RESULTS = []


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        RESULTS.append(report)


def pytest_terminal_summary(terminalreporter):
    if "TAP" not in os.environ:
        return
    for nr, report in enumerate(RESULTS, 1):
        name = report.nodeid.split("::")[-1]
        if report.outcome == "skipped":
            terminalreporter.write_line(f"ok {nr} - {name} # SKIP {report.longrepr[2]}")
        else:
            terminalreporter.write_line(f"{'not ok' if report.failed else 'ok'} {nr} - {name}")
    terminalreporter.write_line(f"1..{len(RESULTS)}")
