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
# An ELF core of x86-64 (62): its header, one segment of 64 KiB at byte 4096, and zeroes.
{
	printf '\177ELF\002\001\001\0\0\0\0\0\0\0\0\0\004\0\076\0\001\0\0\0\0\0\0\0\0\0\0\0'
	printf '\100\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\100\0\070\0\001\0\0\0\0\0\0\0'
	printf '\001\0\0\0\007\0\0\0\0\020\0\0\0\0\0\0\0\020\0\0\200\210\377\377\0\020\0\0\0\0\0\0'
	printf '\0\0\001\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\0\0\0\0\0\0'
	cat "$dir/zeroes"
} >"$dir/vmcore"
head -c 10000 "$dir/vmcore" >"$dir/vmcore-cut"
printf '\177ELF\001\001\001\0' | cat - "$dir/zeroes" >"$dir/core-32"
"$top/tests/golden/mkregion" "$top/tests/golden/both-headers-damaged.region" "$dir/headless" || exit 99
cp "$dir/whole" "$dir/secret"
chmod 0 "$dir/secret"
chmod 755 "$dir"
mkdir -p "$dir/sys/generations" && mkdir -m 700 "$dir/private" && echo '0 0' >"$dir/sys/lost"
mkdir -m 777 "$dir/mine"
mkdir "$dir/none" "$dir/etc" "$dir/captures"
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
	for command in doctor setup 'seal --plan'; do
		# shellcheck disable=SC2086
		says 'expected a directory with the files of a machine' 2 $command --root "$dir/nowhere" &&
			says 'expected a directory with the files of a machine' 2 $command --root "$dir/whole" || return
	done
	says 'no command' 2 reprot && says 'no option' 2 report --evnts 3 x &&
		says 'can be --cpu, --comm, --channel or --color' 2 report --c 3 x &&
		says 'a value is missing' 2 report --last && says 'it takes no value' 2 info --json=1 x &&
		says '--last: seconds, like 0.25 or 10' 2 report --last 1x x &&
		says '--events: a whole number' 2 report --events 5s x &&
		says '--cpu: the number of one CPU' 2 report --cpu 0-3 x &&
		says '--jobs: a number of processes' 2 report --jobs 0 x &&
		says '--pid: the number of one thread' 2 report --pid init x &&
		says 'only one of --last, --events and --all' 2 report --last 1 --all x &&
		says '--generation: not a number from 1, or from -1 down' 2 report --generation x x &&
		says '--source: not some of' 2 report --source foo x &&
		says 'no FILE: name a vmcore' 2 report && says '--to NAME is missing' 2 export x &&
		says 'this version writes' 2 export --to foo -o y x &&
		says '-o OUT is missing' 2 export --to html x &&
		says 'only one of --json, --raw and --rasdaemon' 2 mce --json --raw x &&
		says 'it looks at this machine, not at files' 2 doctor x &&
		says '--color: auto, always or never' 2 report --color yes x &&
		says '--generation all: epitaph info' 2 report --generation all x &&
		says 'this command is gone' 2 collect && says 'it takes no FILE' 2 live x &&
		says 'it takes what /dev/epitaph hands out' 2 harvest x &&
		says 'no FILE, nor --live' 2 save -o "$dir/new" && says '-o DIR is missing' 2 save x &&
		says 'is a directory of files' 2 export --to ctf -o - x &&
		says 'cannot be written as a stream' 2 redact -o - x &&
		says 'they are not of one dump' 2 export --to html -o "$dir/new" "$dir/whole" "$dir/cut" &&
		says 'the text has more than 4096 bytes' 2 mark "$(printf %05000d 0)" &&
		says 'a key has 16 bytes' 2 redact --key /dev/null -o "$dir/new" "$dir/whole" &&
		says '--keep-size: no size' 2 harvest --keep-size 5x &&
		says 'no such setting' 2 send --conf "$dir/etc/send.conf"
}

