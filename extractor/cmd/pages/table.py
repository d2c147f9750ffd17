# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of commands as C, for cmd/command.h."""


def string(text):
    if not text:
        return "NULL"
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n")):
        text = text.replace(plain, escaped)
    return f'"{text}"'


def flag(value):
    return "true" if value else "false"


def options(name, listed):
    rows = "".join(
        "\t{ %s, %s, %s, %s, %s, %s },\n" % (
            string(option.name), f"'{option.value}'" if len(option.value) == 1 else option.value,
            string(option.arg), string(option.text), string(option.values), flag(option.has_letter))
        for option in listed)
    return f"struct command_option {name}[] = {{\n{rows}\t{{ 0 }}\n}};\n\n"


def c_name(command):
    return command.name.replace("-", "_") + "_options"


def write(out, source):
    out.write('// SPDX-License-' 'Identifier: GPL-2.0-or-later\n#include "cmd/command.h"\n\n'
              '#include "transfer/send_conf.h"\n\n')
    out.write("const " + options("common_options", source.common))
    for command in source.commands:
        out.write("static const " + options(c_name(command), command.options))
    out.write("const char *const command_group_titles[NR_GROUPS] = {\n"
              + "".join(f"\t{string(title)},\n" for title in source.groups) + "};\n\n"
              + "const struct command commands[] = {\n")
    for command in source.commands:
        out.write("\t{ %s, %d, %s, %s, { %s }, %s, %s, %s },\n" % (
            string(command.name), command.group, flag(command.is_common), string(command.summary),
            ", ".join(string(usage) for usage in command.usage), c_name(command),
            string(command.about), string("".join(line + "\n" for line in command.examples))))
    out.write("\t{ 0 }\n};\n")
