#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the code says is in the documents.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

format_h=include/epitaph/format.h
ring="kernel/core/ring.c kernel/include/epitaph/ring_fast.h"

# missing FILE: words on standard input that FILE lacks
missing()
{
	sort -u | while read -r word; do
		grep -sqwF -- "$word" "$1" || echo "$word is not in $1"
	done
}

names()
{
	grep -oE '\bEPITAPH_[A-Z0-9_]*[A-Z0-9]\b' $format_h
}

# A paragraph may call struct epitaph_event_size "Event size".
structs()
{
	sed -n 's/^struct epitaph_\([a-z0-9_]*\) {.*/\1/p' $format_h |
		while read -r name; do
			grep -qiE "epitaph_$name|\*\*$(echo "$name" | tr _ ' ')\*\*" docs/format.md ||
				echo "struct epitaph_$name is not in docs/format.md"
		done
}

crash_points()
{
	# shellcheck disable=SC2086 # two files
	sed -n 's/.*crash_point("\([^"]*\)").*/\1/p' $ring | sort -u
}

# Crash points, and steps that are labelled in the margin only.
labels()
{
	sed -n 's/.*crash_point("\([^"]*\)").*/\1/p' kernel/core/ring.c kernel/include/epitaph/ring_fast.h
	sed -n 's,.*/\* \([a-z]*:[A-Za-z]*\) \*/.*,\1,p' kernel/core/ring.c kernel/include/epitaph/ring_fast.h
}

untested_labels()
{
	sed -n 's/.*crash_point("\([^"]*\)").*/\1/p' kernel/core/ring.c kernel/include/epitaph/ring_fast.h | sort -u |
		while read -r label; do
			grep -qF "\"$label\"" tests/lib/ring_rig.c tests/unit/kernel/ring_stop_test.c ||
				echo "$label is in neither of tests/lib/ring_rig.c and ring_stop_test.c"
		done
}

version()
{
	sed -n 's/^#define EPITAPH_\(MAJOR\|MINOR\)[ \t]*\([0-9]*\).*/\2/p' $format_h | paste -sd.
}

parameters()
{
	sed -n 's/^module_param\(_named\)\?(\([a-z_]*\),.*/\2/p' kernel/*/*.c pstore-backend/*.c | sort -u |
		while read -r name; do
			grep -srqwF "$name" README.md docs || echo "$name is in no document"
		done
}

# Pages of the manual that its contents do not list, and links that lead nowhere.
lost_pages()
{
	for page in docs/*.md; do
		[ "$page" = docs/README.md ] || grep -qF "(${page#docs/})" docs/README.md ||
			echo "docs/README.md does not list $page"
	done
	for page in README.md CONTRIBUTING.md docs/*.md; do
		grep -oE '\]\([A-Za-z][A-Za-z0-9/_.-]*\)' "$page" | tr -d '()]' | while read -r link; do
			[ -e "$(dirname "$page")/$link" ] || echo "$page: no $link"
		done
		grep -oE '(^|[^a-z])docs/[a-z-]+\.(md|[1-9]|png)' "$page" | grep -o 'docs/.*' | while read -r name; do
			[ -e "$name" ] || echo "$page: no $name"
		done
	done
}

# Pages whose prose is not rewritten yet.
unwritten="docs/fleet.md docs/library.md docs/python.md"

pages()
{
	for page in README.md CONTRIBUTING.md docs/*.md; do
		case " $unwritten " in *" $page "*) continue ;; esac
		echo "$page"
	done
}

# Lines of prose over 100 columns: no table, no output, no URL.
long_lines()
{
	pages | LC_ALL=C.UTF-8 xargs grep -nE '.{101}' /dev/null |
		grep -vE '^[^:]*:[0-9]*:([|]|    )|https?:'
}

# Words that have a plainer one.
private_words()
{
	pages | xargs grep -nwiE 'told|nobody|whoever|somebody' /dev/null
}

# Tests that a page names and that have moved.
lost_tests()
{
	pages | xargs grep -ohE '(^|[^a-z])tests/[a-z]+/[a-z0-9/_.-]+\.(sh|c)' | grep -o 'tests/.*' | sort -u |
		while read -r name; do
			[ -e "$name" ] || echo "no $name"
		done
}

# some COMMAND: a list that is empty is looked for in the wrong place
some()
{
	[ -n "$("$1")" ] || echo "no $1 found"
}

holds "lists__are_where_this_looks_for_them" \
	"$(for list in names crash_points labels version pages; do some $list; done)"
holds "format_md__has_every_name_of_format_h" "$(names | missing docs/format.md)"
holds "format_md__has_every_struct_of_format_h" "$(structs)"
holds "format_md__is_about_this_version" \
	"$(head -1 docs/format.md | grep -qF "version $(version)" || version)"
holds "ring_md__has_every_label_of_ring_c" "$(labels | missing docs/ring.md)"
holds "ring_crash_test__knows_every_label_of_ring_c" "$(untested_labels)"
holds "module_parameters__are_documented" "$(parameters)"
holds "prose__has_lines_of_at_most_100_columns" "$(long_lines)"
holds "prose__says_it_in_plain_words" "$(private_words)"
holds "pages__name_tests_that_are_there" "$(lost_tests)"
holds "manual__lists_its_pages_and_links_to_what_is_there" "$(lost_pages)"
end
