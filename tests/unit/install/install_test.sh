#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What "make install" puts where.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

root=$dir/root

make -s -C "$top/extractor" all small || exit

parts() {
	sed -n 's/^\([a-z][a-z-]*\).*/\1/p' "$top/scripts/install.list" | sort -u
}

# Runs as a user who may write nowhere else, unless that user cannot read the tree.
alone() {
	mkdir -p "$root" "$dir/tmp" && chmod 755 "$dir" && chmod 777 "$root" "$dir/tmp"
	set -- env TMPDIR="$dir/tmp" DESTDIR="$root" "$@"
	nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	if [ "$(id -u)" = 0 ] && $nobody test -r "$top/scripts/install" 2>/dev/null; then
		$nobody "$@"
	else
		"$@"
	fi
}

# Links and sources as well.
there() {
	(cd "$root" && find . ! -type d -printf '/%P\n' | sort)
}

every_file_is_in_its_place() {
	# shellcheck disable=SC2046 # words
	set -- $(parts)
	[ $# -ge 9 ] || return 1
	alone prefix=/usr "$top/scripts/install" "$@" || return 1
	prefix=/usr "$top/scripts/install" --list "$@" | sort -u >"$dir/wanted"
	there | grep -v '^/usr/src/epitaph-[0-9.]*/\(kernel\|pstore-backend\)/' >"$dir/is"
	grep -v '^/usr/src/.*/\(kernel\|pstore-backend\)$' "$dir/wanted" | diff - "$dir/is" &&
		grep -qx /usr/bin/epitaph "$dir/is" && grep -q '^/usr/src/epitaph-.*/kernel/core/main.c' <<-END
			$(there)
		END
}

# A unit or a hook that is in no part is of no use to anybody.
every_unit_and_hook_is_in_a_part() {
	awk '{ print $4 }' "$top/scripts/install.list" | sort -u >"$dir/installed"
	(cd "$top" && find systemd initramfs/debian initramfs/dracut kdump-hooks -type f | sort) >"$dir/written"
	! comm -13 "$dir/installed" "$dir/written" | grep .
}

modes_are_what_they_should_be() {
	! (cd "$root" && find . -type f ! -perm 644 ! -perm 755; find "$root" -type d ! -perm 755 ! -path "$root") | grep . || return 1
	find "$root" -type f -perm 755 | while read -r file; do
		head -c 4 "$file" | tr -d '\0' | grep -q '^#!\|ELF' || echo "$file"
	done | { ! grep .; }
}

no_build_leaves_its_traces() {
	! find "$root" -name '*.o' -o -name '*.ko' -o -name '*.mod.c' -o -name gen -o -name .gitignore | grep . &&
		! grep -rIlF "$(cd "$top" && pwd)" "$root"
}

what_is_removed_is_gone() {
	touch "$root/usr/bin/other"
	# shellcheck disable=SC2046
	alone prefix=/usr "$top/scripts/install" --remove $(parts) || return 1
	[ "$(there)" = /usr/bin/other ] && ! find "$root" -name '*epitaph*' | grep .
}

# In what is text: the others have no paths in them.
places_can_be_told() {
	rm -rf "$root"
	# shellcheck disable=SC2046
	alone prefix=/opt/e bindir=/opt/e/programs "$top/scripts/install" $(parts) || return 1
	[ -x "$root/opt/e/programs/epitaph" ] && [ -f "$root/opt/e/share/man/man1/epitaph.1" ] &&
		grep -rq /opt/e/programs/epitaph "$root/opt/e/lib/systemd/system" &&
		! grep -rIlE '/usr/(bin|lib)/epitaph' "$root"
}

make_installs_the_tool_and_its_services() {
	rm -rf "$root"
	make -s -C "$top" install DESTDIR="$root" prefix=/usr || return 1
	[ -x "$root/usr/bin/epitaph" ] && [ -f "$root/usr/lib/systemd/system/epitaph.service" ] &&
		[ "$(find "$root/etc" -type f | sed 's/.*\.//' | sort -u)" = example ] && make -s -C "$top" uninstall DESTDIR="$root" prefix=/usr && [ -z "$(there)" ]
}

a_part_that_is_none_is_told() {
	! "$top/scripts/install" --list tool nothing >"$dir/list" 2>"$dir/err" && grep -q 'no part nothing' "$dir/err"
}

what_is_installed_runs() {
	"$root/opt/e/programs/epitaph" --version | grep -q "^epitaph $(cat "$top/VERSION"), format"
}

# spec_files SUSE: what the spec has in %files, with 1 for SUSE's
spec_files() {
	awk -v suse="$1" '
		/^%files/ { in_files = 1 }
		/^%if/ && in_files { skip = !suse; next }
		/^%else/ && in_files { skip = suse; next }
		/^%endif/ && in_files { skip = 0; next }
		in_files && !skip && !/^%(files|dir|doc|license)/ { sub(/^%config /, ""); print }
	' "$top/rpm/epitaph.spec" | sed "s,%{_bindir},/usr/bin,; s,%{_mandir},/usr/share/man,; s,%{_datadir},/usr/share,
		s,%{_includedir},/usr/include,; s,%{_unitdir},/usr/lib/systemd/system,; s,%{_modprobedir},/usr/lib/modprobe.d,; s,%{_sysconfdir},/etc,
		s,%{dracutdir},/usr/lib/dracut/modules.d,; s,%{pkglibdir},/usr/lib/epitaph,; s,%{catalogdir},/usr/lib/systemd/catalog,; s,%{_usrsrc},/usr/src,
		s,%{_libdir},/usr/lib,; s,%{python3_sitearch},/usr/lib/python3/dist-packages,
		s,%{version},$(version),; s,\\*$,," | sort | grep .
}

version() {
	sed -n 's/^Version:[ \t]*//p' "$top/rpm/epitaph.spec"
}

the_spec_is_of_this_version() {
	sed -n '1p' "$top/debian/changelog" | grep -F "epitaph ($(version))"
}

# spec_has_what_is_installed SUSE HOOKS
spec_has_what_is_installed() {
	spec_files "$1" >"$dir/spec"
	make -s -C "$top/python" || return 1
	prefix=/usr "$top/scripts/install" --list tool services libvirt dracut "$2" dkms library library-dev python |
		sed -E 's,^(/usr/src/[^/]*|/usr/lib/epitaph/fleet)/.*,\1,
			s,/man1/epitaph.*,/man1/epitaph*.1,; s,zsh/vendor-completions,zsh/site-functions,' | grep -v /crash/ | sort -u | diff - "$dir/spec"
}

# What DKMS gets is all that it needs: a header that lies outside of its trees is in no tree.
dkms_has_what_its_sources_include() {
	rm -rf "$dir/dkms"
	DESTDIR=$dir/dkms prefix=/usr "$top/scripts/install" dkms && cd "$dir"/dkms/usr/src/epitaph-* || return 1
	find kernel pstore-backend -name '*.[ch]' -exec grep -hoE '#include <epitaph/[a-z_/]+\.h>' {} + |
		sed 's/.*<\(.*\)>/\1/' | sort -u | while read -r header; do
			[ -e "kernel/include/$header" ] || [ -e "include/$header" ] || echo "no $header"
		done >"$dir/lacks"
	grep -rhoE 'dkms-[a-z]+ (begin|end)' dkms.conf | cut -d ' ' -f 1 | sort -u | while read -r script; do
		[ -x "$script" ] || echo "no $script"
	done >>"$dir/lacks"
	[ -e include/epitaph/format.h ] && ! grep . "$dir/lacks"
}

for claim in every_file_is_in_its_place every_unit_and_hook_is_in_a_part modes_are_what_they_should_be \
	no_build_leaves_its_traces what_is_removed_is_gone places_can_be_told what_is_installed_runs \
	make_installs_the_tool_and_its_services a_part_that_is_none_is_told dkms_has_what_its_sources_include the_spec_is_of_this_version; do
	ok $claim $claim
done
ok the_spec_has_what_is_installed spec_has_what_is_installed 0 kdump-utils
ok the_spec_has_what_is_installed_on_suse spec_has_what_is_installed 1 kdump-suse
finish
