#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lines of source of a real crash of 6.1, with Debian's debuginfo and the victim's:
# the whole report is what llvm-addr2line says, which reads DWARF by itself. Fetches 860 MB once.
# shellcheck disable=SC2016,SC2317

VM_DIR=../..
# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/../../lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
vmlinux=$("$top/scripts/kernels" --vmlinux 6.1)
crashed_beside_recorder

# offset_of DUMP: how far the kernel was moved
offset_of() {
	"$epitaph" info "$1" | sed -n 's/.*KASLR offset \(0x[0-9a-f]*\).*/\1/p' | head -n 1
}

as_addr2line() {
	recovers "$epitaph" report --all --source all --debug-dir "$vmlinux" \
		--debug-dir "$top/kernel/epitaph.ko" "$core" >"$out/report" || return 1
	recovers "$epitaph" export --to json -o "$out/json" --source all "$core" || return 1
	"$here/debuginfo-truth" "$out/report" "$out/json" "$(offset_of "$core")" "$vmlinux" \
		"$top/kernel/epitaph.ko"
}
check "each place is what llvm-addr2line says" as_addr2line
sed 's/^/# /' "$out/said"
check "the panic's own stack has lines" grep -q 'sysrq_handle_crash+0x.*(drivers/tty/sysrq.c:[0-9]*)' "$out/report"
check "stacks of ftrace have lines" grep -q '^ => kernel_clone (.*kernel/fork.c:[0-9]*)' "$out/report"
check "what was inlined is marked" grep -q '\[inlined\] ' "$out/report"

# The region alone has no memory to find modules' build ids in.
region_alone() {
	recovers "$epitaph" report --debug-dir "$vmlinux" "$saved/region" >"$out/alone" &&
		grep 'sysrq_handle_crash+0x.*(drivers/tty/sysrq.c:[0-9]*)' "$out/alone"
}
check "a region that was saved alone has them too" region_alone
rm -f "$core" "$out/json"
finish
