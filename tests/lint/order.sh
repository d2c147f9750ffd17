#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory barriers have labels, partners, a row in docs/ring.md and a litmus test.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Each barrier of these needs a label; others may have one.
files 'kernel/core/*.[ch]' 'kernel/include/epitaph/*.[ch]' >"$scratch/owed"
git grep -l --untracked 'order:[a-z]' -- 'kernel/*.[ch]' 'extractor/*.[ch]' |
	sort -u - "$scratch/owed" | xargs tests/lint/barriers >"$scratch/places"
awk '$3 != "-"' "$scratch/places" >"$scratch/labelled"

unlabelled()
{
	awk 'NR == FNR { owed[$1]; next }
	     $3 == "-" { split($1, at, ":"); if (at[1] in owed) print $1 ": " $2 "() has no label in a comment above it: order:NAME pairs with order:OTHER in FILE" }' \
		"$scratch/owed" "$scratch/places"
}

doubled()
{
	awk '$3 in first { print $1 ": order:" $3 " is at " first[$3], "too" } { first[$3] = $1 }' "$scratch/labelled"
}

# A partner is in the file that is named; if it has partners itself, this is one of them.
partnerless()
{
	awk '{
		split($1, at, ":")
		file[$3] = at[1]
		kind[$3] = $4
		line[$3] = $1
		for (i = 5; i <= NF; i++) {
			split($i, other, "@")
			names[$3, other[1]] = other[2]
		}
		if ($4 == "pairs" && NF < 5)
			print $1 ": order:" $3 " names no partner: with order:OTHER in FILE"
	} END {
		for (pair in names) {
			split(pair, label, SUBSEP)
			if (file[label[2]] != names[pair])
				print line[label[1]] ": order:" label[1] ": no order:" label[2] " in " names[pair]
			else if (kind[label[2]] == "pairs" && !((label[2], label[1]) in names))
				print line[label[1]] ": order:" label[1] ": order:" label[2] " does not name it"
		}
	}' "$scratch/labelled"
}

# In the source, and in the tables of docs/ring.md: the label, then "local", "memory" or a partner.
pairs_of_source()
{
	awk '$4 == "local" || $4 == "memory" { print $3, $4 }
	     $4 == "pairs" { for (i = 5; i <= NF; i++) { sub(/@.*/, "", $i); print $3, $i } }' "$scratch/labelled" |
		awk '!(($2, $1) in seen) { print } { seen[$1, $2] }'
}

# shellcheck disable=SC2016 # backquotes of Markdown
pairs_of_page()
{
	sed -n 's/^| `order:\([a-z-]*\)` | \([^|]*\) |.*/\1 \2/p' docs/ring.md |
		awk '{ label = $1; sub(/^[^ ]* /, ""); n = split($0, other, ", "); for (i = 1; i <= n; i++) { gsub(/`|order:/, "", other[i]); print label, other[i] } }'
}

# The same pair, whichever comes first.
unordered()
{
	awk '{ print $1 < $2 ? $1 " " $2 : $2 " " $1 }' | sort
}

other_than_page()
{
	pairs_of_source | unordered >"$scratch/source"
	pairs_of_page | unordered >"$scratch/page"
	comm -23 "$scratch/source" "$scratch/page" | sed 's/^/not in the tables of docs\/ring.md: order:/'
	comm -13 "$scratch/source" "$scratch/page" | sed 's/^/only in the tables of docs\/ring.md: order:/'
}

# FILE PRIMITIVE LABEL of each line of a litmus test.
litmus_lines()
{
	awk 'match($0, /\/\/ order:[a-z-]+$/) {
		label = substr($0, RSTART + 9)
		match($0, /(smp_[a-z_]+|barrier) *\(/)
		print FILENAME, substr($0, RSTART, RLENGTH - 1), label
	}' tests/model/litmus/*.litmus
}

# Who reads after the end has no barrier in the source.
other_than_litmus()
{
	litmus_lines | awk '
	NR == FNR { what[$3] = $2; kind[$3] = $4; at[$3] = $1; next }
	{ tested[$3] }
	!($3 in what) { print $1 ": order:" $3 " is in no source"; next }
	kind[$3] != "end" && what[$3] != $2 { print $1 ": order:" $3 " is " $2 "(), at " at[$3] " it is " what[$3] "()" }
	END {
		for (label in what)
			if ((kind[label] == "pairs" || kind[label] == "end") && !(label in tested))
				print at[label] ": order:" label " is in no litmus test"
	}' "$scratch/labelled" -
}

# A barrier that no test misses is needless, or its test is.
never_broken()
{
	awk '$4 == "pairs" { print $3 }' "$scratch/labelled" | sort >"$scratch/pairs"
	sed -n 's/^ \* breaks: //p' tests/model/litmus/*.litmus | tr ' ' '\n' | sort -u |
		comm -23 "$scratch/pairs" - |
		sed 's/.*/order:& alone is in no line "breaks:" of a litmus test/'
}

holds "kernel__each_barrier_has_a_label" "$(unlabelled)"
holds "kernel__each_label_is_unique" "$(doubled)"
holds "kernel__each_partner_is_where_its_label_says" "$(partnerless)"
holds "ring_md__has_the_pairs_of_the_source" "$(other_than_page)"
holds "litmus__has_the_barriers_of_the_source" "$(other_than_litmus)"
holds "litmus__each_barrier_is_missed" "$(never_broken)"
end