files() {
	says 'cannot open: No such file or directory' 3 report "$dir/absent" &&
		says 'is empty' 4 report "$dir/empty" && says 'no region in this raw file' 4 report "$dir/zeroes" &&
		says 'unpack it first' 4 report "$dir/packed" &&
		tar --zstd -cf "$dir/archive" -C "$dir" whole && says 'unpack it first: tar --zstd -xf FILE' 4 report "$dir/archive" && says 'a guest that virsh saved' 4 report "$dir/saved" &&
		says 'a guest that virsh did not finish to save' 4 report "$dir/unfinished" &&
		says 'a guest that QEMU saved' 4 report "$dir/migrated" &&
		says 'a compressed image of AVML' 4 report "$dir/avml" &&
		says 'a LiME image of version' 4 report "$dir/lime" && says 'is an ELF file of type' 4 report /bin/true &&
		says 'within the header' 5 report "$dir/elf" &&
		says 'is a directory, and none of its' 4 report "$dir" &&
		says 'is a character device, which has no data' 4 report /dev/null &&
		says 'there is no generation' 4 report --generation 7 "$dir/whole" &&
		says 'no capture of a boot that did not end in order' 4 report --latest "$dir/captures" &&
		says 'recovered, with damage' 1 report "$dir/cut" &&
		says 'no region in this ELF vmcore' 4 report "$dir/vmcore" &&
		says 'the file is truncated at byte' 4 report "$dir/vmcore-cut" &&
		says 'is a 32-bit ELF file' 4 report "$dir/core-32" &&
		says 'is a directory without files' 4 report "$dir/none" &&
		says 'no header can be used' 5 report "$dir/headless" &&
		says 'no event fits --event' 0 report --event sched_swich "$dir/whole" &&
		says 'the last event that fits is at' 0 report --last 0.0000001 --event sched_switch "$dir/whole" &&
		says 'each of the options fits events' 0 report --cpu 1 --comm worker "$dir/whole" &&
		head -c 4096 "$dir/whole" | TMPDIR=$dir/absent says 'cannot copy the input to' 3 report -
}

debuginfos() {
	says '--debug-dir' 2 report --debug-dir "$dir/absent" "$dir/whole" &&
		says 'no debuginfo of build id' 2 report --debug-dir "$dir/none" "$dir/whole" &&
		says 'is of another build' 2 report --debug-dir /bin/true "$dir/whole" &&
		says 'is no ELF file' 2 report --debug-dir "$dir/zeroes" "$dir/whole" &&
		DEBUGINFOD_URLS='' says 'no server is configured' 2 report --debuginfod "$dir/whole" &&
		DEBUGINFOD_URLS=http://127.0.0.1:1/ DEBUGINFOD_CACHE_PATH=$dir/client \
			says 'or no answer' 2 report --debuginfod "$dir/whole"
}

# A machine of 1 GiB, of a few files.
setups() {
	machine=$dir/machine
	drop_in=$machine/etc/default/grub.d/epitaph.cfg
	mkdir -p "$machine/proc/sys/kernel" "$machine/etc/default/grub.d" "$machine/usr/sbin" "$machine/boot/grub"
	echo 6.1.0-9-amd64 >"$machine/proc/sys/kernel/osrelease"
	echo 'ro quiet' >"$machine/proc/cmdline"
	printf '%s\n' '00100000-3ffdffff : System RAM' '  3d000000-3effffff : Crash kernel' >"$machine/proc/iomem"
	says 'not a number of bytes, such as 16M' 2 setup --size many &&
		says 'a region has at least 2M' 4 setup --root "$machine" --size 1M &&
		says 'are more than a sixteenth of the RAM' 4 setup --root "$machine" --size 512M &&
		says 'is in use' 4 setup --root "$machine" --address 0x3d800000 &&
		says 'are not all RAM' 4 setup --root "$machine" --address 0x3f800000 &&
		says 'there is no GRUB with drop-ins here' 4 setup --root "$machine" --write || return 1
	: >"$machine/usr/sbin/update-grub"
	: >"$machine/boot/grub/grub.cfg"
	exec 9<"$machine/etc/default" && flock 9 && says 'another epitaph setup is at work' 7 setup --root "$machine" --write || return 1
	exec 9<&-
	: >"$machine/.dockerenv"
	says 'this is a container' 4 setup --root "$machine" || return 1
	rm "$machine/.dockerenv" "$machine/usr/sbin/update-grub"
	echo edited >"$drop_in"
	says 'is not as epitaph setup wrote it' 4 setup --root "$machine" --remove &&
		says 'no test crash was made on this machine' 4 test-crash --verify
}

