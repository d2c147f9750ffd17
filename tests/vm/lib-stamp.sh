# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words for crash stamps.

# stamp_of REGION: from now on, its stamp is what is asked about.
stamp_of() {
	"$here/stamp" "$1" >"$out/stamp"
}

# stamp_says REGEX
stamp_says() {
	grep -Eq -- "$1" "$out/stamp" && return
	head -n 20 "$out/stamp"
	return 1
}

# stamp_lacks REGEX
stamp_lacks() {
	! grep -E -- "$1" "$out/stamp"
}
