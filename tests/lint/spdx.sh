#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A licence in each file, and the right one for where it lies.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

# Not what is prose or data, nor lists that debhelper reads line by line.
code()
{
	files | grep -vE '^(LICENSES|docs|\.reuse)/|^debian/(changelog|control|copyright|source/|.*\.(dkms|docs|install|links|manpages|triggers)$)|\.gitignore$|^VERSION$|\.md$|\.expect$|\.abi$|/corpus/|/package(-lock)?\.json$'
}

# Of each file: its name, a tab, and what one of its first three lines says.
licences=$(code | xargs grep -Hnm1 'SPDX-License-[I]dentifier: ' |
	sed -nE 's,^([^:]*):[123]:.*SPDX-License-[I]dentifier: (.*)$,\1\t\2,; T; s, *\*/$,,; p')

unnamed()
{
	{ code; printf '%s\n' "$licences" | cut -f 1; } | sort | uniq -u
}

misplaced()
{
	printf '%s\n' "$licences" | while IFS='	' read -r file is; do
		case $file in
		include/epitaph/consume.h | include/epitaph/crc32c.h | include/epitaph/format.h | include/epitaph/mark.h | include/epitaph/parity.h | include/epitaph/rings.h)
			want="GPL-2.0-only OR BSD-2-Clause" ;;
		# What <epitaph-ring.h> includes into programs.
		kernel/core/ring.c | kernel/include/epitaph/arch_user.h | kernel/include/epitaph/check.h | kernel/include/epitaph/plat.h | kernel/include/epitaph/ring.h | kernel/include/epitaph/ring_fast.h)
			want="GPL-2.0-only OR BSD-2-Clause" ;;
		api/*)
			want="BSD-2-Clause" ;;
		kernel/*.[ch] | pstore-backend/*.[ch] | tests/crashes/*.[ch] | tests/vm/*.[ch] | tests/bench/guest/*.[ch] | tests/bench/lttng/*.[ch])
			want="GPL-2.0-only" ;;
		kernel/* | pstore-backend/* | */Kbuild)
			continue ;;
		*)
			want="GPL-2.0-or-later" ;;
		esac
		[ "$is" = "$want" ] || echo "$file: $is, wanted $want"
	done
}

textless()
{
	for licence in GPL-2.0-only GPL-2.0-or-later BSD-2-Clause; do
		files 'LICENSES/*' | grep -q "/$licence.txt" || echo "no LICENSES/$licence"
	done
}

holds "files__name_their_licence_on_top" "$(unnamed)"
holds "files__have_the_licence_of_their_place" "$(misplaced)"
holds "licences__have_their_texts" "$(textless)"
holds "project__is_as_reuse_wants_it" "$(reuse lint 2>&1 | grep -v '^reuse.project - WARNING' |
	grep -E 'ERROR|Unfortunately|^\* Bad|^\* Missing|^\* Unused|^\* Read errors: [1-9]' |
	grep -vE '^\* (Bad|Missing|Unused) licenses: *$')"
end
