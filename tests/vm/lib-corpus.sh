# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words for the corpus: a guest dies by one module of tests/crashes, with kdump.  The comment in
# the module says how it comes to that, "guest:" lines of the guest's script, "modules:" of the
# kernel, "when:" and "qemu:" options of run.  Source it behind lib.sh.

crashes=${CRASHES:-$top/tests/crashes}
built=$top/build/crashes-$kernel

# of_crash NAME KEY: what the module's comment says behind that word.
of_crash() {
	sed -n "/^ \*\/\$/q; s/^ \* $2: //p" "$crashes/$1.c"
}

# all_crashes: those by which the guest's kernel dies; "kernels:" is of those that need what others have not,
# "x86:" of those that other machines do not die by.
all_crashes() {
	grep -l '^ \* guest: ' "$crashes"/*.c | sed 's|.*/||; s|\.c$||' | while read -r name; do
		[ -z "${ON_MACHINE:-}" ] || ! of_crash "$name" x86 | grep -q . || continue
		kernels=$(of_crash "$name" kernels)
		case " ${kernels:-$kernel} " in
		*" $kernel "*) echo "$name" ;;
		esac
	done
}

# build_crashes [NAME...]: these modules or all, for the guest's kernel.
build_crashes() {
	mkdir -p "$built"
	find "$built" -type l -delete
	ln -s "$crashes"/*.c "$crashes"/*.h "$built/"
	if [ $# -gt 0 ]; then printf '%s\n' "$@"; else all_crashes; fi | sed 's/.*/obj-m += &.o/' >"$built/Kbuild"
	# shellcheck disable=SC2046 # words
	"$top/scripts/kernels" --run "$kernel" make -s -k -j2 -C "$("$top/scripts/kernels" --headers "$kernel")" \
		M="$built" $("$top/scripts/kernels" --make-args "$kernel") modules >"$out/build.log" 2>&1 && return
	cat "$out/build.log"
	not_ok "builds the modules"
	finish
}

# options_of_crash NAME: of boot, one on a line.
options_of_crash() {
	printf '%s\n' --allow . --timeout 240
	of_crash "$1" when | sed 's/^/--when\n/'
	[ -z "$(of_crash "$1" qemu)" ] || { echo --; of_crash "$1" qemu | tr ' ' '\n'; }
}

# crash_by NAME: the guest dies; region and vmcore are in $saved, the console in $out.
crash_by() {
	{
		echo load_recorder
		echo arm_kdump
		echo 'sleep 1'
		of_crash "$1" guest
		echo await_end
	} | guest
	guest_modules=$(of_crash "$1" modules)
	guest_programs=$(of_crash "$1" programs)
	pack_guest "$top/extractor/epitaph-static" "$built/$1.ko"
	make_disk 512M
	options_of_crash "$1" >"$out/options"
	append="guest.capture= $(of_crash "$1" append)" with_lines "$out/options" \
		boot --disk "$out/disk.img" --expect 'capture: done'
	grep -q '^capture: done' "$out/console.log" && take_disk
}

# says_why NAME: explain claims of the vmcore what the module wants ("must:", the strength in front of
# the claim), of the region what it wants of that ("region:"), and of neither what it forbids ("not:");
# a line of the vmcore's evidence is as it wants ("shows:").
says_why() {
	for file in region vmcore; do
		recovers "$epitaph" explain --json "$saved/$file" >"$out/json" || return
		jq -r '"\(.strength): \(.claim)"' "$out/json" | tee "$out/claim"
		! of_crash "$1" not | grep . >"$out/forbidden" || ! grep -E -f "$out/forbidden" "$out/claim" || return
		[ "$file" = vmcore ] || ! of_crash "$1" region | grep . >"$out/wanted" ||
			grep -E -f "$out/wanted" "$out/claim" || return
	done
	! of_crash "$1" must | grep . >"$out/wanted" || grep -E -f "$out/wanted" "$out/claim" || return
	! of_crash "$1" shows | grep . >"$out/wanted" || jq -r '.evidence[].text' "$out/json" | grep -E -f "$out/wanted"
}
