#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# pack_nest_test must fail for each way to break the packing, and only then.  make check breaks one
# of each kind; make check-long, with MUTANTS=all, breaks all, and tries what is not broken.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

flags="-w -I $top/include -I $top/tests/lib -D_GNU_SOURCE -DEPITAPH_CRASH_POINTS"
own="-I $dir/kernel/include $flags"

# compiled OBJECT SOURCE OPTION...
compiled() {
	object=$1 source=$2
	shift 2
	${CC:-gcc} -c -o "$dir/$object.o" "$source" "$@" || exit 99
}

# What no mutant changes, or those of slots.c do not, is compiled once.
# shellcheck disable=SC2086 # flags
compiled ring_reader "$top/tests/lib/ring_reader.c" -O2 $flags -I "$top/kernel/include"
# shellcheck disable=SC2086 # flags
compile_users_of_headers() {
	compiled ring "$dir/kernel/core/ring.c" -O1 $own
	compiled test "$here/pack_nest_test.c" -O1 $own
}

# fresh: the sources as they are, in $dir.
fresh() {
	rm -rf "$dir/kernel"
	mkdir -p "$dir/kernel/include" "$dir/kernel/core" "$dir/kernel/events"
	cp -r "$top/kernel/include/epitaph" "$dir/kernel/include/"
	cp "$top/kernel/core/ring.c" "$dir/kernel/core/"
	cp "$top/kernel/events/pack_steps.c" "$top/kernel/events/slots.c" "$dir/kernel/events/"
}

# passes: the test, of the sources in $dir; test.o is there if a mutant of slots.c came before.
# shellcheck disable=SC2086 # flags
passes() {
	[ -f "$dir/test.o" ] || compile_users_of_headers
	compiled slots "$dir/kernel/events/slots.c" -O1 $own
	compiled steps "$dir/kernel/events/pack_steps.c" -O1 $own
	${CC:-gcc} -o "$dir/test" "$dir/test.o" "$dir/ring_reader.o" "$dir/ring.o" "$dir/slots.o" "$dir/steps.o" || exit 99
	TAP_FAIL_FAST=1 timeout 1200 "$dir/test" >"$dir/log" 2>&1
}

# breaks EXPRESSION [FILE]: that sed expression changes slots.c, or FILE, and the test fails.
breaks() {
	file=kernel/${2:-events/slots.c}
	[ -z "${2-}" ] || rm -f "$dir/test.o"
	fresh
	sed -i -E "$1" "$dir/$file"
	! cmp -s "$dir/$file" "$top/$file" && ! passes && grep '^# ' "$dir/log"
}

unbroken() {
	fresh
	passes
}

# rest CLAIM COMMAND...: of make check-long
rest() {
	[ "${MUTANTS:-}" != all ] || ok "$@"
}

rest what_is_not_broken_passes unbroken

# Of slots.c: before those of headers, which leave objects that are broken.
ok a_claim_is_used_wherever_it_fell breaks 's/here = is_in\(pack->ring, claim, pack->seq\);/here = true;/'
ok a_late_one_takes_what_was_taken_later breaks 's/\(int\)\(taken - pack->seq\) >= 0 /taken == pack->seq /'
ok marked_as_written_before_it_is breaks '/if \(!put_entry\(pack/{N;d}; s/(.*written, pack->seq\);.*)/\1 if (!put_entry(pack, id, payload, words)) return false;/'
ok a_slot_keeps_the_pid_of_another breaks '/WRITE_ONCE\(slot->pid, key->pid\);/d'
rest an_entry_is_used_wherever_it_fell breaks 's/^\tif \(here\)$/\tif (1)/'
rest the_taken_mark_is_not_checked breaks 's/\(int\)\(taken - pack->seq\) >= 0 /0 /'
rest an_event_that_is_not_packed_is_named_packed breaks 's/return -1;/return 1;/'
rest what_comes_last_of_a_task_names_a_slot breaks 's/^\tto\[0\] = 0;//'
rest a_priority_that_does_not_fit_is_cut breaks 's/if \(prio != key.prio\)/if (0)/'
rest a_task_has_no_name breaks 's/text = epitaph_pack_text\(pack, a, b\);/text = 0;/'
rest a_task_without_a_slot_names_the_last_one breaks 's/^\tto\[0\] = 0;$//'

