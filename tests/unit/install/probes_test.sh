#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What kernel/probes/compile leaves out of a trace header, and what kernel/probes/sets says of it; what
# kernel/probes/kernel-types makes.  The compiler is cc; the kernel has a header of ours for each case,
# and exports one symbol.
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

# types PAHOLE SOURCE: of a kernel without any, as a part of an object.
types() {
	"$top/kernel/probes/kernel-types" "$gen/types_data.c" "$1" cc -g -c "$2" >"$dir/words" &&
		cc -c -o "$gen/types_data.o" "$gen/types_data.c" && nm "$gen/types_data.o" | grep ' R epitaph_types$'
}

types_of_pahole_are_a_part_of_the_module() {
	kernel
	echo 'struct card { long a, b; } *card;' >"$dir/card.c"
	types pahole "$dir/card.c" && grep '^types: [0-9]* bytes of BTF' "$dir/words" &&
		objcopy -O binary -j .rodata "$gen/types_data.o" "$dir/rodata" &&
		cmp -n "$(wc -c <"$gen/types_data.btf")" "$gen/types_data.btf" "$dir/rodata" &&
		pahole -F btf -C card "$gen/types_data.btf" | grep 'size: 16,' &&
		[ "$(ls "$gen")" = "$(printf '%s\n' exported types_data.btf types_data.c types_data.o)" ]
}

# none WORDS PAHOLE SOURCE: the module is built without, and it is said why.
none() {
	words=$1
	shift
	types "$@" && grep "^types: this kernel has no BTF, and none is added: $words.*; reports will lack" "$dir/words" &&
		[ ! -e "$gen/types_data.btf" ] && ! grep -q card "$gen/types_data.o"
}

without_types_the_module_is_built_all_the_same() {
	kernel
	echo 'struct card { unknown a; } *card;' >"$dir/bad.c"
	none 'no pahole (package dwarves)' /no/pahole "$dir/card.c" && none '.*unknown type name' pahole "$dir/bad.c" &&
		none 'false: ' false "$dir/card.c"
}

for claim in of_a_header_what_cannot_be_probed_is_left_out a_header_that_does_not_compile_takes_no_other_down \
	where_all_compiles_all_is_there what_is_no_fault_of_a_header_stops_the_build \
	types_of_pahole_are_a_part_of_the_module without_types_the_module_is_built_all_the_same; do
	ok $claim $claim
done
finish