# sends MESSAGE STATUS ARGUMENT...: without settings of this machine
sends() {
	message=$1 status=$2
	shift 2
	says "$message" "$status" send --conf /dev/null --within 1 "$@"
}

targets() {
	echo secret >"$dir/token"
	: >"$dir/no-token"
	chmod 644 "$dir/token"
	chmod 600 "$dir/no-token"
	"$epitaph" save -o "$dir/captures/one" "$dir/whole" >/dev/null || return 1
	port_file=$dir/port
	/usr/bin/python3 "$top/tests/lib/bad_server" "$dir" >"$port_file" 2>/dev/null &
	server=$!
	while [ ! -s "$port_file" ] && kill -0 "$server"; do sleep 0.05; done
	there=http://127.0.0.1:$(cat "$port_file")
	sends 'no target: --to, or TO= in' 2 &&
		sends 'no target; expected' 2 --to web1 &&
		sends 'this protocol and epitaph collect are gone' 2 --to tcp://web1:1 &&
		sends 'without TLS the network could read' 2 --to http://web1/in &&
		sends 'WITHIN or --within: found' 2 --within 1m --to "dir:$dir/none" &&
		sends 'found a file, expected a capture' 3 --to "dir:$dir/none" "$dir/whole" &&
		sends 'cannot open it: No such file or directory' 3 --check --to "dir:$dir/absent" &&
		sends 'it is on the file system of the capture' 3 --to "dir:$dir/none" "$dir/captures/one" &&
		sends 'with which others can read this secret' 3 --check --token "$dir/token" --to "$there/in" &&
		sends 'found no secret in its first line' 3 --check --token "$dir/no-token" --to "$there/in" &&
		sends 'found no keys, expected S3_KEYS' 3 --check --to s3://bucket/in &&
		sends 'Failed to connect' 3 --check --to https://127.0.0.1:1/in &&
		sends 'expected 200, 201 or 204' 3 --to "$there/in" "$dir/captures/one" &&
		sends 'a redirect to' 3 --to "$there/file" "$dir/captures/one"
	ret=$?
	kill "$server"
	return "$ret"
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
		says 'no recorder is loaded' 4 harvest --sysfs "$dir/absent" -o "$dir/none" &&
		says 'nothing is recorded' 4 status --sysfs "$dir/absent"
}

# The tool may lie where only root may look.
users() {
	cp "$epitaph" "$dir/epitaph" || return 1
	epitaph=$dir/epitaph
	as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
	says 'cannot open: Permission denied' 3 report "$dir/secret" && says 'needs root' 2 doctor &&
		says 'captures are for root' 3 list "$dir/private" && says 'needs root' 2 setup && says 'needs root' 2 test-crash --verify &&
		says 'only root may open it' 3 mark --device "$dir/secret" x &&
		says 'only root may open it' 3 live --device "$dir/secret" &&
		says 'only root may open it' 3 stop --device "$dir/secret" &&
		says 'only root may open it' 3 harvest --device "$dir/secret" --sysfs "$dir/sys" -o "$dir/mine" &&
		says 'only root may write there' 3 capture -o "$dir/private" "$dir/whole" &&
		says 'only root may write there' 3 capture -o "$dir/private/below" "$dir/whole" || return 1
	for command in doctor setup 'test-crash --verify'; do
		# shellcheck disable=SC2086 # words
		! $as_user "$epitaph" $command 2>&1 | grep '^usage' || return 1
	done
}

