/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writers of kernel/core/ring.c on one CPU: LEVELS of them, each of which may be
 * interrupted by the next between any two accesses to what they share.  The
 * labels are those of ring.c and docs/ring.md.
 *
 * The CPU may stop after any step: after each that changes memory, reader()
 * says what docs/format.md lets a reader conclude, and asserts that it is what
 * happened.  The ring is full at the start, so that every switch recycles.
 *
 * What is simpler than the code
 *   - an event has one or two words; of its payload one word stands for all;
 *   - a time is an epoch: two times of one epoch are near, others are far.
 *     How 20 bits are unwrapped is for tests/unit/kernel/ring_crash_test.c;
 *   - a check is the number of what it covers, a sum is the set of events, and BEGUN;
 *   - events too large and writers too deep do not occur.
 * What it does not cover
 *   - a reader that reads while the writer goes on;
 *   - without -DWEAK, stores that reach memory in another order than the program's.
 *
 * -DWEAK: the CPU has a store buffer.  A store may stay there while later ones to other places
 * reach memory, until an smp_wmb(); a writer waits for one to the same place.  One store at a
 * time is late: whatever lacks a barrier shows by one.  The header of a sub-buffer is one store
 * here, and so are its zeroes: until the check stands, a reader looks at neither.
 *
 * -DFAST: an event may take the fast path first, as its writer likes, and go on to the other
 * one if that is closed.
 *
 * -DBUG_<n> seeds a fault; tests/model/check requires that each is found.
 */
#ifndef LEVELS
#define LEVELS	3
#endif
#ifndef NR_SUBS
#define NR_SUBS	(2 * LEVELS)	/* each writer underneath: one held, one prepared */
#endif
#ifndef WORDS
#define WORDS	2		/* of a sub-buffer, behind its header */
#endif
#ifndef EVENTS
#define EVENTS	5		/* written all in all, at any level */
#endif
#ifndef GAPS
#define GAPS	1		/* how often the epoch may change */
#endif

#define NONE	255
#define PAIR	100		/* what used and used_not add up to */
#define BEGUN	128		/* of a sum: it began with what the header says */

/* Words: 0 is zero. */
#define CLAIM(size)	(size)
#define PAYLOAD		3
#define DONE(level, size, far, epoch) \
	(128 + (level) * 16 + ((size) - 1) * 8 + (far) * 4 + (epoch))
#define IS_DONE(w)	((w) >= 128)
#define DONE_LEVEL(w)	(((w) >> 4) & 7)
#define DONE_SIZE(w)	((((w) >> 3) & 1) + 1)
#define DONE_FAR(w)	(((w) >> 2) & 1)
#define DONE_EPOCH(w)	((w) & 3)

/* --- memory: all that a reader has ---------------------------------------- */

typedef sub_buffer {
	byte check;		/* seq + 1; 0: empty */
	byte seq;
	byte prev;
	byte epoch;
	byte used;
	byte used_not;		/* PAIR - used */
	byte word[WORDS];
	byte sum[LEVELS];	/* a bit for each word at which an event begins */
};
sub_buffer sub[NR_SUBS];

/* --- what writers share --------------------------------------------------- */

byte head_seq, head_sub, head_off;	/* one word in the code: moved at once */
byte nest;
byte seq;
byte last;
byte holds[LEVELS];
byte prepares[LEVELS];

#ifdef FAST
byte open = NR_SUBS;		/* end: sub-buffer + 1; 0: the fast path is closed */
#endif

byte epoch;			/* of the clock */

/* --- what happened -------------------------------------------------------- */

#define ZERO	0
#define TAKEN	1
#define CLAIMED	2
#define WRITTEN	3

typedef truth {
	bool dead;		/* from switch:A to switch:B */
	byte stamp;		/* number of the switch to it; 0: never in use */
	byte left;		/* where the head left it; NONE: it did not yet */
	byte state[WORDS];	/* of the event that begins there */
	byte level[WORDS];
	byte size[WORDS];
	byte epoch[WORDS];
};
truth was[NR_SUBS];

byte switches;
byte claims;			/* made so far */
byte begun;			/* events */
byte gaps;
bool busy[LEVELS + 1];

