#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph seal, unseal, and what capture, harvest and list do where traces are sealed.  age itself
# is the witness: its own -d reads what was sealed.
# shellcheck disable=SC2012,SC2086,SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

id=00010203-0405-0607-0809-0a0b0c0d0e0f
boot=$id-20231114T221320Z

if ! command -v age >/dev/null || ! command -v age-keygen >/dev/null; then
	skip all "there is no age"
	finish
fi
cd "$dir" || exit 99
"$top/tests/golden/mkregion" "$top/tests/golden/generations-numbered.region" both || exit 99
# The boot that crashed, and the one that ended in order.
head -c 20480 both >vmcore
age-keygen -o key 2>/dev/null && age-keygen -o other-key 2>/dev/null || exit 99
age-keygen -y key >key.pub
age-keygen -y other-key >other-key.pub

fresh() {
	rm -rf place out noise && mkdir -m 755 place
	cat key.pub >recipients && chmod 644 recipients
	printf 'HOST=web1\nRESERVE=0\n' >conf
}

seal() { "$epitaph" seal --conf conf --recipients recipients -o place "$@"; }

# fails STATUS WORDS COMMAND...: with these words on stderr
fails() {
	want=$1 words=$2
	shift 2
	"$@" 2>noise
	got=$?
	cat noise
	[ $got = "$want" ] || { echo "status $got, not $want"; return 1; }
	grep -qF -- "$words" noise || { echo "lacks: $words"; return 1; }
}

# Behind the host stands what is sealed, and to whom: 16 digits of a SHA-256.
fresh && seal vmcore >/dev/null || exit 99
sealed=$(ls place)

nothing_is_there() { [ -z "$(ls -A place)" ]; }

age_reads_what_was_sealed() {
	fresh && seal vmcore >answer && cat answer && [ -f place/$sealed ] && [ "$(ls -A place)" = "$sealed" ] &&
		age -d -i key place/$sealed | unzstd | cmp - vmcore && [ "$(stat -c %a place/$sealed)" = 400 ] &&
		grep -q "^sealed place/$sealed: .*, for 1 recipient$" answer
}

nothing_of_it_is_in_the_clear() {
	fresh && seal vmcore && ! grep -aqE 'EPITAPH|sched_switch|zstd' place/$sealed &&
		! grep -qaF "$(printf '\050\265\057\375')" place/$sealed
}

unsealed_is_what_was_sealed() {
	fresh && seal vmcore && "$epitaph" unseal -i key -o out place/$sealed >answer && cat answer &&
		grep -qx "unsealed out/region: host web1, boot $boot" answer &&
		"$epitaph" report out/region >a && "$epitaph" report vmcore >b && cmp a b && [ "$(ls -A out)" = region ] &&
		[ "$(stat -c %a out/region)" = 400 ]
}

each_of_two_keys_opens_it() {
	fresh && printf '# in the safe\n\n%s\n' "$(cat other-key.pub)" >>recipients && seal vmcore | grep 'for 2 recipients' &&
		"$epitaph" unseal -i key -o out place/epitaph-* && "$epitaph" unseal -i other-key -o out2 place/epitaph-* &&
		cmp out/region out2/region && rm -r out2
}

the_same_boot_is_sealed_once() {
	fresh && seal vmcore && sum=$(sha256sum place/$sealed) && seal vmcore | grep "^sealed before, in place/$sealed" &&
		[ "$sum" = "$(sha256sum place/$sealed)" ] && [ "$(ls place | wc -l)" = 1 ]
}

# The name says what is in it: who can write there cannot have a trace count as sealed.
another_file_of_that_boot_counts_for_nothing() {
	fresh && : >place/epitaph-$boot.web1.age && seal vmcore | grep "^sealed place/$sealed" && whole_or_nothing place/$sealed || return
	cp vmcore other && printf x | dd of=other bs=1 seek=20000 conv=notrunc 2>/dev/null && seal other | grep '^sealed place/' &&
		[ "$(ls place/epitaph-$boot.web1.*.age | wc -l)" = 2 ]
}

a_damaged_file_is_sealed_anew() {
	for size in 0 100 $(($(stat -c %s place/$sealed) - 1)); do
		fresh && seal vmcore && chmod 600 place/$sealed && truncate -s "$size" place/$sealed && seal vmcore >answer || return
		cat answer
		grep -q "^sealed place/$sealed" answer && whole_or_nothing || return
	done
	fresh && seal vmcore && chmod 600 place/$sealed && printf '\377\0' | dd of=place/$sealed bs=1 conv=notrunc && seal vmcore && whole_or_nothing
}

