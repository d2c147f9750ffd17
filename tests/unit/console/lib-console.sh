# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# Words of the tests of a console's text; source it behind lib.sh.

# of COMMAND...: what the tool says of a text, which may be damaged.
of() {
	"$epitaph" "$@" || [ $? = 1 ]
}

# says TEXT: of what was printed last.
says() {
	grep -F -- "$1" printed || { cat printed; return 1; }
}