/* --- stores on their way to memory ---------------------------------------- */

#define NOTHING	0
#define UNCHECK	1		/* switch:A */
#define CHECK	2
#define ZEROES	3
#define HEADER	4		/* with what the sums begin with */
#define SUM	5
#define WORD	6
#define USED	7
#define USED_NOT 8

#ifdef WEAK
typedef store {
	byte kind;
	byte place;
	byte offset;		/* word or level; epoch of a header */
	byte number;		/* seq of a header */
	byte before;		/* prev of a header */
};
store late;

/* Both change the same bytes of one sub-buffer. */
#define CLASH(a, a_at, b, b_at) \
	((a) <= CHECK && (b) <= CHECK || \
	 (a) >= ZEROES && (b) >= ZEROES && ((a) == ZEROES || (b) == ZEROES) || \
	 (a) >= ZEROES && (b) >= ZEROES && (a) <= SUM && (b) <= SUM && \
	 ((a) == HEADER || (b) == HEADER) || \
	 (a) == (b) && (a_at) == (b_at))
#define IS_LATE(what_, s_, at_) \
	(late.kind != NOTHING && late.place == (s_) && CLASH(late.kind, late.offset, what_, at_))
#else
#define IS_LATE(what_, s_, at_)	false
#endif

/* --- the reader ----------------------------------------------------------- */

byte r_i, r_j, r_off, r_w, r_epoch, r_newest;
byte r_sum[LEVELS], r_last[LEVELS];
hidden byte r_trash;

inline read_event(s, off)
{
	assert(was[s].state[off] == WRITTEN);
	assert(was[s].level[off] == DONE_LEVEL(r_w));
	assert(was[s].size[off] == DONE_SIZE(r_w));
	if
	:: DONE_SIZE(r_w) == 2 -> assert(sub[s].word[off + 1] == PAYLOAD)
	:: else
	fi;
	if
	:: DONE_FAR(r_w) -> r_epoch = DONE_EPOCH(r_w)
	:: else
	fi;
	assert(r_epoch == was[s].epoch[off]);
	r_last[DONE_LEVEL(r_w)] = 1 << off;
	r_sum[DONE_LEVEL(r_w)] = r_sum[DONE_LEVEL(r_w)] | (1 << off)
}

inline read_words(s)
{
	r_off = 0;
	r_epoch = sub[s].epoch;
	do
	:: r_off >= WORDS -> break
	:: else ->
		r_w = sub[s].word[r_off];
		if
		:: r_w == 0 ->
			assert(was[s].state[r_off] <= TAKEN);
			r_off++
		:: r_w == CLAIM(1) || r_w == CLAIM(2) ->
			assert(was[s].state[r_off] == CLAIMED);
			assert(was[s].size[r_off] == r_w);
			r_off = r_off + r_w
		:: IS_DONE(r_w) ->
			read_event(s, r_off);
			r_off = r_off + DONE_SIZE(r_w)
		:: r_w == PAYLOAD -> assert(false)	/* taken for an event */
		fi
	od
}

inline read_sums(s)
{
	r_j = 0;
	do
	:: r_j == LEVELS -> break
	:: else ->
		assert(sub[s].sum[r_j] == (BEGUN | r_sum[r_j]) ||
		       sub[s].sum[r_j] == (BEGUN | r_sum[r_j] ^ r_last[r_j]));
		r_sum[r_j] = 0;
		r_last[r_j] = 0;
		r_j++
	od
}

/* Believed as soon as the pair is whole; a complement alone is damage. */
inline read_used(s)
{
	assert(sub[s].used || !sub[s].used_not);
	if
	:: sub[s].used + sub[s].used_not == PAIR ->
		assert(sub[s].used == was[s].left)
	:: else
	fi
}

/* seq and prev lead along the switches, and nowhere else. */
inline read_chain(s)
{
	r_j = 0;
	do
	:: r_j == NR_SUBS -> break
	:: r_j < NR_SUBS && (r_j == s || sub[r_j].check == 0) -> r_j++
	:: else ->
		assert(sub[r_j].seq != sub[s].seq);
		assert(!was[s].stamp || !was[r_j].stamp ||
		       (sub[s].seq < sub[r_j].seq) == (was[s].stamp < was[r_j].stamp));
		assert(was[s].stamp < 2 || was[r_j].stamp != was[s].stamp - 1 ||
		       sub[s].prev == sub[r_j].seq);
		assert(sub[r_j].word[0] == 0 || was[r_j].stamp);
		assert(was[r_j].stamp || sub[s].prev != sub[r_j].seq);
		r_j++
	od
}