other_keys_are_another_name() {
	fresh && seal vmcore && cat other-key.pub >recipients && seal vmcore | grep '^sealed place/' && [ "$(ls place | wc -l)" = 2 ]
}

a_link_of_that_name_is_refused() {
	fresh && ln -s ../vmcore place/$sealed && fails 3 'is there, and no file' seal vmcore
}

recipients_of_others_are_refused() {
	fresh && chmod 664 recipients && fails 2 'may be changed by others' seal vmcore && nothing_is_there || return
	fresh && mv recipients real && mkdir recipients && fails 2 'expected a file with a public key of age(1)' seal vmcore && rmdir recipients && mv real recipients
}

a_place_of_others_is_refused() {
	fresh && mkdir real && chmod 777 place && fails 3 'may be changed by others' seal vmcore && nothing_is_there &&
		rmdir place && ln -s real place && fails 3 'place: ' seal vmcore
	status=$?
	rm -rf real place
	return $status
}

# An age that fails costs no older trace.
older_ones_go_only_for_a_new_one() {
	fresh && seal vmcore && older 1 && rm -f place/$sealed && echo RESERVE=900T >>conf && with_age 'echo no >&2; exit 1' &&
		! PATH="$dir/bin:$PATH" "$epitaph" seal --conf conf --recipients recipients -o place vmcore 2>noise && cat noise &&
		grep 'age ended with status 1' noise && [ "$(ls place | wc -l)" = 1 ]
}

a_typo_is_named_with_its_line() {
	fresh && other=q && ! grep -q 'q$' key.pub || other=p
	sed "1i # ours
		s/.$/$other/" key.pub >recipients
	fails 2 'recipients: line 2 (age1' seal vmcore && grep -q 'a typo in this key' noise && nothing_is_there
}

other_lines_are_refused() {
	fresh && sed 's/.$//' key.pub >recipients && fails 2 'a key that is too short' seal vmcore || return
	echo 'ssh-ed25519 AAAA x' >recipients
	fails 2 'an ssh key' seal vmcore && nothing_is_there
}

a_private_key_is_refused_and_not_shown() {
	fresh && grep SECRET key >recipients && fails 2 'line 1 (AGE-SECRET-K...): this is a private key' seal vmcore &&
		! grep -qF "$(grep SECRET key)" noise && nothing_is_there
}

an_empty_file_is_refused() {
	fresh && echo '# no one yet' >recipients && fails 2 'recipients: no key in it' seal vmcore && nothing_is_there &&
		rm recipients && fails 3 'recipients: No such file' seal vmcore
}

without_age_it_says_so() {
	fresh && fails 3 'there is no age in PATH' env PATH=/none "$epitaph" seal --conf conf --recipients recipients -o place vmcore &&
		nothing_is_there
}

# with_age SCRIPT: a false one in front
with_age() {
	mkdir -p bin && printf '#!/bin/sh\n%s\n' "$1" >bin/age && chmod 755 bin/age
}

an_age_that_fails_leaves_nothing() {
	fresh && with_age 'echo "age: error: out of memory" >&2; exit 1' &&
		fails 3 'out of memory' env PATH="$dir/bin:$PATH" "$epitaph" seal --conf conf --recipients recipients -o place vmcore &&
		nothing_is_there
}

an_age_that_is_killed_leaves_nothing() {
	# shellcheck disable=SC2016
	fresh && with_age 'echo half; kill -9 $$' &&
		fails 3 'status 137' env PATH="$dir/bin:$PATH" "$epitaph" seal --conf conf --recipients recipients -o place vmcore &&
		nothing_is_there
}

an_age_that_writes_rubbish_is_found_out() {
	fresh && with_age 'cat' &&
		fails 3 'does not begin with age-encryption.org/v1' env PATH="$dir/bin:$PATH" "$epitaph" seal --conf conf --recipients recipients -o place vmcore &&
		nothing_is_there
}

what_a_stop_left_is_removed() {
	fresh && echo half >place/.epitaph-seal-77 && seal vmcore && [ "$(ls -A place)" = $sealed ]
}

