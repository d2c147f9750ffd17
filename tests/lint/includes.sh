#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Who may include whom, and who may ask what it is built for.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

# lines EXPRESSION PATTERN...: of C files, with their places
lines()
{
	expression=$1
	shift
	files "$@" | xargs -r grep -nE -- "$expression" /dev/null
}

# broken_rooms: what tests/lint/rooms does not allow, each with its rule
broken_rooms()
{
	{
		files 'extractor/*.[ch]' 'kernel/*.[ch]' | grep -v '^kernel/include/' | sed 's/^/file /'
		lines '^#[ 	]*include[ 	]*"' 'extractor/*.[ch]' 'kernel/*.[ch]' |
			grep -v '^kernel/include/' | sed 's/^/line /'
	} | awk -f tests/lint/rooms.awk tests/lint/rooms -
}

holds "extractor__shares_only_the_format_with_the_kernel" \
	"$(lines '#[ 	]*include[ 	].*epitaph/' 'extractor/*.[ch]' |
		grep -vE '<epitaph/(consume|crc32c|format|mark|parity|epitaph)\.h>')"
holds "python_modules__use_public_headers_alone" \
	"$(lines '#[ 	]*include[ 	]' 'python/*.[ch]' | grep -vE '<(Python|string|epitaph/epitaph|epitaph-ring)\.h>')"
holds "include__never_climbs_out_of_its_folder" \
	"$(lines '#[ 	]*include.*\.\./' '*.[ch]')"
holds "include__does_not_name_a_part" \
	"$(lines '#[ 	]*include[ 	]*["<](extractor|kernel|pstore-backend)/' '*.[ch]')"
holds "ring_c__includes_only_ring_h" \
	"$(lines '#[ 	]*include' kernel/core/ring.c | grep -v '<epitaph/ring\(_fast\|_long\)*\.h>$')"
holds "format_h__includes_only_linux_types_h" \
	"$(lines '#[ 	]*include' include/epitaph/format.h |
		grep -v '<linux/types\.h>$')"
holds "kernel_or_user_space__is_asked_only_in_plat_h" \
	"$(lines '__KERNEL__' '*.[ch]' | grep -v '^kernel/include/epitaph/plat\.h:')"
holds "kernel_version__is_asked_only_in_compat_h" \
	"$(lines 'LINUX_VERSION_CODE|KERNEL_VERSION *\(' '*.[ch]' |
		grep -vE '^(kernel|pstore-backend|tests/vm/victim|tests/bench/guest)/compat\.h:')"
holds "rooms__include_what_the_table_allows" "$(broken_rooms)"
holds "code__is_not_a_list_of_wishes" \
	"$(files | grep -v '^tests/lint/' | xargs grep -nwE 'TODO|FIXME' /dev/null)"
end
