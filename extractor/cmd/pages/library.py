# SPDX-License-Identifier: GPL-2.0-or-later
"""libepitaph(3), made from the kernel-doc of the library's public header."""

import re

from man import bold, inline, paragraphs, verbatim

COMMENT = re.compile(r"/\*\*\n(.*?) \*/\n(.*?)(?=\n\n|\Z)", re.S)
HEADING = re.compile(r"/\* --- (.*?) -+ \*/")
KNOWN = re.compile(r"[%&](?:struct |enum )?(\w+)")


def plain(text):
    """`x` for what kernel-doc marks with %, &, @ and **."""
    text = re.sub(r"\*\*(.+?)\*\*", r"\1", KNOWN.sub(r"`\1`", text))
    return re.sub(r"(?<!\w)@(\w+)", r"`\1`", text)


def lines_of(comment):
    return [re.sub(r"^ \* ?", "", line) for line in comment.splitlines()]


def joined(lines):
    """Paragraphs of one line each; what is indented by a tab stays as it is, four blanks in."""
    text = ""
    for line in lines:
        if line.startswith("\t"):
            text += ("" if text.endswith("\n") else "\n") + "    " + line[1:].expandtabs() + "\n"
        elif not line:
            text += ("" if text.endswith("\n") else "\n") + "\n"
        else:
            text += line if not text or text.endswith("\n") else f" {line}"
    return text.rstrip("\n") + "\n"


def about(lines):
    """The DOC: block, as sections of their own are too much for it."""
    text = re.sub(r"::\n\n?", ":\n\n", joined(lines))
    out, code = "", []
    for line in text.split("\n"):
        if line.startswith("    ") or (code and not line):
            code.append(line)
            continue
        if code:
            out, code = out + example(code), []
        out += plain(line) + "\n"
    return out.rstrip("\n") + "\n"


def example(code):
    while not code[-1]:
        code.pop()
    return "\n".join(line or "    " for line in code) + "\n\n"


def arguments(lines):
    """(@name, text) of each, and the paragraphs behind them."""
    args, rest, at = [], [], None
    for line in lines:
        named = re.match(r"@(\w+): (.*)", line)
        if named and at is not rest:
            args.append([named.group(1), named.group(2)])
            at = args[-1]
        elif at and at is not rest and line.startswith("\t"):
            at[1] += " " + line.strip()
        else:
            at = rest
            rest.append(line)
    return args, rest


def entry(comment, code):
    lines = lines_of(comment)
    name, _, what = lines[0].partition(" - ")
    args, rest = arguments(lines[1:])
    is_function = name.endswith("()")
    roff = f".SS {bold(name)}\n{inline(plain(what))}"
    if is_function or name.startswith("typedef"):
        code = re.sub(r"\s+", " ", code.replace("EPITAPH_API ", "").replace("typedef ", "", 1))
        roff += f".PP\n.nf\n{verbatim(code.strip())}.fi\n"
    for arg, text in args:
        roff += f".TP\n\\fB{bold(arg)}\n{inline(plain(text))}"
    if any(rest):
        roff += ".PP\n" + paragraphs(plain(joined(rest)).lstrip("\n"))
    return roff


def page(path, date):
    header = path.read_text()
    blocks = list(COMMENT.finditer(header))
    roff = ('.\\" SPDX-License-' 'Identifier: GPL-2.0-or-later\n'
            '.\\" Made from include/epitaph/epitaph.h.\n'
            f'.TH LIBEPITAPH 3 "{date}" "epitaph" "Epitaph"\n'
            ".SH NAME\nlibepitaph \\- read what a Linux kernel that crashed has left\n"
            ".SH SYNOPSIS\n.nf\n#include <epitaph/epitaph.h>\n\n"
            "cc $(pkg\\-config \\-\\-cflags \\-\\-libs libepitaph) program.c\n.fi\n"
            ".SH DESCRIPTION\n" + paragraphs(about(lines_of(blocks[0].group(1))[2:])))
    at = blocks[0].end()
    roff += ".SH CONSTANTS AND VERSION\n"
    for block in blocks[1:]:
        for heading in HEADING.finditer(header, at, block.start()):
            roff += f".SH {heading.group(1).upper()}\n"
        at = block.end()
        roff += entry(*block.groups())
    return roff + (".SH SEE ALSO\n.BR epitaph (1),\n.BR epitaph\\-region (5)\n")