# Under its own name there is all of it, or nothing.
whole_or_nothing() {
	for file in ${1:-place/epitaph-*}; do
		[ ! -e "$file" ] || age -d -i key "$file" | unzstd -q | cmp - vmcore || return
	done
}

# shellcheck disable=SC2016
a_stop_while_age_writes_leaves_no_name() {
	fresh && with_age 'echo age-encryption.org/v1; kill -9 $PPID; sleep 0.1' &&
		! PATH="$dir/bin:$PATH" "$epitaph" seal --conf conf --recipients recipients -o place vmcore && ls -A place &&
		nothing_is_there && seal vmcore && [ "$(ls -A place)" = $sealed ] && whole_or_nothing
}

a_stop_at_any_time_leaves_no_half() {
	fresh || return
	for ms in $(seq 1 40); do
		rm -f place/epitaph-*
		timeout -s KILL "0.0$(printf %02d "$ms")" "$epitaph" seal --conf conf --recipients recipients -o place vmcore
		whole_or_nothing || return
		[ ! -e place/$sealed ] || named=$((${named:-0} + 1))
	done >answer 2>&1
	echo "$named of 40 came to their end"
	seal vmcore && [ "$(ls -A place)" = $sealed ] && whole_or_nothing
}

no_room_is_said_with_numbers() {
	fresh && echo RESERVE=900T >>conf && fails 3 'RESERVE= keeps' seal vmcore && nothing_is_there
}

# An older one of another boot.
older() {
	cp place/$sealed "place/epitaph-$id-20200101T00000$1Z.web1.age"
	touch -d "2020-01-0$1T00:00:00Z" "place/epitaph-$id-20200101T00000$1Z.web1.age"
}

the_oldest_go_beyond_the_quota() {
	fresh && seal vmcore && older 1 && older 2 && older 3 && rm -f place/$sealed || return
	size=$(stat -c %s place/epitaph-$id-20200101T000001Z.web1.age)
	echo QUOTA=$((size - 1)) >>conf
	fails 3 'and QUOTA is' seal vmcore || return
	echo QUOTA=$((size * 3 + 4096)) >>conf && [ $((size * 3 + 4096)) -gt $((size + 4500)) ] || return
	truncate -s 20000 place/epitaph-$id-20200101T000003Z.web1.age && touch -d 2020-01-03 place/epitaph-$id-20200101T000003Z.web1.age
	seal vmcore && ls place && [ -f place/$sealed ] && [ ! -e place/epitaph-$id-20200101T000001Z.web1.age ]
}

# What compressed is larger than QUOTA is never whole in memory.
nothing_beyond_the_quota_is_copied() {
	fresh && head -c 16384 /dev/urandom >noise && cp vmcore large && dd if=noise of=large bs=4096 seek=1 conv=notrunc 2>ignored &&
		echo QUOTA=8K >>conf &&
		fails 3 'compressed, it has more than the 8 KiB that QUOTA= allows' seal large && nothing_is_there
}

# The file is another one by the time age would open it.
age_has_the_keys_that_were_checked() {
	fresh && with_age "cat $dir/other-key.pub >$dir/recipients; exec $(command -v age) \"\$@\"" &&
		PATH="$dir/bin:$PATH" "$epitaph" seal --conf conf --recipients recipients -o place vmcore && cmp recipients other-key.pub &&
		age -d -i key place/$sealed | unzstd -q | cmp - vmcore && ! age -d -i other-key place/$sealed >ignored 2>&1
}

what_is_not_ours_stays() {
	fresh && echo x >place/vmlinuz-6.1 && echo x >place/epitaph-x && echo QUOTA=8K >>conf && seal vmcore &&
		[ "$(ls place | wc -l)" = 3 ]
}

wrong_settings_are_named() {
	fresh && echo WHEN=sometimes >>conf && fails 2 'conf: line 3: expected encrypted, always or never' seal vmcore || return
	echo 'PLACE=boot' >conf && fails 2 'line 1: expected a directory' seal vmcore || return
	echo 'KEY=1' >conf && fails 2 'no such setting: KEY' seal vmcore && nothing_is_there
}

a_dump_without_region_is_4() {
	fresh && head -c 65536 /dev/zero >empty && seal empty
	[ $? = 4 ] && nothing_is_there
}

a_wrong_key_is_2() {
	fresh && seal vmcore && fails 2 'this identity is for none of its keys' "$epitaph" unseal -i other-key -o out place/$sealed &&
		[ -z "$(ls -A out)" ]
}

