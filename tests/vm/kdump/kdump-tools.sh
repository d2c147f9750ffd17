#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian's kdump-tools with our hooks: one crash, and our trace is on disk before their
# vmcore, and in it; the boot after it saves it no second time.  What is on the disk then, this
# machine reads.  The long form is long/debian.sh.

# shellcheck disable=SC2317 # check calls them
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

check "boot $boot: the initramfs has loaded the recorder" [ -d /sys/kernel/epitaph ]
check "boot $boot: no unit failed" no_unit_of_ours_failed
if [ "$boot" = 2 ]; then
	check "the boot after it saves no second copy" captured_once
	check "one crash takes no more than the region has" no_larger_than_the_region
	report_crashes
	check "who logs in sees why it died" login_says_it
	check "the journal says it, with a text of the catalog" journal_explains_it
	check "a program in crash.d got the reason, once" grep -cx '.*sysrq triggered crash' /root/hooked
	check "epitaph list has the crash alone, and its reason" list_has_the_crash
	check "epitaph report --latest is its report" latest_is_the_crash
	check "and who logs in then sees nothing" refused login_says_it
	exit
fi
check "kdump is loaded" kdump_is_loaded
mkdir -p /etc/epitaph/crash.d
printf '#!/bin/sh\necho "$EPITAPH_REASON" >>/root/hooked\n' >/etc/epitaph/crash.d/50-test
chmod 755 /etc/epitaph/crash.d/50-test
sync
panic
BOOTS

crash_dirs() {
	debugfs -R "rdump /var/crash $out" "$out/disk.img" >>"$out/debugfs" 2>&1
	ls -lR "$out/crash"
	ours=$(echo "$out"/crash/epitaph-*)
	theirs=$(echo "$out"/crash/2*/dump.*)
	[ -d "$ours" ] && [ -s "$theirs" ]
}

same_trace_as_theirs() {
	recovers "$epitaph" report --all "$theirs" | without_death >"$out/report-theirs" &&
		recovers "$epitaph" report --all "$ours/region" | without_death >"$out/report-ours" &&
		[ -s "$out/report-theirs" ] && cmp "$out/report-theirs" "$out/report-ours"
}

recorder_stays_out() {
	! grep 'epitaph: this is a capture kernel' "$out/console.log"
}

need_bare_debian
check "apt installs the packages" install_built
cp "$out/said" "$out/installed"
check "and builds each initramfs once" [ "$(grep -c '^[a-z-]*: Generating ' "$out/installed")" = 2 ]
put_script
debian_boots 3 \
	--measure 'sysrq triggered crash=>captured /var/crash/epitaph-' \
	--measure 'sysrq triggered crash=>saved vmcore in'
check "trace and vmcore are on the disk" crash_dirs
check "nothing loads the recorder in the capture kernel" recorder_stays_out
check "a summary lies beside the region" [ -s "$ours/summary.txt" ]
check "the vmcore of kdump-tools gives the same trace" same_trace_as_theirs
# Who dies while another CPU prints has no console; makedumpfile has the kernel's log.
boot_words=
"$here/kernel-says" --boot 1 --is-there "$out/console.log" || boot_words=$(echo "$out"/crash/2*/dmesg.*)
for file in "$ours/region" "$theirs"; do
	compare_boot 1 "$file"
done
sed 's/^/# /' "$out/measures"
clean_up
rm -rf "$out/crash"
finish
