#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What an operator does between a crash and the boot that saves it: packages and regions come, go and
# change.  Nothing that a dead kernel left is lost unless the log says so, and the recorder records again.
# $OLD_RECORDER and $OLD_TOOL, of an earlier release, make the rows of upgrade and downgrade real;
# without them these rows are left out.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

region_is 16M
old=
[ ! -f "${OLD_RECORDER:-}" ] || [ ! -f "${OLD_TOOL:-}" ] || old=yes

# ROW BOOTS; a boot is MODULE:TOOL:SIZE:WHAT.  MODULE: new, old, unsigned or none.  WHAT: dies leaves the
# mark of its row and dies; dies-again leaves none: there is nothing to leave it in, or, of two slots,
# no room behind the first crash; passes restarts; saves harvests, and has all marks of its row;
# says-what-is-lost: the log does, where the crash fills all of a region that is smaller now.
# $ROWS: of these rows alone, an extended regular expression.
cat >"$out/table" <<'END'
same-again new:new:16M:dies new:new:16M:saves
upgrade old:old:16M:dies new:new:16M:saves
downgrade new:new:16M:dies old:old:16M:saves
tools-before-the-reboot old:new:16M:dies new:new:16M:saves
two-crashes-over-an-upgrade old:old:16M:dies new:new:16M:dies-again new:new:16M:saves
removed-and-back new:new:16M:dies none:none:16M:passes new:new:16M:saves
module-not-yet-built new:new:16M:dies none:new:16M:dies-again new:new:16M:saves
module-unsigned new:new:16M:dies unsigned:new:16M:dies-again new:new:16M:saves
smaller-region new:new:16M:dies new:new:8M:says-what-is-lost
larger-region new:new:8M:dies new:new:16M:saves
spool-moved new:new:16M:dies new:new:16M:saves-elsewhere
host-renamed new:new:16M:renamed-and-dies new:new:16M:saves
END
[ -z "${ROWS:-}" ] || sed -i -E "/^($ROWS) /!d" "$out/table"
[ "$old" ] || sed -i '/old:/d' "$out/table"
echo "# $(wc -l <"$out/table") rows"

guest <<'END'
with_disk
export TMPDIR=/tmp
# The line of this boot: which row, and which of its boots.
awk -v boot="$boot" '{ for (i = 2; i <= NF; i++) if (++n == boot) print $1, i - 1, $i }' /test/table >/tmp/line
read -r row nth words </tmp/line || { echo "guest: all rows are done"; exit; }
IFS=: read -r module tool size what <<LINE
$words
LINE
echo "guest: row $row, boot $nth: $words"

tool() {
	"/test/tool-$tool" "$@"
}
record_or_not() {
	case $module in
	none) return ;;
	unsigned)
		echo Y >/sys/module/module/parameters/sig_enforce
		check "$row: the module is refused" refused insmod /test/epitaph.ko addr=0x20000000 "size=$size"
		check "$row: doctor says that it has to be signed" doctor_says_signed
		return ;;
	old) set -- /test/old.ko ;;
	new) set -- /test/epitaph.ko ;;
	esac
	check "$row, boot $nth: the recorder is loaded" insmod "$1" addr=0x20000000 "size=$size"
	check "$row, boot $nth: it records" recording
}
recording() {
	tool status | tee /dev/stderr | grep -qiE 'recording'
}
doctor_says_signed() {
	mkdir -p "/lib/modules/$(uname -r)/updates"
	cp /test/epitaph.ko "/lib/modules/$(uname -r)/updates/"
	echo 'updates/epitaph.ko:' >"/lib/modules/$(uname -r)/modules.dep"
	tool doctor | grep -A 1 signature | tee /dev/stderr | grep -q 'only signed modules may be loaded'
}
leave_mark() {
	echo "$row-$nth was here" >/dev/epitaph-mark
	echo "$row-$nth" >>"/disk/marks-$row"
	sync
	sleep 1
}
# has_all DIR: what is saved there has each mark of this row, in a region that opens
has_all() {
	for region in "$1"/*/region; do
		"/test/tool-$newest" report --all "$region" 2>/dev/null
	done >/tmp/reports
	while read -r mark; do
		grep -q "$mark was here" /tmp/reports || { echo "$mark lacks"; ls -l "$1"/*; dmesg | grep epitaph: | tail -n 20; return 1; }
	done <"/disk/marks-$row"
}
saves() {
	tool harvest -o "$1" || [ $? = 1 ]
}
# What the row before left there is not this one's.
clear_region() {
	dd if=/dev/zero of=/dev/mem bs=4096 seek=$((0x20000000 / 4096)) count=4096 conv=notrunc 2>/dev/null
}
newest=new
[ "$nth" != 1 ] || check "$row: begins with an empty region" clear_region
record_or_not
case $what in
dies) leave_mark; umount /disk; crash ;;
renamed-and-dies) echo another-name >/proc/sys/kernel/hostname; leave_mark; umount /disk; crash ;;
dies-again) umount /disk; crash ;;
saves)
	check "$row: it is saved" saves /disk/spool
	check "$row: nothing is lost" has_all /disk/spool
	;;
says-what-is-lost) check "$row: the kernel says so" kernel_says 'is overwritten before it was harvested' ;;
saves-elsewhere)
	check "$row: it is saved" saves /disk/elsewhere
	check "$row: nothing is lost" has_all /disk/elsewhere
	check "$row: the older ones are where they were" [ -n "$(ls /disk/spool)" ]
	check "$row: both are listed" sh -c "[ \"\$(/test/tool-new list /disk/spool /disk/elsewhere | grep -c region)\" -ge 2 ] || { /test/tool-new list /disk/spool /disk/elsewhere; false; }"
	;;
esac
sync
umount /disk
reboot -f
END
stage_tools() {
	mkdir -p "$out/tools"
	cp "$top/extractor/epitaph-static" "$out/tools/tool-new"
	if [ "$old" ]; then
		install -m 755 "$OLD_TOOL" "$out/tools/tool-old"
		cp "$OLD_RECORDER" "$out/tools/old.ko"
		strip -g "$out/tools/old.ko"
	fi
}
stage_tools
pack_guest "$out/table" "$out"/tools/*
boots=$(awk '{ n += NF - 1 } END { print n + 1 }' "$out/table")
warm_boots "$boots" --timeout $((120 + 60 * boots)) --allow 'panic - not syncing: sysrq triggered crash'
check "all rows came to their end" grep -q '^guest: all rows are done' "$out/guest.log"
finish
