#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a build by DKMS says while packages send DKMS's own words to /dev/null; DKMS is a shell here.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
build=$dir/build

# dkms LINES: of a shell script that stands for DKMS, in a copy of the sources
dkms() {
	rm -rf "$build"
	mkdir "$build"
	cp "$top/kernel/dkms-progress" "$build/"
	(cd "$build" && EPITAPH_DKMS_EVERY=0 sh -c "$1" - ./dkms-progress 2>"$dir/err")
	got=$?
	# Who shows the progress has stderr; cat ends when it has gone.
	cat "$dir/err"
	return "$got"
}

said() {
	for text; do
		grep -q -- "$text" "$dir/err" || { echo "lacks: $text"; return 1; }
	done
}

# shellcheck disable=SC2016 # another shell's
it_says_before_and_after_what_it_does() {
	dkms '$1 begin 6.1.0-9 && $1 end 6.1.0-9' &&
		said "building the modules for kernel 6.1.0-9: about 260 files, one to five minutes of CPU; log: $build/make.log" \
			'built the modules for kernel 6.1.0-9 in [0-9]* s' && ! grep 'not built' "$dir/err" && [ ! -e "$build/.dkms-progress" ]
}

# The build goes on until the progress was seen, which is the event that is waited for.
# shellcheck disable=SC2016
it_shows_how_far_it_is() {
	dkms '$1 begin 6.1.0-9; mkdir kernel; : >kernel/a.o; : >kernel/b.o
		until grep -q "6.1.0-9: 2 files compiled" '"$dir/err"'; do sleep 0.1; done; $1 end 6.1.0-9' &&
		said 'epitaph: kernel 6.1.0-9: 2 files compiled, [0-9]* s$'
}

# shellcheck disable=SC2016
a_build_that_fails_is_named() {
	dkms '$1 begin 6.1.0-9; exit 10'
	[ $? = 10 ] || return 1
	until grep "kernel 6.1.0-9: not built, after [0-9]* s; $build/make.log says why" "$dir/err"; do sleep 0.1; done
	! grep 'built the modules' "$dir/err"
}

# debconf reads descriptor 3 of a package's script until it is closed.
# shellcheck disable=SC2016
it_holds_up_no_package_script() {
	mkfifo "$dir/three" "$dir/go"
	(dkms 'exec 3>'"$dir/three"'; $1 begin 6.1.0-9; exec 3>&-; read -r word <'"$dir/go"'; $1 end 6.1.0-9') &
	# Ends only if the progress does not have it, as the build still runs.
	cat "$dir/three" && [ -e "$build/.dkms-progress" ] && echo go >"$dir/go" && wait
}

for claim in it_says_before_and_after_what_it_does it_shows_how_far_it_is a_build_that_fails_is_named \
	it_holds_up_no_package_script; do
	ok $claim $claim
done
finish