# Of pack_steps.c.
ok a_step_has_the_base_of_another breaks 's/step->base/0/' events/pack_steps.c
ok an_array_of_a_step_is_always_empty breaks 's/ epitaph_pack_empty\(state, field\)/ true/' events/pack_steps.c
rest the_data_of_a_step_lies_behind_its_place breaks 's/pack.data \+ head/pack.data + head + 1/' events/pack_steps.c

# Of headers.
ok a_short_claim_is_used_wherever_it_fell breaks 's/\(seq && \(u32\)\(head >> 32\) != \*seq\)/0/' include/epitaph/ring_fast.h
ok a_slot_is_used_before_it_is_written breaks 's/READ_ONCE\(slot->written\) != seq/(u32)READ_ONCE(slot->taken) != seq/' include/epitaph/pack.h
ok the_last_word_is_not_copied breaks 's/__builtin_memcpy\(to \+ last, &end, sizeof\(end\)\);//' include/epitaph/pack.h
ok a_usual_pid_has_any_size breaks 's/pid - 1 < \(1U << 24\) - 1/1/' include/epitaph/pack.h
ok a_time_is_the_mark_of_one_that_is_far breaks 's/rest < EPITAPH_TIME_WHOLE/rest == (u32)rest/' include/epitaph/pack.h
ok bytes_are_always_those_of_the_sectors breaks 's/likely\(bytes == state->number << EPITAPH_SECTOR_SHIFT\)/1/' include/epitaph/pack.h
rest another_text_is_taken_for_the_same breaks 's/slot->a == a && //' include/epitaph/pack.h
rest a_usual_pid_has_two_bytes breaks 's/to\[2\] = pid >> 16;//' include/epitaph/pack.h
rest a_usual_pid_reaches_the_next_event breaks 's/pack_fill_pid\(to, .*, data\);/pack_fill_pid(to, true, data);/' include/epitaph/pack.h
rest a_usual_number_has_any_size breaks 's/ && value == \(s8\)value//' include/epitaph/pack.h
rest a_usual_time_is_far_from_its_base breaks 's/\? rest == \(u16\)rest : rest < EPITAPH_TIME_WHOLE/? rest == (u16)rest : 1/' include/epitaph/pack.h
rest a_usual_jiffy_is_far_from_its_base breaks 's/\? rest == \(u16\)rest : rest < EPITAPH_TIME_WHOLE/? 1 : rest < EPITAPH_TIME_WHOLE/' include/epitaph/pack.h
rest a_usual_slot_is_another breaks 's/likely\(epitaph_slot_is\(slot, state->seq, a, b\)\) && pack_keep/pack_keep/' include/epitaph/pack.h
rest a_small_one_has_no_bound breaks 's/value >= EPITAPH_SMALL_NUMBERS/0/' include/epitaph/pack.h
rest a_usual_sector_has_any_size breaks 's/return !\(value >> 32\) && pack_keep/return pack_keep/' include/epitaph/pack.h
rest a_sector_of_five_bytes_has_four breaks 's/value >> 40 \? 8 : 5/value >> 40 ? 8 : 4/' include/epitaph/pack.h
rest a_usual_short_text_has_any_size breaks 's/return !\(value >> 16\) && pack_keep/return pack_keep/' include/epitaph/pack.h
rest another_pid_is_taken_for_the_same breaks 's/slot->pid == pid && //' include/epitaph/pack.h
rest another_priority_is_taken_for_the_same breaks 's/ && slot->prio == prio//' include/epitaph/pack.h
rest a_usual_task_is_another breaks 's/return likely\(epitaph_slot_is_task\(.*\) &&$/return/' include/epitaph/pack.h
rest a_usual_mask_has_any_bits breaks 's/return !\(value & \(value - 1\)\) && pack_keep/return pack_keep/' include/epitaph/pack.h
rest a_mask_is_always_one_bit breaks 's/likely\(!\(value & \(value - 1\)\)\)/1/' include/epitaph/pack.h
rest a_usual_number_in_codes_has_any_size breaks 's/return \*\(const u32 \*\)field <= EPITAPH_IN_CODES_MAX/return true/' include/epitaph/pack.h
rest a_usual_number_in_a_code_has_any_size breaks 's/return \*\(const u8 \*\)field <= EPITAPH_IN_CODE_MAX/return true/' include/epitaph/pack.h
rest an_array_is_always_empty breaks 's/likely\(!\*\(const u8 \*\)array\)/1/' include/epitaph/pack.h
finish
