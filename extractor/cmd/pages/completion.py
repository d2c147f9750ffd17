# SPDX-License-Identifier: GPL-2.0-or-later
"""Completions of bash, zsh and fish."""

LICENCE = "# SPDX-License-" "Identifier: GPL-2.0-or-later\n"


def kind(option):
    """What a value of this name completes to."""
    if option.name in ("generation", "channel"):
        return option.name
    if option.values:
        return "words"
    if option.arg in ("FILE", "OUT"):
        return "file"
    return "dir" if option.arg.startswith("DIR") else "none"


def plain(text):
    """Without what the shell, or _arguments, reads as its own: quotes, brackets, colons."""
    return text.translate(str.maketrans("[]:", "();", "`'\"\\$"))


BASH = r"""# bash completion for epitaph(1), made from extractor/cmd/commands.text.

_epitaph_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# _epitaph_files [-d]
_epitaph_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen "${1:--f}" -- "$cur")
}

# Numbers of the generations in the files that are named already.
_epitaph_generations()
{
	local word

	for word in "${COMP_WORDS[@]:2}"; do
		[[ -f $word ]] && epitaph info --generation all --json "$word" 2>/dev/null
	done | grep -oE '"generation":[0-9]+' | grep -oE '[0-9]+'
}

# Names of the channels in the files that are named already.
_epitaph_channels()
{
	local word

	for word in "${COMP_WORDS[@]:2}"; do
		[[ -f $word ]] && epitaph info --json "$word" 2>/dev/null
	done | grep -oE '"channel":"[A-Za-z0-9_.-]+"' | cut -d '"' -f 4 | sort -u
}

_epitaph_options()
{
	case $1 in
@OPTIONS@	esac
}

_epitaph()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}

	COMPREPLY=()
	if [[ $COMP_CWORD -eq 1 || ($command == help && $COMP_CWORD -eq 2) ]]; then
		_epitaph_words "@COMMANDS@ help --help --version"
		return
	fi
	# bash makes a word of the sign in --color=never.
	[[ $cur == = ]] && cur=
	[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
	case $command:$prev in
@VALUES@	*)
		if [[ $cur == -* ]]; then
			_epitaph_words "$(_epitaph_options "$command")"
		else
			_epitaph_files
		fi
		;;
	esac
}

complete -F _epitaph epitaph
"""


def bash_value(command, option):
    words = {"none": ":", "file": "_epitaph_files", "dir": "_epitaph_files -d",
             "words": f'_epitaph_words "{option.values}"',
             "generation": '_epitaph_words "$(_epitaph_generations)'
                           f'{" " if option.values else ""}{option.values}"',
             "channel": '_epitaph_words "$(_epitaph_channels)"'}
    letter = f" | {command}:-{option.value}" if option.has_letter else ""
    return f"\t{command}:--{option.name}{letter}) {words[kind(option)]} ;;\n"


def bash(source):
    def names(command):
        return "".join((f" -{option.value}" if option.has_letter else "") + f" --{option.name}"
                       for option in command.options + source.common)

    every = [(command.name, command.options) for command in source.commands]
    options = "".join(f'\t{command.name}) echo "{names(command)} --help" ;;\n'
                      for command in source.commands)
    values = "".join(bash_value(name, option) for name, has in every + [("*", source.common)]
                     for option in has if option.arg)
    return LICENCE + (BASH.replace("@OPTIONS@", options).replace("@VALUES@", values)
                      .replace("@COMMANDS@", " ".join(name for name, _ in every)))


ZSH = r"""# zsh completion for epitaph(1), made from extractor/cmd/commands.text.

_epitaph() {
	local curcontext=$curcontext state line
	local -a commands

	commands=(
@COMMANDS@		'help:list all commands'
	)
	_arguments -C '(- *)--help[list the common commands]' \
		'(- *)--version[print the version]' \
		'1:command:->command' '*::argument:->argument'
	case $state in
	command) _describe command commands ;;
	argument)
		case $line[1] in
@OPTIONS@		help) _describe command commands ;;
		esac
		;;
	esac
}

_epitaph "$@"
"""


def zsh_option(option):
    name = f"--{option.name}"
    if option.has_letter:
        letter = f"-{option.value}"
        name = f"'({letter} {name})'{{{letter},{name}}}"
    value = ""
    if option.arg:
        value = (f":({option.values})" if option.values else
                 {"file": ":_files", "dir": ":_files -/"}.get(kind(option), ": "))
        value = f":{plain(option.arg)}{value}"
    return f"\t\t\t{name}'[{plain(option.text)}]{value}' \\\n"


def zsh(source):
    commands = "".join(f"\t\t'{command.name}:{plain(command.summary)}'\n"
                       for command in source.commands)
    options = "".join(
        f"\t\t{command.name})\n\t\t\t_arguments \\\n"
        + "".join(map(zsh_option, command.options + source.common))
        + "\t\t\t'--help[print the options, with examples]' '*:file:_files'\n\t\t\t;;\n"
        for command in source.commands)
    return ("#compdef epitaph\n" + LICENCE
            + ZSH.replace("@COMMANDS@", commands).replace("@OPTIONS@", options))


def fish_option(condition, option):
    value = ""
    if option.arg:
        value = (f" -x -a '{option.values}'" if option.values else
                 {"file": " -r -F", "dir": " -x -a '(__fish_complete_directories)'"}
                 .get(kind(option), " -x"))
    letter = f" -s {option.value}" if option.has_letter else ""
    return (f"complete -c epitaph -n '{condition}'{letter} -l {option.name}{value}"
            f" -d '{plain(option.text)}'\n")


def fish(source):
    start = "complete -c epitaph -n __fish_use_subcommand -f -a"
    return (LICENCE
            + "# fish completion for epitaph(1), made from extractor/cmd/commands.text.\n"
            + "".join(f"{start} {command.name} -d '{plain(command.summary)}'\n"
                      for command in source.commands)
            + f"{start} help -d 'list all commands'\n"
            + "".join(fish_option(f"__fish_seen_subcommand_from {command.name}", option)
                      for command in source.commands for option in command.options)
            + "".join(fish_option("not __fish_use_subcommand", option)
                      for option in source.common))
