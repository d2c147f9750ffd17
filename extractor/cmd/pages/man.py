# SPDX-License-Identifier: GPL-2.0-or-later
"""epitaph(1) and a page for each command, in roff."""

import re

from commands import is_entry

ESCAPES = {"\\": "\\e", "-": "\\-", "~": "\\(ti", "^": "\\(ha"}


def dashes(text):
    return text.replace("-", "\\-")


def bold(text):
    return f"\\fB{dashes(text)}\\fR"


def inline(text):
    """`x` is bold, an option keeps its dashes, and a sentence begins on a line of its own."""
    return verbatim(re.sub(r"(?<=[^.])([.?:]) (?=[A-Z])", "\\1\n", text))


def verbatim(text):
    pieces = re.split("`", text)
    roff = "".join(
        ("\\fB" if at % 2 else "\\fR" if at else "") + "".join(ESCAPES.get(c, c) for c in piece)
        for at, piece in enumerate(pieces))
    return ("\\&" if text[:1] in (".", "'") else "") + roff + "\n"


def is_set(line):
    return line.startswith("    ")


def paragraphs(text):
    roff, was_set = "", False
    lines = text.removesuffix("\n").split("\n")
    for at, line in enumerate(lines):
        if is_set(line) and not was_set:
            roff += ".PP\n.nf\n.RS 4\n"
        elif was_set and not is_set(line):
            roff += ".RE\n.fi\n"
        was_set = is_set(line)
        if was_set:
            roff += verbatim(line[4:])
        elif is_entry(line):
            name, _, rest = line.partition(" | ")
            roff += f".TP\n.B {inline(name)}{inline(rest)}"
        elif line:
            roff += inline(line)
        elif lines[at + 1] and not is_set(lines[at + 1]) and not is_entry(lines[at + 1]):
            roff += ".PP\n"
    return roff + (".RE\n.fi\n" if was_set else "")


def options(listed):
    roff = ""
    for option in listed:
        letter = f"\\fB\\-{option.value}\\fR, " if option.has_letter else ""
        arg = f" \\fI{option.arg}\\fR" if option.arg else ""
        roff += f".TP\n{letter}\\fB\\-\\-{bold(option.name)}{arg}\n{inline(option.text)}"
    return roff


def title(name, date):
    return ('.\\" SPDX-License-' 'Identifier: GPL-2.0-or-later\n'
            '.\\" Made from extractor/cmd/commands.text.\n'
            f'.TH {dashes(name.upper())} 1 "{date}" "epitaph" "Epitaph"\n')


def page(command, common, date):
    usage = "".join(f"\\fBepitaph {bold(command.name)} {inline(line)}" for line in command.usage)
    about = ".PP\n" + paragraphs(command.about) if command.about else ""
    return (f"{title('epitaph-' + command.name, date)}"
            f".SH NAME\n{dashes('epitaph-' + command.name)} \\- {inline(command.summary)}"
            f".SH SYNOPSIS\n.nf\n{usage}.fi\n"
            f".SH DESCRIPTION\n{paragraphs(command.description)}{about}"
            f".SH OPTIONS\n{options(command.options)}{options(common)}"
            ".SH EXIT STATUS\nSee\n.BR epitaph (1).\n"
            f".SH EXAMPLES\n.nf\n{''.join(map(inline, command.examples))}.fi\n"
            ".SH SEE ALSO\n.BR epitaph (1),\n.BR epitaph\\-config (5),\n"
            ".BR epitaph\\-region (5)\n")


SYNOPSIS = r""".SH NAME
epitaph \- read the last events of a Linux kernel that crashed
.SH SYNOPSIS
.nf
\fBepitaph\fR \fICOMMAND\fR [\fIOPTION\fR]... [\fIFILE\fR]...
\fBepitaph\fR \fICOMMAND\fR \fB\-\-help\fR
\fBepitaph help\fR [\fICOMMAND\fR]
\fBepitaph\fR \fB\-h\fR | \fB\-\-help\fR | \fB\-V\fR | \fB\-\-version\fR
.fi
"""

SEE_ALSO = r""".fi
.SH SEE ALSO
.BR epitaph\-config (5),
.BR epitaph\-region (5),
.BR crash (8),
.BR babeltrace2 (1),
.BR kdump (5),
.BR makedumpfile (8),
.BR trace\-cmd (1)
"""


def main_page(source, date):
    roff = title("epitaph", date) + SYNOPSIS
    for at, (heading, text) in enumerate(source.sections):
        roff += f".SH {heading}\n{paragraphs(text)}"
        if at:
            continue
        roff += ".SH COMMANDS\n"
        for group, name in enumerate(source.groups):
            roff += f".SS {inline(name)}"
            roff += "".join(f".TP\n\\fBepitaph\\-{bold(command.name)}(1)\n{inline(command.summary)}"
                            for command in source.commands if command.group == group)
        roff += (f".SH OPTIONS\nEvery command has these:\n{options(source.common)}"
                 ".TP\n\\fB\\-\\-help\\fR\nPrint the options of the command, with examples.\n")
    return roff + ".SH EXAMPLES\n.nf\n" + "".join(
        inline(line) for command in source.commands if command.is_common
        for line in command.examples) + SEE_ALSO