each_cut_is_noticed() {
	fresh && seal vmcore || return
	size=$(stat -c %s place/$sealed)
	for n in 0 10 21 60 150 200 $((size / 2)) $((size - 1)); do
		head -c "$n" place/$sealed >short
		"$epitaph" unseal -i key -o out short 2>noise
		status=$?
		echo "$n bytes: status $status, $(cat noise)"
		[ $status = 5 ] || { [ $status = 4 ] && [ "$n" -le 21 ]; } || return
		[ -z "$(ls -A out 2>/dev/null)" ] || return
	done
}

a_changed_byte_is_noticed() {
	fresh && seal vmcore && cp place/$sealed bad && chmod 600 bad && size=$(stat -c %s bad) &&
		printf '\377\0\377' | dd of=bad bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null &&
		fails 5 'cut off or damaged' "$epitaph" unseal -i key -o out bad && [ -z "$(ls -A out)" ]
}

what_is_no_file_of_age_is_4() {
	fresh && fails 4 'no file of age' "$epitaph" unseal -i key -o out vmcore && age -a -R recipients -o armored vmcore &&
		fails 4 'armored by age -a' "$epitaph" unseal -i key -o out armored && rm armored
}

a_file_that_is_there_stays() {
	fresh && seal vmcore && mkdir out && echo mine >out/region &&
		fails 3 'out/region: File exists' "$epitaph" unseal -i key -o out place/$sealed && [ "$(cat out/region)" = mine ]
}

a_passphrase_needs_a_terminal() {
	fresh && seal vmcore && echo "age-encryption.org/v1" >protected &&
		fails 2 'is protected by a passphrase, and there is no terminal' setsid -w "$epitaph" unseal -i protected -o out place/$sealed </dev/null &&
		"$epitaph" unseal -i - -o out place/$sealed <key && [ -f out/region ]
}

no_identity_is_said() {
	fresh && seal vmcore && fails 3 'identity nowhere: No such file' "$epitaph" unseal -i nowhere -o out place/$sealed &&
		fails 2 '-i IDENTITY is missing' "$epitaph" unseal -o out place/$sealed
}

a_canary_tries_a_key() {
	fresh && rm -f canary && "$epitaph" seal --recipients recipients --canary canary | grep 'where the private key is, try it' &&
		"$epitaph" unseal -i key canary | grep 'this identity opens canary, a test that was sealed on ' &&
		fails 2 'this identity is for none of its keys' "$epitaph" unseal -i other-key canary &&
		fails 3 'canary: File exists' "$epitaph" seal --recipients recipients --canary canary
}

list_has_sealed_ones() {
	fresh && seal vmcore && older 1 && echo rubbish >place/epitaph-$id-20200101T000009Z.web1.age && : >send.conf &&
		"$epitaph" list --conf send.conf place >answer && cat answer &&
		[ "$(grep -c '^sealed .* UTC, .*, host web1, for 1 recipient$' answer)" = 2 ] && grep -q 'damaged: its head cannot be read' answer &&
		[ "$(tail -n 1 answer)" = "    place/epitaph-$id-20200101T000001Z.web1.age" ] &&
		"$epitaph" list --conf send.conf --json place | jq -se 'length == 3 and .[0].host == "web1" and .[2].recipients == 1'
}

# A prepared device, and files in its place: what setup writes to a blank one of 4 MiB.
blank_device() {
	slot=$(((4 - 2) * 1048576 / 2))
	printf 'epitaph sealed traces 1\nslot-size %d\n' $slot >lines
	printf 'head %s\n' "$(sha256sum <lines | cut -d ' ' -f 1)" >>lines
	rm -f device && truncate -s 4M device && dd if=lines of=device conv=notrunc status=none
}

seal_raw() { "$epitaph" seal --conf conf --recipients recipients -o device "$@"; }

a_device_takes_what_is_sealed() {
	fresh && blank_device && seal_raw vmcore >answer && cat answer && grep -q "^sealed device/$sealed: .*, for 1 recipient$" answer &&
		[ -f device ] && ! grep -aqE 'EPITAPH|sched_switch|zstd' device && rm -rf taken &&
		"$epitaph" seal --take taken device | grep "^copied taken/$sealed: .*, for 1 recipient$" && [ "$(ls -A taken)" = "$sealed" ] &&
		age -d -i key taken/$sealed | unzstd | cmp - vmcore && [ "$(stat -c %a taken/$sealed)" = 400 ]
}

