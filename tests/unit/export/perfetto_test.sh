#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The Perfetto export of golden regions says what its JSON export says, by
# the schema of docs/perfetto.proto and no number outside it.
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../../..
epitaph=$top/extractor/epitaph
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nr=0
failed=0

if ! command -v protoc >/dev/null; then
	echo "1..0 # SKIP protoc is not installed"
	exit 77
fi

# says_the_same REGION OPTION...: the same status, decoded without a rest, the same events
says_the_same() {
	"$top/tests/golden/mkregion" "$1" "$dir/region" || return 1
	shift
	rm -f "$dir/json" "$dir/perfetto"
	"$epitaph" export --damaged --to json -o "$dir/json" "$@" "$dir/region" 2>/dev/null
	want=$?
	"$epitaph" export --damaged --to perfetto -o "$dir/perfetto" "$@" "$dir/region" 2>/dev/null
	got=$?
	[ $got = $want ] || { echo "exit status $got, JSON $want"; return 1; }
	[ -e "$dir/json" ] || { [ ! -e "$dir/perfetto" ]; return; }
	protoc -I "$top/docs" --decode=perfetto.protos.Trace perfetto.proto \
		<"$dir/perfetto" >"$dir/decoded" || return 1
	! grep -E '^ *[0-9]+[: ]' "$dir/decoded" || { echo "numbers that the schema has not"; return 1; }
	"$here/perfetto_check" "$dir/decoded" "$dir/json"
}

claim() {
	nr=$((nr + 1))
	name=$1
	shift
	if says_the_same "$@" >"$dir/said" 2>&1; then
		echo "ok $nr - perfetto__$name"
	else
		echo "not ok $nr - perfetto__$name"
		sed 's/^/# /' "$dir/said"
		failed=$((failed + 1))
	fi
}

for region in whole hostile-texts markup-texts marks-and-crash kernel-log symbols big-endian slices no-formats \
	unparsable-format lost-events lost-chain gone-in-mid-ring overwritten damaged-payload \
	damaged-sub-header torn-in-the-middle done-not-summed two-not-summed mce-fatal \
	mce-storm-gap mce-hostile-comm damaged-format-batch nothing-of-ours; do
	claim "$(echo "$region" | tr - _)" "$top/tests/golden/$region.region"
done
claim a_loss_before_what_is_left_out "$top/tests/golden/lost-before-another.region" --event test:number
echo "1..$nr"
exit $((failed != 0))
