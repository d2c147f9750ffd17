#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# When the initramfs loads the recorder: behind the attempt to resume a hibernated kernel.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

mkdir "$dir/bin" "$dir/efivars"
printf '#!/bin/sh\necho "$*" >>"%s/done"\n' "$dir" >"$dir/bin/modprobe"
chmod +x "$dir/bin/modprobe"

# loads TIMES COMMAND...: the recorder
loads() {
	times=$1
	shift
	rm -f "$dir/done"
	env PATH="$dir/bin:$PATH" "$@" &&
		touch "$dir/done" && [ "$(grep -cx -e '-q epitaph' "$dir/done")" = "$times" ]
}

debian_loads_before_udev() {
	loads 1 sh "$top/initramfs/debian/init-top" && loads 1 resume= sh "$top/initramfs/debian/init-top"
}

debian_waits_for_the_resume() {
	loads 0 resume=UUID=1 sh "$top/initramfs/debian/init-top" &&
		loads 1 resume=UUID=1 sh "$top/initramfs/debian/init-bottom"
}

debian_says_that_nothing_comes_first() {
	loads 0 sh "$top/initramfs/debian/init-top" prereqs && loads 0 sh "$top/initramfs/debian/init-bottom" prereqs
}

# dracut COMMAND-LINE: on each line the times that it had been loaded, after each hook.
dracut() {
	rm -rf "$dir/done" "$dir/hooks"
	mkdir "$dir/hooks"
	cat >"$dir/dracut" <<-'END'
		getarg() {
			for word in $arguments; do
				case $word in
				"$1"*) echo "${word#"$1"}"; return 0 ;;
				esac
			done
			return 1
		}
		getargbool() {
			case " $arguments " in
			*" $2 "*) return 0 ;;
			*) [ "$1" = 1 ] ;;
			esac
		}
		for hook in pre-udev pre-mount; do
			. "$script"
			[ ! -e "$loaded" ] && echo 0 || grep -c . "$loaded"
		done
	END
	env PATH="$dir/bin:$PATH" hookdir="$dir/hooks" efivars="$dir/efivars" loaded="$dir/done" \
		script="$top/initramfs/dracut/epitaph.sh" arguments="$1" sh "$dir/dracut" | tr '\n' ' '
}

dracut_loads_before_udev() {
	[ "$(dracut 'quiet')" = "1 2 " ] && [ "$(dracut 'resume=/dev/sda2 noresume')" = "1 2 " ]
}

dracut_waits_for_the_resume() {
	[ "$(dracut 'resume=/dev/sda2')" = "0 1 " ] || return 1
	: >"$dir/efivars/HibernateLocation-8cf2644b-4b0b-428f-9387-6d876050dc67"
	[ "$(dracut 'quiet')" = "0 1 " ]
}

# Without a clock that runs while the power is off, two captures begin in the same second of 1970.
capture_directories_have_names_of_their_own() {
	mkdir "$dir/save" && sed -n '/^make_dir() {/,/^}/p' "$top/initramfs/init" | sed "s|/save|$dir/save|" >"$dir/make_dir" || return
	printf '#!/bin/sh\necho 19700101-000002\n' >"$dir/bin/date" && chmod +x "$dir/bin/date" || return
	cat >"$dir/init" <<-'END'
		say() { echo "$*"; }
		. "$0.functions"
		make_dir && echo "$dir"
	END
	cp "$dir/make_dir" "$dir/init.functions"
	for number in '' .1 .2 .3 .4 .5 .6 .7 .8 .9 .10; do
		made=$(PATH=$dir/bin:$PATH sh "$dir/init")
		echo "$made"
		[ "$made" = "$dir/save/epitaph-19700101-000002$number" ] && [ "$(stat -c %a "$made")" = 700 ] || return
	done
	rm -r "$dir/save" && PATH=$dir/bin:$PATH sh "$dir/init" >"$dir/refusal" && return 1
	cat "$dir/refusal"
	grep -q "ERROR cannot make $dir/save/epitaph-19700101-000002" "$dir/refusal"
}

for claim in capture_directories_have_names_of_their_own debian_loads_before_udev debian_waits_for_the_resume debian_says_that_nothing_comes_first \
	dracut_loads_before_udev dracut_waits_for_the_resume; do
	ok $claim $claim
done
finish