a_copy_of_a_device_is_unsealed() {
	fresh && blank_device && fails 4 'it has no sealed trace' "$epitaph" unseal -i key -o out device && seal_raw vmcore &&
		"$epitaph" unseal -i key -o out2 device && unzstd <out2/region | cmp - vmcore && rm -r out2 &&
		fails 2 'this identity is for none of its keys' "$epitaph" unseal -i other-key -o out device
}

of_a_device_the_newest_is_unsealed() {
	fresh && blank_device && cp vmcore other && printf x | dd of=other bs=1 seek=20000 conv=notrunc 2>/dev/null &&
		cp vmcore another && printf y | dd of=another bs=1 seek=20000 conv=notrunc 2>/dev/null || return
	for file in vmcore other another; do
		seal_raw $file && "$epitaph" unseal -i key -o out2 device && unzstd <out2/region | cmp - $file && rm -r out2 || return
	done
	rm -rf taken && "$epitaph" seal --take taken device && [ "$(ls taken | wc -l)" = 2 ] && ! [ -f taken/$sealed ]
}

a_device_has_the_same_boot_once() {
	fresh && blank_device && seal_raw vmcore && cp device before && seal_raw vmcore | grep "^sealed before, in device/$sealed" && cmp device before
}

a_device_that_is_not_prepared_is_left_alone() {
	fresh && for size in 0 4M; do
		rm -f device && truncate -s $size device && cp device before && fails 3 'device' seal_raw vmcore && cmp device before || return
	done
	blank_device && printf '\377' | dd of=device bs=1 seek=30 conv=notrunc status=none && cp device before &&
		! seal_raw vmcore 2>noise && cmp device before &&
		fails 3 'cannot be opened: No such file' "$epitaph" seal --conf conf --recipients recipients -o /dev/disk/by-partuuid/missing vmcore &&
		[ ! -e /dev/disk/by-partuuid/missing ]
}

a_stop_at_any_time_leaves_a_device_whole() {
	fresh && blank_device && seal_raw vmcore && cp vmcore other && printf x | dd of=other bs=1 seek=20000 conv=notrunc 2>/dev/null || return
	cp device first
	for ms in $(seq 1 40); do
		cp first device
		timeout -s KILL "0.0$(printf %02d "$ms")" "$epitaph" seal --conf conf --recipients recipients -o device other
		rm -rf out2 && "$epitaph" unseal -i key -o out2 device || return
		if unzstd <out2/region | cmp -s - other; then
			named=$((${named:-0} + 1))
		else
			unzstd <out2/region | cmp - vmcore || return
		fi
	done >answer 2>&1
	echo "$named of 40 came to their end"
	rm -rf out2
}

# on_machine COMMAND...: with directories of its own where a machine has them
on_machine() {
	# shellcheck disable=SC2016
	unshare -m sh -c '
		mkdir -p /etc/epitaph /var/lib/epitaph /var/crash
		rm -rf machine
		for own in /etc/epitaph /var/lib /var/crash /boot; do mkdir -p machine$own && mount --bind machine$own $own || exit 99; done
		mkdir /var/lib/epitaph
		cp recipients /etc/epitaph/recipients
		printf "RESERVE=0\n$SETTINGS\n" >/etc/epitaph/seal.conf
		exec "$@"' sh "$@"
}

generation() {
	mkdir -p "sys/generations/$1"
	echo "$2" >"sys/generations/$1/offset"
	echo 20480 >"sys/generations/$1/size"
	echo "${4}000000000" >"sys/generations/$1/start"
	echo "$3" >"sys/generations/$1/state"
	: >"sys/generations/$1/harvested"
}

earlier_boots() {
	rm -rf sys && generation 3 0 evidence 1700000000 && generation 5 20480 ended 1700000500 && echo "0 0" >sys/lost
}

# shellcheck disable=SC2016
policy_keeps_captures_sealed() {
	fresh && SETTINGS='WHEN=always\nPLACE=/boot/epitaph' on_machine sh -c '
		"$0" capture -o /var/crash vmcore && find /boot /var/crash /var/lib -type f >found; cat found
		[ "$(wc -l <found)" = 1 ] && grep "^/boot/epitaph/epitaph-.*\.age$" found && age -d -i key "$(cat found)" | unzstd | cmp - vmcore' "$epitaph"
}