inline reader()
{
	r_i = 0;
	do
	:: r_i == NR_SUBS -> break
	:: r_i < NR_SUBS && sub[r_i].check == 0 ->
		assert(was[r_i].dead);
		r_i++
	:: else ->
		assert(!was[r_i].dead);
		assert(sub[r_i].check == sub[r_i].seq + 1);
		read_words(r_i);
		read_sums(r_i);
		read_used(r_i);
		read_chain(r_i);
		r_i++
	od;
	r_i = 0; r_j = 0; r_off = 0; r_w = 0; r_epoch = 0
}

/* --- the writers ---------------------------------------------------------- */

/* A writer runs only while no interrupt runs above it. */
#define STEP	d_step { !busy[me + 1];
#define END	}

#ifdef WEAK
#define WMB	d_step { !busy[me + 1] && late.kind == NOTHING -> skip };
#else
#define WMB
#endif

/* By the writer; @prev_: of a header. */
inline put(what_, s_, at_, value_, prev_)
{
	if
	:: d_step { !busy[me + 1] && !(IS_LATE(what_, s_, at_)) ->
		arrive(what_, s_, at_, value_, prev_) }
#ifdef WEAK
	:: d_step { !busy[me + 1] && late.kind == NOTHING ->
		late.kind = what_; late.place = s_; late.offset = at_;
		late.number = value_; late.before = prev_ }
#endif
	fi
}

#ifdef BUG_4	/* no writer publishes the sub-buffer that it holds */
#define SET_HOLDS
#else
#define SET_HOLDS	holds[level] = h_sub;
#endif

#ifdef BUG_5	/* no writer publishes the sub-buffer that it prepares */
#define SET_PREPARES
#else
#define SET_PREPARES	prepares[level] = new;
#endif

#ifdef BUG_16	/* a head comes back: it has no seq in it */
#define HEAD_IS_MINE	(head_sub == h_sub && head_off == h_off)
#else
#define HEAD_IS_MINE	(head_seq == h_seq && head_sub == h_sub && head_off == h_off)
#endif

#ifdef BUG_6	/* a switch does not look whether the head has moved */
#define SAME_HEAD	true
#else
#define SAME_HEAD	HEAD_IS_MINE
#endif

#ifdef BUG_8	/* who interrupts has the level of the one underneath */
#define UP(level)	level
#else
#define UP(level)	(level) + 1
#endif

/* The next that no level underneath holds or prepares: sub_next(). */
inline sub_next(level)
{
	new = h_sub;
	tries = 0;
	do
	:: true ->
		new = (new + 1) % NR_SUBS;
		tries++;
		assert(tries <= NR_SUBS);
		free = true;
		i = 0;
		do
		:: i >= level -> break
		:: else ->
			free = free && holds[i] != new && prepares[i] != new;
			i++
		od;
		if
#ifdef BUG_13	/* held sub-buffers are recycled */
		:: true -> break
#else
		:: free -> break
		:: else
#endif
		fi
	od;
	tries = 0;
	i = 0;
	free = false
}

/* From here to switch:B a reader finds nothing in it. */
inline kill(s)
{
	assert(s != head_sub);
	i = 0;
	do
	:: i == WORDS -> break
	:: else ->
		assert(was[s].state[i] == ZERO || was[s].state[i] == WRITTEN);
		was[s].state[i] = ZERO;
		was[s].level[i] = 0;
		was[s].size[i] = 0;
		was[s].epoch[i] = 0;
		i++
	od;
	i = 0;
	was[s].dead = true;
	was[s].stamp = 0;
	was[s].left = NONE
}

inline zero(s)
{
	i = 0;
	do
	:: i == WORDS -> break
	:: else -> sub[s].word[i] = 0; i++
	od;
	i = 0;
	do
	:: i == LEVELS -> break
	:: else -> sub[s].sum[i] = 0; i++
	od;
	i = 0;
	sub[s].used = 0;
	sub[s].used_not = 0
}

