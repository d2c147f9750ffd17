#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016,SC2317 # the inner shell expands these; claims are called by name
#
# Debian's packages for another machine (arm64; MACHINE=s390x and so on), built on this one in a Debian of
# its own, .cache/debian-cross-MACHINE, with that machine's libraries.  QEMU's user mode runs the tool that
# is in them.  They are built anew if they are older than what they are made of.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-deps.sh"
need_deps packages
need_deps emulators
machine=${MACHINE:-arm64}
root=$top/.cache/debian-cross-$machine
made=$root/build
case $machine in
arm64) elf=AArch64 emulator=qemu-aarch64-static ;;
s390x) elf=S/390 emulator=qemu-s390x-static ;;
ppc64el) elf=PowerPC64 emulator=qemu-ppc64le-static ;;
esac
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >"$out/said"; then
	echo "ok 1 - $test_name # SKIP needs root and debootstrap"
	echo "1..1"
	exit
fi

in_root() {
	unshare -m sh -c 'mount -t proc proc "$1/proc" && exec env DEBIAN_FRONTEND=noninteractive chroot "$1" sh -ec "$2"' \
		sh "$root" "$1" >>"$out/build.log" 2>&1
}

make_root() {
	[ ! -e "$root/.whole" ] || return 0
	rm -rf "$root"
	mkdir -p "$root"
	debootstrap --variant=minbase bookworm "$root" "$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' \
		'Created-By: Packages' | awk '$2 == "Debian" { print $1; exit }')" >>"$out/build.log" 2>&1 || return
	in_root "dpkg --add-architecture $machine && apt-get -q update &&
		apt-get -q install -y --no-install-recommends build-essential crossbuild-essential-$machine" || return
	: >"$root/.whole"
}

# sources: what the packages are made of.
sources() {
	git -C "$top" ls-files -z -- . ':!tests' ':!docs/matrix.md'
}

is_made() {
	[ -e "$made/.whole" ] || return
	! (cd "$top" && sources | xargs -0 -I@ find @ -newer "$made/.whole" -print -quit) | grep .
}

build_packages() {
	! is_made || return 0
	rm -rf "$made"
	mkdir -p "$made/epitaph"
	(cd "$top" && git ls-files -z | tar -c --null --files-from=- | tar -x -C "$made/epitaph")
	in_root "cd /build/epitaph && apt-get -q -y --no-install-recommends -a$machine -Pcross,nocheck build-dep ./ &&
		dpkg-buildpackage -a$machine -us -uc -Pcross,nocheck" || return
	: >"$made/.whole"
}

has_packages() {
	for package in epitaph epitaph-libvirt libepitaph1 libepitaph-dev python3-epitaph; do
		ls "$made/${package}"_*_"$machine.deb" || return
	done
	for package in epitaph-dkms epitaph-kdump; do
		ls "$made/${package}"_*_all.deb || return
	done
}

# of_machine FILE...: each program and library is of that machine.
of_machine() {
	for file; do
		readelf -h "$file" | grep "Machine:.*$elf" || { echo "$file"; return 1; }
	done
}

# It looks for its libraries and data below there.
foreign() {
	"$emulator" -L "$root" -E "LD_LIBRARY_PATH=$root/lib/$triple:$root/usr/lib/$triple" "$unpacked/usr/bin/epitaph" "$@"
}

reads_the_same() {
	[ -x "$top/tests/golden/mkregion" ] || make -s -C "$top/tests/golden" || return
	"$top/tests/golden/mkregion" "$top/tests/golden/whole.region" "$out/region" || return
	recovers "$epitaph" report --all "$out/region" >"$out/ours"
	recovers foreign report --all "$out/region" >"$out/theirs"
	cmp "$out/ours" "$out/theirs" && [ -s "$out/ours" ]
}

check "a Debian for it is there" make_root
check "the packages are built" build_packages
check "each is there" has_packages
unpacked=$out/unpacked
for deb in "$made"/*.deb; do
	case $deb in *-dbgsym_*) ;; *) dpkg-deb -x "$deb" "$unpacked" ;; esac
done
triple=$(basename "$(find "$unpacked/usr/lib" -maxdepth 1 -name '*-linux-gnu*' | head -n 1)")
# shellcheck disable=SC2046 # paths without blanks
check "programs and libraries are of $machine" of_machine "$unpacked/usr/bin/epitaph" \
	$(find "$unpacked/usr/lib/$triple" -name '*.so.*' -type f)
check "the tool says its version" sh -c "'$emulator' -L '$root' '$unpacked/usr/bin/epitaph' --version | grep '^epitaph $(cat "$top/VERSION")'"
check "the tool reads a region as this machine's does" reads_the_same
finish
