#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A name stands for one thing in a program.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

# twice PATTERN...: what two of these files define
twice()
{
	files "$@" | xargs tests/lint/twice
}

holds "extractor__has_no_static_function_and_no_tag_twice" "$(twice 'extractor/*.[ch]')"
holds "kernel__has_no_static_function_and_no_tag_twice" "$(twice 'kernel/*.[ch]' 'include/*.h')"
end