inline begin_sums(s)
{
	i = 0;
	do
	:: i == LEVELS -> break
	:: else -> sub[s].sum[i] = BEGUN; i++
	od;
	i = 0
}

inline fill_in(s, seq_, prev_, epoch_)
{
	sub[s].seq = seq_;
#ifdef BUG_14	/* the predecessor is taken to have the number before */
	sub[s].prev = seq_ - 1;
#else
	sub[s].prev = prev_;
#endif
	sub[s].epoch = epoch_;
#ifndef BUG_21	/* the sums do not begin with what the header says */
	begin_sums(s)
#endif
}

inline set_word(s, off, value_)
{
	sub[s].word[off] = value_;
	if
	:: IS_DONE(value_) -> was[s].state[off] = WRITTEN
	:: value_ == CLAIM(1) || value_ == CLAIM(2) -> was[s].state[off] = CLAIMED
	:: else		/* of a payload */
	fi
}

/* From here on it is what a reader has, if the CPU stops. */
inline arrive(what_, s_, at_, value_, prev_)
{
	if
	:: what_ == UNCHECK ->
		kill(s_);
#ifndef BUG_11	/* the old header stands while its sub-buffer is zeroed */
		sub[s_].check = 0
#endif
	:: what_ == CHECK -> sub[s_].check = value_; was[s_].dead = false
	:: what_ == ZEROES -> zero(s_)
	:: what_ == HEADER -> fill_in(s_, value_, prev_, at_)
	:: what_ == SUM -> sub[s_].sum[at_] = value_
	:: what_ == WORD -> set_word(s_, at_, value_)
	:: what_ == USED -> sub[s_].used = value_
	:: what_ == USED_NOT -> sub[s_].used_not = value_
	fi;
	reader()
}

inline sub_prepare(s)
{
	put(UNCHECK, s, 0, 0, 0);			/* switch:A */
#ifndef BUG_17	/* no smp_wmb() at switch:A */
	WMB
#endif
#ifndef BUG_2	/* a recycled sub-buffer is not zeroed */
	put(ZEROES, s, 0, 0, 0);			/* switch:zeroed */
#endif
	put(HEADER, s, at, mine, h_seq);		/* switch:filled */
#ifndef BUG_18	/* no smp_wmb() at switch:B */
	WMB
#endif
	put(CHECK, s, 0, mine + 1, 0)			/* switch:B */
}

inline sub_close()
{
	put(USED, h_sub, 0, h_off + 1, 0);		/* switch:D */
#ifndef BUG_25	/* no smp_wmb() at switch:E */
	WMB
#endif
	put(USED_NOT, h_sub, 0, PAIR - h_off - 1, 0)	/* switch:E */
}

inline ring_switch(level)
{
	STEP sub_next(level); END;
	STEP SET_PREPARES END;				/* switch:claim */
#ifdef BUG_15	/* numbers are given out by a load and a store */
	STEP mine = seq + 1; END;
	STEP seq = mine; END;
#else
	STEP seq++; mine = seq; END;
#endif
	if
	:: d_step { !busy[me + 1] && !(SAME_HEAD) -> skip }
	:: d_step { !busy[me + 1] && SAME_HEAD -> at = epoch; t = claims };
		sub_prepare(new);
#ifdef FAST
#ifndef BUG_22	/* the fast path is open while the head moves */
		STEP open = 0; END;			/* end:A */
#endif
#endif
#ifdef BUG_12	/* the old sub-buffer is closed before the head has moved */
		sub_close();
#endif
		if
		:: d_step { !busy[me + 1] && !(HEAD_IS_MINE) -> skip }
		:: d_step { !busy[me + 1] && HEAD_IS_MINE ->	/* switch:C */
			assert(t == claims);
			was[h_sub].left = h_off + 1;
			switches++;
			was[new].stamp = switches;
			head_seq = mine;
			head_sub = new;
			head_off = 0;
			reader()
		   };
			STEP last = at; END;
#ifndef BUG_12
			sub_close()
#endif
		fi;
#ifdef FAST
		STEP mine = head_sub; END;		/* end:read */
#ifdef BUG_23	/* the fast path is opened for a sub-buffer that the head has left */
		STEP open = mine + 1; END
#else
		if					/* end:B */
		:: d_step { !busy[me + 1] && open == 0 -> open = mine + 1 }
		:: d_step { !busy[me + 1] && open -> skip }
		fi
#endif
#endif
	fi;
	STEP prepares[level] = NONE; new = 0; mine = 0; END	/* switch:F */
}

