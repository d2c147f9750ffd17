#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two threads may each read a dump of their own (include/epitaph/epitaph.h): no function of the library keeps what it
# writes for all of them.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

ROOMS='base os dump region event mce recording debuginfo linux_kernel kernel_state kvm ftrace console timeline fault
instruction judge report explain excerpt reading lib'

# shellcheck disable=SC2046,SC2086 # words
holds "library__has_no_static_in_a_function_that_is_written" \
	"$(broken '^	+static ' $(files $(printf 'extractor/%s/*.c ' $ROOMS)) |
		grep -vE 'static (const|_Thread_local|inline) |\(\*const [a-z_]+\[\]\)')"
end