# shellcheck disable=SC2016
policy_keeps_harvests_sealed() {
	fresh && earlier_boots && SETTINGS='WHEN=always\nPLACE=/boot/epitaph' on_machine sh -c '
		"$0" harvest --device both --sysfs sys; echo "status $?"
		"$0" harvest --force -o /var/lib/../lib/epitaph/ --device both --sysfs sys
		find /boot /var/crash /var/lib -type f | sort >found; cat found
		[ "$(wc -l <found)" = 2 ] && grep "^/boot/epitaph/epitaph-.*\.age$" found && grep "^/boot/epitaph/ended-.*\.age$" found &&
		grep . sys/generations/3/harvested && grep . sys/generations/5/harvested &&
		age -d -i key /boot/epitaph/epitaph-*.age | unzstd | cmp - vmcore' "$epitaph"
}

# shellcheck disable=SC2016
policy_without_keys_saves_nothing() {
	fresh && earlier_boots && SETTINGS='WHEN=always\nPLACE=/boot/epitaph' on_machine sh -c '
		: >/etc/epitaph/recipients
		! "$0" harvest --device both --sysfs sys && ! "$0" capture vmcore && [ -z "$(find /boot /var/crash /var/lib -type f)" ] &&
		[ ! -s sys/generations/3/harvested ]' "$epitaph" 2>noise || return
	cat noise && grep -q 'nothing is harvested, what is in memory stays there: .*no key in it' noise
}

# shellcheck disable=SC2016
a_whole_harvest_replaces_the_sealed_copy() {
	fresh && earlier_boots && SETTINGS='PLACE=/boot/epitaph' on_machine sh -c '
		"$0" seal vmcore && ls /boot/epitaph/epitaph-*.age && cp /boot/epitaph/epitaph-*.age "/boot/epitaph/epitaph-other-20200101T000001Z.x.age" &&
		"$0" harvest --device both --sysfs sys >answer; cat answer
		[ -f /var/lib/epitaph/'$boot'/region ] && grep "^its sealed copy is not needed any more and is removed: /boot/epitaph/epitaph-'$boot'" answer &&
		[ "$(ls /boot/epitaph)" = epitaph-other-20200101T000001Z.x.age ]' "$epitaph"
}

for claim in age_reads_what_was_sealed nothing_of_it_is_in_the_clear unsealed_is_what_was_sealed each_of_two_keys_opens_it \
	the_same_boot_is_sealed_once another_file_of_that_boot_counts_for_nothing a_damaged_file_is_sealed_anew \
	other_keys_are_another_name a_link_of_that_name_is_refused recipients_of_others_are_refused a_place_of_others_is_refused \
	older_ones_go_only_for_a_new_one a_typo_is_named_with_its_line other_lines_are_refused a_private_key_is_refused_and_not_shown \
	an_empty_file_is_refused without_age_it_says_so an_age_that_fails_leaves_nothing an_age_that_is_killed_leaves_nothing \
	an_age_that_writes_rubbish_is_found_out what_a_stop_left_is_removed a_stop_while_age_writes_leaves_no_name \
	a_stop_at_any_time_leaves_no_half no_room_is_said_with_numbers \
	the_oldest_go_beyond_the_quota nothing_beyond_the_quota_is_copied \
	age_has_the_keys_that_were_checked what_is_not_ours_stays wrong_settings_are_named a_dump_without_region_is_4 a_wrong_key_is_2 \
	each_cut_is_noticed a_changed_byte_is_noticed what_is_no_file_of_age_is_4 a_file_that_is_there_stays \
	a_passphrase_needs_a_terminal no_identity_is_said a_canary_tries_a_key list_has_sealed_ones \
	a_device_takes_what_is_sealed a_copy_of_a_device_is_unsealed of_a_device_the_newest_is_unsealed \
	a_device_has_the_same_boot_once a_device_that_is_not_prepared_is_left_alone \
	a_stop_at_any_time_leaves_a_device_whole; do
	ok $claim $claim
done
for claim in policy_keeps_captures_sealed policy_keeps_harvests_sealed policy_without_keys_saves_nothing \
	a_whole_harvest_replaces_the_sealed_copy; do
	if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
		ok $claim $claim
	else
		skip $claim "directories of its own need root"
	fi
done
finish