/* The clock may have gone on to the next epoch since it was looked at last. */
inline look_at_clock()
{
	if
	:: d_step { !busy[me + 1] -> at = epoch; t = claims }
	:: d_step { !busy[me + 1] && gaps < GAPS ->
		gaps++; epoch++; at = epoch; t = claims }
	fi;
	STEP far = at != last; END
}

inline look()
{
#ifdef BUG_9	/* the clock is read before the head */
	look_at_clock();
#endif
	STEP h_seq = head_seq; h_sub = head_sub; h_off = head_off; END;	/* reserve:B */
	STEP SET_HOLDS END;				/* reserve:C */
#ifndef BUG_9
	look_at_clock()
#endif
}

/* No write since the clock was read: times never go back along a ring. */
inline claim()
{
	assert(t == claims);
	assert(h_off + size <= WORDS);
	assert(was[h_sub].state[h_off] == ZERO);
	claims++;
	was[h_sub].state[h_off] = TAKEN;
	was[h_sub].level[h_off] = level;
	was[h_sub].size[h_off] = size;
	was[h_sub].epoch[h_off] = at;
	head_seq = h_seq;
	head_sub = h_sub;
	head_off = h_off + size
}

#ifdef FAST
/* Head and end are read one after the other. */
#define IS_CLOSED	(limit == 0 || h_sub * WORDS + h_off + size > limit * WORDS)

/* Sets @taken, or gives the level back and takes it again. */
inline reserve_fast()
{
	look();
	STEP limit = open; END;
	if
	:: d_step { !busy[me + 1] && !far && !IS_CLOSED && HEAD_IS_MINE ->
		claim(); taken = true; reader() }	/* reserve:D */
	:: d_step { !busy[me + 1] && (far || IS_CLOSED || !(HEAD_IS_MINE)) -> skip };
		STEP nest = level; END;
		STEP level = nest; END;
		STEP nest = UP(level); END
	fi;
	STEP limit = 0; END
}
#endif

inline reserve()
{
#ifdef FAST
	if
	:: d_step { !busy[me + 1] -> skip };
		reserve_fast()
	:: d_step { !busy[me + 1] -> skip }
	fi;
#endif
	do
#ifdef FAST
	:: d_step { !busy[me + 1] && taken -> taken = false }; break
	:: d_step { !busy[me + 1] && !taken -> skip };
#else
	:: true ->
#endif
		look();
		if
		:: h_off + size > WORDS -> ring_switch(level)
#ifdef BUG_3	/* the head is moved by a plain store */
		:: d_step { !busy[me + 1] && h_off + size <= WORDS ->
			claim(); reader() }; break
#else
		:: d_step { !busy[me + 1] && h_off + size <= WORDS && !(HEAD_IS_MINE) -> skip }
		:: d_step { !busy[me + 1] && h_off + size <= WORDS && HEAD_IS_MINE ->
			claim(); reader() }; break	/* reserve:D */
#endif
		fi
	od;
	skip;	/* a loop cannot be left into a step */
#ifdef BUG_19	/* an event looks committed from the moment it is claimed */
	put(WORD, h_sub, h_off, DONE(level, size, far, at), 0);
#else
	put(WORD, h_sub, h_off, CLAIM(size), 0);	/* reserve:E */
#endif
#ifndef BUG_24	/* no smp_wmb() at reserve:E */
	WMB
#endif
	if
#ifdef BUG_10	/* a torn event is trusted with the full time */
	:: d_step { !busy[me + 1] -> last = at }
#else
	:: d_step { !busy[me + 1] && !far -> last = at }	/* reserve:F */
	:: d_step { !busy[me + 1] && far -> skip }
#endif
	fi
}

