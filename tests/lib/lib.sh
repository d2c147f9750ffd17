# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Words of the shell tests in tests/unit, whose claims are functions.  Sourced.
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../../..
epitaph=$top/extractor/epitaph
suite=$(basename "$0" _test.sh)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nr=0
failed=0

# ok CLAIM COMMAND...: what the command says is shown when it fails.
ok() {
	claim=$1
	shift
	nr=$((nr + 1))
	if "$@" >"$dir/said" 2>&1; then
		echo "ok $nr - ${suite}__$claim"
	else
		echo "not ok $nr - ${suite}__$claim"
		sed 's/^/# /' "$dir/said" | cut -c1-300 | head -n 60
		failed=$((failed + 1))
	fi
}

# skip CLAIM WHY
skip() {
	nr=$((nr + 1))
	echo "ok $nr - ${suite}__$1 # SKIP $2"
}

# exits STATUS ARGUMENT...: of epitaph
exits() {
	want=$1
	shift
	"$epitaph" "$@"
	[ $? -eq "$want" ] || { echo "epitaph $*: not $want"; return 1; }
}

# finish: the last word of a test.
finish() {
	echo "1..$nr"
	[ "$failed" -eq 0 ]
	exit
}
