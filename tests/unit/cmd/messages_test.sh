#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every message of docs/messages.md comes from a command line, and no other is provoked here.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

"$top/tests/golden/mkregion" "$top/tests/golden/whole.region" "$dir/whole" || exit 99
: >"$dir/empty"
head -c 70000 /dev/zero >"$dir/zeroes"
gzip -c "$dir/zeroes" >"$dir/packed"
printf '\177ELF' >"$dir/elf"
# What virsh writes: magic, version, bytes of XML, was running, compression; here 3 is xz.
printf 'LibvirtQemudSave\002\0\0\0\0\001\0\0\001\0\0\0\003\0\0\0' >"$dir/saved"
printf 'LibvirtQemudPart\002\0\0\0\0\001\0\0\001\0\0\0\0\0\0\0' >"$dir/unfinished"
printf 'QEVM\0\0\0\003' >"$dir/migrated"
printf 'AVML\002\0\0\0' | cat - "$dir/zeroes" >"$dir/avml"
printf 'EMiL\002\0\0\0' | cat - "$dir/zeroes" >"$dir/lime"
head -c 12000 "$dir/whole" >"$dir/cut"
cp "$dir/whole" "$dir/secret"
chmod 0 "$dir/secret"
chmod 755 "$dir"
mkdir "$dir/none" "$dir/etc"
echo FOO=1 >"$dir/etc/send.conf"
: >"$dir/provoked"

# says MESSAGE STATUS ARGUMENT...: on stderr.  With $as_user, as a user who is not root.
says() {
	message=$1 status=$2
	shift 2
	echo "$message" >>"$dir/provoked"
	${as_user:-} "$epitaph" "$@" >"$dir/out" 2>"$dir/err"
	[ $? = "$status" ] || { echo "epitaph $*: not $status"; cat "$dir/err"; return 1; }
	grep -qF -- "$message" "$dir/err" || { echo "epitaph $*: not: $message"; cat "$dir/err"; return 1; }
}

command_lines() {
	says 'no command' 2 reprot && says 'no option' 2 report --evnts 3 x &&
		says 'can be --cpu, --comm, --channel or --color' 2 report --c 3 x &&
		says 'a value is missing' 2 report --last && says 'it takes no value' 2 info --json=1 x &&
		says '--last: seconds, like 0.25 or 10' 2 report --last 1x x &&
		says '--events: a whole number' 2 report --events 5s x &&
		says '--cpu: the number of one CPU' 2 report --cpu 0-3 x &&
		says '--pid: the number of one thread' 2 report --pid init x &&
		says 'only one of --last, --events and --all' 2 report --last 1 --all x &&
		says '--generation: not a number from 1' 2 report --generation x x &&
		says '--source: not some of' 2 report --source foo x &&
		says 'no FILE: name a vmcore' 2 report && says '--to NAME is missing' 2 export x &&
		says 'this version writes' 2 export --to foo -o y x &&
		says '-o OUT is missing' 2 export --to html x &&
		says 'only one of --json and --raw' 2 mce --json --raw x &&
		says 'it looks at this machine, not at files' 2 doctor x &&
		says 'no such setting' 2 send --conf "$dir/etc/send.conf"
}

files() {
	says 'cannot open: No such file or directory' 3 report "$dir/absent" &&
		says 'is empty' 4 report "$dir/empty" && says 'no region in this raw file' 4 report "$dir/zeroes" &&
		says 'unpack it first' 4 report "$dir/packed" && says 'a guest that virsh saved' 4 report "$dir/saved" &&
		says 'a guest that virsh did not finish to save' 4 report "$dir/unfinished" &&
		says 'a guest that QEMU saved' 4 report "$dir/migrated" &&
		says 'a compressed image of AVML' 4 report "$dir/avml" &&
		says 'a LiME image of version' 4 report "$dir/lime" && says 'is an ELF file of type' 4 report /bin/true &&
		says 'within the header' 5 report "$dir/elf" &&
		says 'is a directory, and none of its' 4 report "$dir" &&
		says 'is a character device, which has no data' 4 report /dev/null &&
		says 'there is no generation' 4 report --generation 7 "$dir/whole" &&
		says 'recovered, with damage' 1 report "$dir/cut" &&
		says 'no event fits --event' 0 report --event sched_swich "$dir/whole" &&
		says '--debug-dir' 2 report --debug-dir "$dir/absent" "$dir/whole"
}

outputs() {
	says 'File exists' 3 export --to html -o "$dir/whole" "$dir/whole" &&
		says 'cannot be made in' 3 save -o "$dir/absent/x" "$dir/whole" || return 1
	echo 'cannot write: No space left on device' >>"$dir/provoked"
	"$epitaph" report "$dir/whole" 2>"$dir/err" >/dev/full
	[ $? = 3 ] && grep -qF 'cannot write: No space left on device' "$dir/err"
}

recorders() {
	says 'is not there: the recorder is not loaded' 3 mark --device "$dir/absent" x &&
		says 'is not there: the recorder is not loaded' 3 stop --device "$dir/absent" &&
		says 'is not there: the recorder is not loaded' 3 live --device "$dir/absent" &&
		says 'no recorder is loaded' 4 status --sysfs "$dir/absent" &&
		says 'no recorder is loaded' 4 harvest --sysfs "$dir/absent" -o "$dir/none"
}

# The tool may lie where only root may look.
users() {
	cp "$epitaph" "$dir/epitaph" || return 1
	epitaph=$dir/epitaph
	as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
	says 'cannot open: Permission denied' 3 report "$dir/secret" && says 'needs root' 2 doctor &&
		says 'needs root' 2 setup && says 'needs root' 2 test-crash --verify &&
		says 'only root may open it' 3 mark --device "$dir/secret" x
}

# shellcheck disable=SC2016 # backquotes of the page
the_page_has_what_was_provoked() {
	sed -n 's/^| `\([^`]*\)` .*/\1/p' "$top/docs/messages.md" | sort >"$dir/page"
	[ "$(wc -l <"$dir/page")" -gt 30 ] && sort -u "$dir/provoked" | diff "$dir/page" -
}

for claim in command_lines files outputs recorders; do
	ok $claim $claim
done
ok users users
ok the_page_has_what_was_provoked the_page_has_what_was_provoked
finish
