#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The table of commands, the parser, the help, the completions and the man pages say the same.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

pages=$top/build/manual
make -s -C "$top/extractor" pages || exit

commands() {
	"$epitaph" help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

# help_options COMMAND: long options of its --help, with "=" where they have a value
help_options() {
	"$epitaph" "$1" --help |
		sed -nE 's/^  (-[a-z], )?(--[a-z0-9-]+)( [^ ]+)?(  .*)?$/\2\3/p' | sed 's/ .*/=/'
}

# for_each_command FUNCTION: the first one that fails is named
for_each_command() {
	[ "$(commands | wc -l)" -gt 20 ] || return 1
	for command in $(commands); do
		"$1" "$command" || { echo "($command)"; return 1; }
	done
}

the_first_help_fits_a_terminal() {
	"$epitaph" --help >"$dir/help"
	[ "$(wc -l <"$dir/help")" -le 24 ] && ! grep -E '.{81}' "$dir/help" &&
		[ "$(grep -cE '^  [a-z][a-z-]*  ' "$dir/help")" = 6 ]
}

help_is_80_columns_wide() {
	! "$epitaph" help | grep -E '.{81}' && for_each_command options_are_80_columns_wide
}

options_are_80_columns_wide() {
	! "$epitaph" "$1" --help | grep -E '.{81}'
}

help_command_is_command_help() {
	"$epitaph" help "$1" >"$dir/one" && "$epitaph" "$1" --help | cmp - "$dir/one"
}

# says WORDS COMMAND OPTION: on stderr.  The last option is none, so the command does nothing.
says() {
	"$epitaph" "$2" "$3" --no-such-option 2>&1 | grep -q -- "$1"
}

# Every option of the help is taken by the parser, with a value where the help has one.
parser_takes_options() {
	[ "$(help_options "$1" | wc -l)" -ge 3 ] || return 1
	for option in $(help_options "$1"); do
		case $option in
		*=) ! says "no option ${option%=}\|takes no value" "$1" "${option}auto" ;;
		*) ! says "no option $option\|value is missing" "$1" "$option" &&
			says 'takes no value' "$1" "$option=auto" ;;
		esac || { echo "$option"; return 1; }
	done
}

parser_refuses_others() {
	"$epitaph" "$1" --no-such-option >/dev/null 2>"$dir/err"
	[ $? = 2 ] && grep -q 'no option --no-such-option' "$dir/err"
}

# bash_options COMMAND
bash_options() {
	bash -c '. "$1"; _epitaph_options "$2"' bash "$pages/completion/epitaph.bash" "$1" |
		tr ' ' '\n' | grep '^--' | grep -vx -- --help
}

zsh_options() {
	sed -n "/^		$1)\$/,/^			;;/p" "$pages/completion/_epitaph" |
		grep -oE "(^			|,)--[a-z0-9-]+['}]" | tr -d "\t,'}" | grep -vx -- --help
}

fish_options() {
	sed -nE "s/.*(seen_subcommand_from $1'|not __fish_use_subcommand').* -l ([a-z0-9-]+).*/--\2/p" \
		"$pages/completion/epitaph.fish"
}

man_options() {
	sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' "$pages/man1/epitaph-$1.1" | sed 's/\\-/-/g; s/\\f[BRI]/ /g' |
		grep -A1 '^\.TP' | grep -oE -- ' --[a-z0-9 -]+' | sed 's/ *//g'
}

# agree COMMAND: help, completions and page have the same options
agree() {
	help_options "$1" | tr -d = | sort >"$dir/help"
	for shell in bash zsh fish man; do
		"${shell}_options" "$1" | sort | diff "$dir/help" - || { echo "$shell"; return 1; }
	done
}

completions_have_every_command() {
	for shell in epitaph.bash _epitaph epitaph.fish; do
		grep -qw -- "$1" "$pages/completion/$shell" || { echo "$shell"; return 1; }
	done
}

completions_are_scripts() {
	bash -n "$pages/completion/epitaph.bash" && zsh -n "$pages/completion/_epitaph" &&
		fish --no-execute "$pages/completion/epitaph.fish" &&
		shellcheck -s bash "$pages/completion/epitaph.bash"
}

a_page_is_listed_and_installed() {
	grep -q "^.fBepitaph.-.fB$(echo "$1" | sed 's/-/\\\\-/g').fR(1)$" "$pages/man1/epitaph.1" &&
		grep -q "build/manual/man1/epitaph-$1\.1[ 	]" "$top/scripts/install.list"
}

no_page_is_left_over() {
	for page in "$pages"/man1/epitaph-*.1; do
		name=${page##*/epitaph-}
		commands | grep -qx "${name%.1}" || { echo "$page"; return 1; }
	done
}

pages_are_well_formed() {
	for page in "$pages"/man1/*.1 "$pages/man3/libepitaph.3" "$top"/docs/*.[1-9]; do
		LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >"$dir/page" | grep . && return 1
		[ -s "$dir/page" ] || return 1
		mandoc -T lint -W warning "$page" || return 1
	done
}

each_function_of_the_library_is_in_its_page() {
	sed -n 's/^EPITAPH_API .*[ *]\(epitaph_[a-z_]*\)(.*/\1/p' "$top/include/epitaph/epitaph.h" >"$dir/functions"
	[ "$(wc -l <"$dir/functions")" -ge 60 ] || return 1
	while read -r name; do
		grep -q "^.SS .fB$name()" "$pages/man3/libepitaph.3" || { echo "$name"; return 1; }
	done <"$dir/functions"
}

module_parameters_are_in_the_page_of_the_files() {
	sed -n 's/^module_param\(_cb\)\?(\([a-z_]*\),.*/\2/p' "$top"/kernel/*/*.c "$top"/pstore-backend/*.c >"$dir/parameters"
	[ "$(wc -l <"$dir/parameters")" -ge 12 ] || return 1
	while read -r name; do
		grep -qw -- "$name" "$top/docs/epitaph-config.5" || { echo "$name"; return 1; }
	done <"$dir/parameters"
}

for claim in the_first_help_fits_a_terminal help_is_80_columns_wide completions_are_scripts \
	no_page_is_left_over pages_are_well_formed each_function_of_the_library_is_in_its_page module_parameters_are_in_the_page_of_the_files; do
	ok $claim $claim
done
for claim in help_command_is_command_help parser_takes_options parser_refuses_others agree \
	completions_have_every_command a_page_is_listed_and_installed; do
	ok $claim for_each_command $claim
done
finish