# to_keys STATUS MESSAGE LINE: sealed to a recipients file with that line
to_keys() {
	echo "$3" >"$dir/recipients"
	says "$2" "$1" seal --conf "$dir/seal.conf" --recipients "$dir/recipients" -o "$dir/mine/sealed" "$dir/whole"
}

sealed_ones() {
	key=age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p
	age-keygen -o "$dir/key" 2>/dev/null && age-keygen -o "$dir/other-key" 2>/dev/null || return
	echo RESERVE=900T >"$dir/seal.conf"
	to_keys 2 'a typo in this key: its checksum is wrong' "${key%p}q" && to_keys 2 'a key that is too short' "${key%p}" &&
		to_keys 2 'this is a private key' "$(grep SECRET "$dir/key")" && to_keys 2 'an ssh key; expected age1' 'ssh-ed25519 x' &&
		to_keys 2 'no key in it; expected a line age1' '#' && to_keys 3 'RESERVE= keeps' "$key" &&
		says 'no place for a sealed trace' 3 seal --conf "$dir/seal.conf" --recipients "$dir/recipients" "$dir/whole" || return
	echo RESERVE=0 >"$dir/seal.conf"
	as_user="env PATH=/none" to_keys 3 'there is no age in PATH' "$key" || return
	mkdir -p "$dir/false" && printf '#!/bin/sh\nexit 1\n' >"$dir/false/age" && chmod 755 "$dir/false/age" &&
		as_user="env PATH=$dir/false:$PATH" to_keys 3 'age ended with status' "$key" || return
	printf 'RESERVE=0\nQUOTA=1K\n' >"$dir/seal.conf"
	to_keys 3 'compressed, it has more than the' "$key" && echo RESERVE=0 >"$dir/seal.conf" && chmod 666 "$dir/recipients" &&
		says 'it may be changed by others than root' 2 seal --conf "$dir/seal.conf" --recipients "$dir/recipients" -o "$dir/mine/sealed" "$dir/whole" &&
		chmod 644 "$dir/recipients" || return
	age -r "$(age-keygen -y "$dir/key")" -o "$dir/sealed" "$dir/whole" && head -c 3000 "$dir/sealed" >"$dir/sealed-cut" &&
		echo age-encryption.org/v1 >"$dir/protected" || return
	says 'this identity is for none of its keys' 2 unseal -i "$dir/other-key" -o "$dir/unsealed" "$dir/sealed" &&
		says 'cut off or damaged, and nothing is kept' 5 unseal -i "$dir/key" -o "$dir/unsealed" "$dir/sealed-cut" &&
		says 'no file of age' 4 unseal -i "$dir/key" -o "$dir/unsealed" "$dir/whole" &&
		as_user="setsid -w" says 'is protected by a passphrase, and there is no terminal' 2 unseal -i "$dir/protected" -o "$dir/unsealed" "$dir/sealed" &&
		says '-i IDENTITY is missing' 2 unseal -o "$dir/unsealed" "$dir/sealed" &&
		says 'this identity opens it; -o DIR says where to' 2 unseal -i "$dir/key" "$dir/sealed"
}

# shellcheck disable=SC2016 # backquotes of the page
the_page_has_what_was_provoked() {
	sed -n 's/^| `\([^`]*\)` .*/\1/p' "$top/docs/messages.md" | sort >"$dir/page"
	[ "$(wc -l <"$dir/page")" -gt 80 ] && sort -u "$dir/provoked" | diff "$dir/page" -
}

for claim in command_lines files debuginfos outputs setups targets recorders sealed_ones; do
	ok $claim $claim
done
ok users users
ok the_page_has_what_was_provoked the_page_has_what_was_provoked
finish
