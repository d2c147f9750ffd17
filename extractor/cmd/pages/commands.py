# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands and sections as cmd/commands.text has them; it says what its lines mean."""

import dataclasses
import re


@dataclasses.dataclass
class Option:
    name: str
    value: str
    arg: str
    has_letter: bool
    values: str = ""
    text: str = ""


@dataclasses.dataclass
class Command:
    name: str
    is_common: bool
    group: int
    summary: str = ""
    usage: list = dataclasses.field(default_factory=list)
    options: list = dataclasses.field(default_factory=list)
    about: str = ""
    examples: list = dataclasses.field(default_factory=list)
    description: str = ""


def is_entry(line):
    """An entry of a list: NAME | text."""
    return re.match(r"\S.* \| ", line)


def joined(lines):
    """Lines of a paragraph, or of an entry, made one."""
    text, begins = "", True
    for line in lines:
        if not line or line.startswith("    "):
            text += line + "\n" if begins else f"\n{line}\n"
            begins = True
        else:
            text += line if begins else f"\n{line}" if is_entry(line) else f" {line}"
            begins = False
    return text


def blocks(path):
    """Each line that begins at the margin, as two words, with the text below it."""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("\t") or not line:
            found and found[-1][2].append(line[1:])
        elif not line.startswith("#"):
            word, _, rest = line.partition(" ")
            found.append((word, rest, [], f"{path}:{number}"))
    for _, _, lines, _ in found:
        while lines and not lines[-1]:
            lines.pop()
    return found


def option_of(rest, lines):
    short = re.fullmatch(r"-(\w) --(\S+)(?: (\S+))?", rest)
    if short:
        value, name, arg = short.groups()
    else:
        name, arg, value = re.fullmatch(r"--(\S+)(?: (\S+))? = (.+)", rest).groups()
    return Option(name, value, arg or "", bool(short), text=joined(lines))


class Commands:
    """groups: titles; sets: options by name; commands; sections: (title, text) of epitaph(1)."""

    def __init__(self, path):
        self.groups, self.sets, self.commands, self.sections = [], {}, [], []
        options = None
        for word, rest, lines, place in blocks(path):
            if word == "set":
                options = self.sets[rest] = []
            elif word == "group":
                self.groups.append(rest)
            elif word == "command":
                name, _, common = rest.partition(" ")
                self.commands.append(Command(name, bool(common), len(self.groups) - 1))
                options = self.commands[-1].options
            elif word == "use":
                for name in rest.split():
                    options += self.sets[name]
            elif word == "option":
                options.append(option_of(rest, lines))
            elif word == "values":
                options[-1].values, options[-1].text = rest, joined(lines)
            elif word == "section":
                self.sections.append((rest, joined(lines)))
            elif word == "summary":
                self.commands[-1].summary = rest
            elif word == "usage":
                self.commands[-1].usage.append(rest)
            elif word == "examples":
                self.commands[-1].examples = lines
            elif word in ("about", "description"):
                setattr(self.commands[-1], word, joined(lines))
            else:
                raise SystemExit(f"{place}: no word {word}")
        for command in self.commands:
            if not (command.summary and command.usage and command.examples and command.description):
                raise SystemExit(f"{path}: {command.name} lacks a text")

    @property
    def common(self):
        return self.sets["common"]
