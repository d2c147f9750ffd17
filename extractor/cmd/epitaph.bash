# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for epitaph(1): commands, options, values of options, files.

# Options of a command, as "epitaph COMMAND --help" has them.
_epitaph_options()
{
	epitaph "$1" --help 2>/dev/null | grep -oE -- '(^|[ ,[|])--?[a-z][a-z-]*' | grep -oE -- '--?[a-z][a-z-]*'
}

_epitaph_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# The formats that this version writes.
_epitaph_targets()
{
	epitaph export --help 2>/dev/null | sed -n '1s/.*--to \([^ ]*\) .*/\1/p' | tr '|' ' '
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

_epitaph()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}

	COMPREPLY=()
	if [[ $COMP_CWORD -eq 1 ]]; then
		_epitaph_words "$(epitaph --help 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p') --help --version" "$cur"
		return
	fi
	# bash makes a word of the sign in --color=never.
	[[ $cur == = ]] && cur=
	[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
	case $prev in
	--to) _epitaph_words "$(_epitaph_targets)" "$cur" ;;
	--color) _epitaph_words "auto always never" "$cur" ;;
	--source) _epitaph_words "region ftrace log all" "$cur" ;;
	--generation) _epitaph_words "$(_epitaph_generations) $([[ $command == info ]] && echo all)" "$cur" ;;
	--channel) _epitaph_words "$(_epitaph_channels)" "$cur" ;;
	--last | --events | --cpu | --pid | --comm | --event) ;;
	*)
		if [[ $cur == -* ]]; then
			_epitaph_words "$(_epitaph_options "$command") --help" "$cur"
		elif [[ $command == help ]]; then
			return
		else
			compopt -o filenames 2>/dev/null
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		;;
	esac
}

complete -F _epitaph epitaph
