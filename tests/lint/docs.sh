#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the code says is in the documents.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

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
			grep -qF "\"$label\"" tests/lib/ring_rig.c tests/unit/kernel/ring_stop_test.c tests/unit/kernel/ring_consume_test.c tests/unit/kernel/ring_move_test.c ||
				echo "$label is in none of tests/lib/ring_rig.c, ring_stop_test.c, ring_consume_test.c and ring_move_test.c"
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


pages()
{
	printf '%s\n' README.md CONTRIBUTING.md SECURITY.md docs/*.md
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

# Files that a page names and that are not there: `dump/elf.c`, `die_*.c`, `tests/golden/check`; tests
# in commands too.  Not ours are installed files (`/etc/kdump/pre.d/50-epitaph.sh`), those of others
# (crash's `defs.h`), and those that the reader makes (Write `csv.c`; `NAME.c`, `my_trace.h`).
lost_files()
{
	files | awk '
		function look_for(name, pattern, path)
		{
			sub(/[.\/]*$/, "", name)
			if (name ~ /^\// || name ~ /(^|\/)([A-Z]+|my_[^\/]*)(\.|\/|$)/ || name in tree)
				return
			pattern = name
			gsub(/\./, "\\.", pattern)
			gsub(/\*/, "[^/]*", pattern)
			for (path in tree)
				if (path ~ "^" pattern "$")
					return
			print FILENAME, name
		}

		NR == FNR {
			top[$0 ~ "/" ? substr($0, 1, index($0, "/") - 1) : "/"]
			for (path = $0; path != ""; sub("/?[^/]*$", "", path))
				for (end = path; !(end in tree); sub("^[^/]*/", "", end))
					tree[end]
			next
		}

		{
			n = split($0, word, /[^A-Za-z0-9_.\/*-]+/)
			for (i = 1; i <= n; i++)
				if (word[i] ~ /^tests\/.*\.(sh|c|h|py)$/)
					look_for(word[i])
			gsub(/(^|\n)    [^\n]*/, "")
			nr_parts = split($0, part, "`")
			for (p = 2; p <= nr_parts; p += 2) {
				n = split(part[p], word, /[^A-Za-z0-9_.\/*-]+/)
				for (i = 1; i <= n; i++)
					if (part[p - 1] !~ /(\047s|Write)[ \n]$/ &&
					    (word[i] ~ /\.(c|h|sh|py)$/ ||
					     index(word[i], "/") && substr(word[i], 1, index(word[i], "/") - 1) in top))
						look_for(word[i])
			}
		}' - RS= README.md CONTRIBUTING.md SECURITY.md docs/*.md | sort -u | while read -r page name; do
		git check-ignore -q -- "$name" || echo "$page: no $name"
	done
}

# Functions that a page names and that are not there: `dump_read()`, `doctor_check_*()`.  Ours begin with
# epitaph_, or with the name of a header of extractor/; a page may define one in its code.
lost_functions()
{
	files 'extractor/*.h' | sed 's,.*/\(.*\)\.h,\1_ -,' >"$scratch/functions"
	files | grep -vE '\.md$|^docs/|^LICENSES/' | xargs grep -hoE '\b[A-Za-z_][A-Za-z0-9_]*\(' |
		tr -d '(' | sort -u >>"$scratch/functions"
	awk '
		function look_for(name, pattern, known)
		{
			pattern = name
			gsub(/\*/, ".*", pattern)
			for (known in there)
				if (known ~ "^" pattern "$")
					return
			print FILENAME ": no " name "()"
		}

		BEGIN { ours = "^(epitaph_" }
		$2 == "-" { ours = ours "|" $1; next }
		NR == FNR { there[$1]; next }
		FNR == 1 { split("", defined) }
		{
			is_code = /^    /
			while (match($0, /[A-Za-z0-9_*]+\(/)) {
				name = substr($0, RSTART, RLENGTH - 1)
				$0 = substr($0, RSTART + RLENGTH)
				if (is_code)
					defined[name]
				else if (/^\)/ && name ~ ours ")" && !(name in defined) && name !~ /_[A-Z]+_/)
					look_for(name)
			}
		}' "$scratch/functions" README.md CONTRIBUTING.md SECURITY.md docs/*.md docs/*.5
}

# Of each row of docs/kernel-log.md, the part of a line that the source prints.
# shellcheck disable=SC2016 # the backquotes are of Markdown
logged()
{
	sed -n 's/^| `\([^`]*\)` |.*/\1/p' docs/kernel-log.md
}

unlogged()
{
	logged | while read -r line; do
		grep -rqF --include='*.c' -- "$line" kernel pstore-backend || echo "docs/kernel-log.md: $line"
	done
}

# some COMMAND: a list that is empty is looked for in the wrong place
some()
{
	[ -n "$("$1")" ] || echo "no $1 found"
}

holds "lists__are_where_this_looks_for_them" \
	"$(for list in names crash_points labels version pages logged; do some $list; done)"
holds "format_md__has_every_name_of_format_h" "$(names | missing docs/format.md)"
holds "format_md__has_every_struct_of_format_h" "$(structs)"
holds "format_md__is_about_this_version" \
	"$(head -1 docs/format.md | grep -qF "version $(version)" || version)"
holds "ring_md__has_every_label_of_ring_c" "$(labels | missing docs/ring.md)"
holds "ring_crash_test__knows_every_label_of_ring_c" "$(untested_labels)"
holds "kernel_log_md__has_lines_that_the_source_prints" "$(unlogged)"
holds "module_parameters__are_documented" "$(parameters)"
holds "prose__has_lines_of_at_most_100_columns" "$(long_lines)"
holds "prose__says_it_in_plain_words" "$(private_words)"
holds "pages__name_sources_that_are_there" "$(lost_files)"
holds "pages__name_functions_that_are_there" "$(lost_functions)"
holds "manual__lists_its_pages_and_links_to_what_is_there" "$(lost_pages)"
end
