#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What differs between architectures is in one room of the recorder.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

# The room, and what every probe has inline.
room='^kernel/(arch/|include/epitaph/arch_(clock|cpu|user)\.h:)'
configs='CONFIG_(X86|AMD|INTEL|ARM|S390|PPC|POWERPC|RISCV|MIPS|LOONGARCH)'
macros='__(x86_64|i386|amd64|aarch64|arm|s390x?|powerpc(64)?|riscv)__'

# elsewhere EXPRESSION: lines of the recorder outside of the room that have it
elsewhere()
{
	files 'kernel/*.[ch]' 'kernel/*Kbuild' kernel/Makefile |
		xargs grep -nE -- "$1" /dev/null | grep -vE "$room"
}

# A header of the architecture's that other architectures lack is the same question.
foreign_headers()
{
	elsewhere '#[ 	]*include[ 	]*<asm/(tsc|unwind|stacktrace|sysreg|ptrauth|pointer_auth|timex|uv)\.h>'
}

# What all of them have to define, and each is defined in all.
missing_words()
{
	sed -n 's/^ \*	\(EPITAPH_ARCH_[A-Z_]*\)	.*/\1/p' kernel/arch/arch.h |
		while read -r word; do
			for header in x86 arm64 s390x ppc64 generic; do
				grep -qE "^#define $word	" "kernel/arch/$header.h" ||
					echo "kernel/arch/$header.h: no $word"
			done
		done
	sed -n 's/^[a-z].*[ *]\(epitaph_arch_[a-z_]*\)(.*);$/\1/p' kernel/arch/arch.h | while read -r function; do
		for file in x86 arm64 s390x ppc64 generic; do
			grep -q "\<$function(" "kernel/arch/$file.c" || echo "kernel/arch/$file.c: no $function()"
		done
	done
}

holds "kernel__asks_for_the_architecture_only_in_its_room" "$(elsewhere "$configs|$macros")"
holds "kernel__includes_headers_of_one_architecture_only_there" "$(foreign_headers)"
holds "kernel__asks_for_arguments_only_by_arch_h" "$(elsewhere 'regs_get_kernel_argument')"
holds "arch__each_one_has_all_of_the_interface" "$(missing_words)"
end