inline store_payload()
{
	if
	:: size == 2 -> put(WORD, h_sub, h_off + 1, PAYLOAD, 0)
	:: else
	fi
}

#ifdef BUG_20	/* the levels share one sum, added to without care */
#define SUM_OF(level)	0
#else
#define SUM_OF(level)	level
#endif

inline store_sum()
{
	d_step { !busy[me + 1] && !(IS_LATE(SUM, h_sub, SUM_OF(level))) ->
		t = sub[h_sub].sum[SUM_OF(level)] };
	put(SUM, h_sub, SUM_OF(level), t | (1 << h_off), 0)	/* commit:C */
}

inline commit()
{
#ifndef BUG_1	/* no smp_wmb() at commit:A */
	WMB						/* commit:A */
#endif
	put(WORD, h_sub, h_off, DONE(level, size, far, at), 0);	/* commit:B */
#ifndef BUG_7	/* no smp_wmb() at commit:B */
	WMB
#endif
	if
	:: d_step { !busy[me + 1] && far -> last = at }
	:: d_step { !busy[me + 1] && !far -> skip }
	fi;
	store_sum();
	STEP nest = level; END				/* commit:D */
}

#define MAY_BEGIN	(begun < EVENTS && !busy[me] && (me == 0 || busy[me - 1]))

/* Writer number @me is the one that interrupts number @me - 1. */
proctype writer(byte me)
{
	byte level, size, h_seq, h_sub, h_off, new, mine, at, t;
	bool far;
#ifdef FAST
	byte limit;
	bool taken;
#endif
	/* Within one step each, and 0 between them. */
	byte i, tries;
	bool free;

end:	do
	:: atomic { MAY_BEGIN -> busy[me] = true; begun++;
			if
			:: size = 1
			:: WORDS > 1 -> size = 2
			fi };
		STEP level = nest; END;
		STEP nest = UP(level); END;		/* reserve:A */
		reserve();
		store_payload();
		commit();
		d_step { !busy[me + 1] -> busy[me] = false;
			level = 0; size = 0; h_seq = 0; h_sub = 0; h_off = 0;
			at = 0; t = 0; far = false }
	od
}

#ifdef WEAK
proctype store_buffer()
{
	/* Within one step each, and 0 between them. */
	byte i, kind, place, offset, number, before;

end:	do
	:: d_step { late.kind != NOTHING ->
		kind = late.kind; place = late.place; offset = late.offset;
		number = late.number; before = late.before;
		arrive(kind, place, offset, number, before);
		kind = 0; place = 0; offset = 0; number = 0; before = 0;
		late.kind = NOTHING; late.place = 0; late.offset = 0;
		late.number = 0; late.before = 0 }
	od
}
#endif

/* Every sub-buffer was in use once; the head is in the last. */
init {
	byte i = 0, j;

	d_step {
		do
		:: i == NR_SUBS -> break
		:: else ->
			sub[i].seq = i + 1;
			sub[i].prev = i;
			sub[i].check = i + 2;
			was[i].stamp = i + 1;
			was[i].left = NONE;
			j = 0;
			do
			:: j == LEVELS -> break
			:: else -> sub[i].sum[j] = BEGUN; j++
			od;
			if
			:: i < NR_SUBS - 1 ->
				j = 0;
				do
				:: j == WORDS -> break
				:: else ->
					sub[i].word[j] = DONE(0, 1, 0, 0);
					was[i].state[j] = WRITTEN;
					was[i].size[j] = 1;
					sub[i].sum[0] = sub[i].sum[0] | (1 << j);
					j++
				od;
				sub[i].used = WORDS + 1;
				sub[i].used_not = PAIR - WORDS - 1;
				was[i].left = WORDS + 1
			:: else
			fi;
			i++
		od;
		i = 0;
		do
		:: i == LEVELS -> break
		:: else -> prepares[i] = NONE; i++
		od;
		head_sub = NR_SUBS - 1;
		head_seq = NR_SUBS;
		seq = NR_SUBS;
		switches = NR_SUBS;
		i = 0; j = 0;
		reader()
	};
	atomic {
#ifdef WEAK
		run store_buffer();
#endif
		do
		:: i == LEVELS -> break
		:: else -> run writer(i); i++
		od
	}
}
