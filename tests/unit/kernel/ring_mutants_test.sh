#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Breaks a copy of ring.c or ring_fast.h in one place after the other and requires that
# ring_crash_test sees it.  A mutant that leaves the file as it was, or does not
# compile, is a fault of this script.  That the ring as it is passes is shown by
# ring_crash_test itself.

cd "$(dirname "$0")/../../.." || exit 1
out=build/tests/unit/mutants
mkdir -p $out/epitaph
nr=0
failed=0

fast=kernel/include/epitaph/ring_fast.h
mkdir -p $out/include/epitaph
flags="-O1 -g -w -I$out/include -Iinclude -Ikernel/include -Itests/lib -Iextractor -D_GNU_SOURCE -DEPITAPH_CRASH_POINTS"
parts="lib/ring_reader lib/ring_oracle lib/ring_second unit/kernel/ring_crash_test"
objects=
for part in $parts; do
	# shellcheck disable=SC2086
	${CC:-gcc} $flags -O2 -c -o $out/${part##*/}.o tests/$part.c || exit 1
	objects="$objects $out/${part##*/}.o"
done
# shellcheck disable=SC2086
${CC:-gcc} $flags -O2 -c -o $out/subbuf.o extractor/region/subbuf.c || exit 1
objects="$objects $out/subbuf.o"

# say OK|not-ok CLAIM
say()
{
	nr=$((nr + 1))
	if [ "$1" = ok ]; then
		echo "ok $nr - $2"
	else
		echo "not ok $nr - $2"
		failed=$((failed + 1))
	fi
}

# mutant SENTENCE SED-EXPRESSION...
mutant()
{
	local sentence=$1 args=() expression
	shift
	for expression; do
		args+=(-e "$expression")
	done
	sed "${args[@]}" kernel/core/ring.c > $out/ring.c
	sed "${args[@]}" $fast > $out/epitaph/ring_fast.h
	if cmp -s kernel/core/ring.c $out/ring.c && cmp -s $fast $out/epitaph/ring_fast.h; then
		say not "the ring has changed: no such place: $sentence"
		return
	fi
	# shellcheck disable=SC2086
	if ! ${CC:-gcc} -I$out $flags -o $out/mutant $out/ring.c tests/lib/ring_rig.c $objects; then
		say not "does not compile: $sentence"
		return
	fi
	# Some die of what they did to the heap; the shell need not tell.
	case $( (TAP_FAIL_FAST=1 timeout 1200 $out/mutant > $out/log 2>&1; echo $?) 2> /dev/null) in
	0)	say not "not caught: $sentence" ;;
	124)	say not "hangs: $sentence" ;;
	*)	say ok "caught: $sentence ($(sed -n 's/^not ok [0-9]* - //p' $out/log))" ;;
	esac
}

mutant "an event looks committed from the moment it is claimed" \
	's/cpu_to_le32(claim_word(words, time))/cpu_to_le32(done_word(18, 0, time))/'
mutant "a claim is announced without its length" \
	's/return words << EPITAPH_CLAIM_WORDS_SHIFT | coarse;/return 1 << EPITAPH_CLAIM_WORDS_SHIFT | coarse;/'
mutant "a long event has its length in its claim alone" \
	's/id | words << 16/id/'
mutant "a recycled sub-buffer is not zeroed" \
	'/plat_zero(sub->sum,/d'
mutant "the head is moved by a plain store" \
	's/return likely(plat_try_cmpxchg_local(&ring->head, head, next));/WRITE_ONCE(ring->head, next); return true;/'
mutant "a writer does not say which sub-buffer it holds" \
	'/reserve:C \*\//d'
mutant "a writer does not say which sub-buffer it prepares" \
	'/WRITE_ONCE(ring->prepares\[level\], new);/d'
mutant "held sub-buffers are recycled" \
	's/while (sub_is_held(ring, level, sub));/while (0);/'
mutant "a switch does not look whether the head has moved" \
	's/if (READ_ONCE(ring->head) == head)/if (1)/'
mutant "the old sub-buffer is closed before the head has moved" \
	'/sub_prepare(ring, new, seq, head >> 32, time);/s/$/ sub_close(ring, (u32)head);/'
mutant "the old header stands while its sub-buffer is zeroed" \
	'/WRITE_ONCE(sub->check, 0);/d'
mutant "a sub-buffer does not name its predecessor" \
	's/sub_prepare(ring, new, seq, head >> 32, time)/sub_prepare(ring, new, seq, 0, time)/'
mutant "the sum is stored before the event is committed" \
	's/^	ring_done(\(fast->w, word\|claim.w, claim.word\));/	*sum = cpu_to_le64(value); &/'
mutant "the sums of a sub-buffer do not begin with its check" \
	's/sub->sum\[i\] = cpu_to_le64((u32)check);/;/'
mutant "the levels share one sum, added to without care" \
	's/&sub->sum\[level\]/\&sub->sum[0]/'
mutant "an interrupting writer has the level of the one underneath" \
	's/WRITE_ONCE(ring->nest, level + 1);/WRITE_ONCE(ring->nest, level);/'
mutant "the clock is read before the head" \
	's/^#define _EPITAPH_RING_FAST_H/&\n#include <epitaph\/ring.h>\nstatic u64 early[EPITAPH_LEVELS];/' \
	's/u64 head = READ_ONCE(ring->head);/u64 head; early[level] = epitaph_clock(); crash_point("reserve:C"); head = READ_ONCE(ring->head);/' \
	's/^\(	*\)time = .*;/\1time = early[level];/'
mutant "a torn event is trusted with the full time" \
	's/if (before < 3)/if (1)/'
mutant "the range does not allow for the bits that a torn event lacks" \
	's/(1U << EPITAPH_CLAIM_TIME_SHIFT))$/0)/'
mutant "no event carries its full time" \
	's/ring_is_far(ring, time) ||//' \
	's/ring_is_far(ring, time) ? 3 : least/least/'
mutant "the last word of a sub-buffer may be used" \
	's/ + words \* 4 < ring->sub_size;/ + words * 4 <= ring->sub_size;/'
mutant "the same on the fast path" \
	's/(u32)next >= (u32)data_race(ring->end)/(u32)next > (u32)data_race(ring->end)/'
mutant "the fast path is opened before the head has moved" \
	's/WRITE_ONCE(ring->end, 0);/WRITE_ONCE(ring->end, new + ring->sub_size);/'
mutant "the fast path is opened for a sub-buffer that the head has left" \
	's/cmpxchg_local(&ring->end, 0, start + ring->sub_size);/WRITE_ONCE(ring->end, start + ring->sub_size);/'
mutant "a level that the fast path took is not given back" \
	'/ring_leave(ring, level);$/{N;s/.*\n\(	*return false;\)/\1/}'
mutant "what an older generation left is not emptied" \
	'/sub_at(ring, i)->check = 0;/s/.*/		;/'
mutant "a counter and its complement stay apart when losses nest" \
	's/while (READ_ONCE(counter\[0\]) != n);/while (0);/'
mutant "a sum does not cover an odd last word" \
	's/return words & 1 ? sum : .*;/return sum;/'

echo "1..$nr"
[ $failed -eq 0 ]
