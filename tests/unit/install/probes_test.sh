#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What kernel/probes/compile leaves out of a trace header, and what kernel/probes/sets says of it.  The
# compiler is cc; the kernel has a header of ours for each case, and exports one symbol.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
gen=$dir/gen
tab=$(printf '\t')

mkdir -p "$dir/epitaph"
cat >"$dir/epitaph/probes.h" <<'EOF'
#define SECOND_(first, second, ...) second
#define SECOND(...) SECOND_(__VA_ARGS__)
#define NO_PROBE(name, value)
#define PROBE(name, value) int epitaph_probe_##name(void) { return value; }
#define TRACE_EVENT(name, value) SECOND(EPITAPH_SKIP_##name NO_PROBE, PROBE, ~)(name, value)
#include EPITAPH_TRACE_HEADER
EOF

# header ID: from stdin
header() {
	cat >"$dir/$1.h"
	echo "$1 $1.h $dir/$1.h" >>"$gen/listed"
}

# kernel: one without headers
kernel() {
	rm -rf "$gen"
	mkdir "$gen"
	echo exported >"$gen/exported"
}

# compile ID [OPTION...]
compile() {
	id=$1
	shift
	"$top/kernel/probes/compile" "$gen" "$id" cc "$@" -I"$dir" -Werror -c -o "$gen/$id.o" "$gen/$id.c"
}

probes_of() {
	nm "$gen/$1.o" | sed -n 's/.* T epitaph_probe_//p' | tr '\n' ' '
}

of_a_header_what_cannot_be_probed_is_left_out() {
	kernel
	header half <<-'EOF'
		extern int exported(void), hidden(void);
		TRACE_EVENT(fits, exported())
		TRACE_EVENT(lacks, unknown_name)
		TRACE_EVENT(calls, hidden())
		TRACE_EVENT(points, !(struct of_others *)0)
	EOF
	compile half && [ "$(probes_of half)" = 'fits points ' ] &&
		grep "^half${tab}lacks$tab.*unknown_name.* undeclared" "$gen/half.left-out" &&
		grep -x "half${tab}calls${tab}hidden is not exported by vmlinux" "$gen/half.left-out" &&
		[ "$(wc -l <"$gen/half.left-out")" = 2 ]
}

a_header_that_does_not_compile_takes_no_other_down() {
	kernel
	header broken <<-'EOF'
		#include <not/there.h>
		TRACE_EVENT(event, 1)
	EOF
	echo 'TRACE_EVENT(event, 1)' | header whole
	compile broken && [ -z "$(probes_of broken 2>/dev/null)" ] && compile whole && [ "$(probes_of whole)" = 'event ' ] &&
		"$top/kernel/probes/sets" "$gen" >"$dir/words" &&
		grep -x 'probes: no header broken: not/there.h: No such file or directory' "$dir/words" &&
		[ "$(cut -d ' ' -f 1 "$gen/headers")" = whole ] &&
		grep -c '&epitaph_set_' "$gen/sets.c" | grep -x 1 && grep '&epitaph_set_whole,' "$gen/sets.c"
}

where_all_compiles_all_is_there() {
	kernel
	echo 'TRACE_EVENT(event, 1)' | header whole
	compile whole && "$top/kernel/probes/sets" "$gen" && cmp "$gen/headers" "$gen/listed" && [ ! -s "$gen/left-out.txt" ]
}

# All headers are left out then, or the compiler does not even compile what is empty.
what_is_no_fault_of_a_header_stops_the_build() {
	kernel
	echo "#include <not/there.h>" | header all
	compile all && ! "$top/kernel/probes/sets" "$gen" >"$dir/words" 2>&1 &&
		grep -x 'probes: no header compiles' "$dir/words" && ! compile all --no-such-option 2>"$dir/words" &&
		grep -e --no-such-option "$dir/words"
}

for claim in of_a_header_what_cannot_be_probed_is_left_out a_header_that_does_not_compile_takes_no_other_down \
	where_all_compiles_all_is_there what_is_no_fault_of_a_header_stops_the_build; do
	ok $claim $claim
done
finish
