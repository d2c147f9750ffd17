/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The bytes that outlive the kernel that wrote them.
 *
 *   0         table_size                            copy_off     gen_size
 *   +---------+---------+---------+--   --+---------+------------+
 *   | header, | section | section |  ...  | section | header,    |
 *   | section |         |         |       |         | section    |
 *   | table   |         |         |       |         | table copy |
 *   +---------+---------+---------+--   --+---------+------------+
 *
 * That is one generation: what one boot recorded.  A region is nr_gens of
 * them, each gen_size bytes, one after the other.
 *
 * Everything here is little-endian, of fixed width and without pointers: the
 * reader is another kernel or another machine.  Only the payload of an event
 * is in the byte order of the recorded kernel (byte_order), as its format text
 * says.  Offsets and sizes are bytes; offsets count from the start of the
 * generation.  Reserved bytes are written as zero and not looked at.
 *
 * A change here changes docs/format.md and tests/golden/ in the same commit.
 */
#ifndef _EPITAPH_FORMAT_H
#define _EPITAPH_FORMAT_H

#include <linux/types.h>

#define EPITAPH_ASSERT_SIZE(type, n) \
	_Static_assert(sizeof(type) == (n), #type " is " #n " bytes")
#define EPITAPH_ASSERT_OFF(type, member, n) \
	_Static_assert(__builtin_offsetof(type, member) == (n), \
		       #type "." #member " is at " #n)

/*
 * The magic is the eight bytes "EPITAPH" and 0x1a, at the start of a page.
 * Code holds it inverted, because module and extractor lie in the same vmcore.
 */
#define EPITAPH_MAGIC_INVERTED	0xe5b7afbeabb6afbaULL

#define EPITAPH_MAJOR		1	/* a reader refuses another major */
#define EPITAPH_MINOR		4	/* a reader ignores what it does not know */

#define EPITAPH_PAGE		4096	/* generations, rings and tables align to it */
/* In a copy, over and over, in place of a page that could not be read. */
#define EPITAPH_UNREADABLE	"unreadable page\n"

/* Incompatible features: a reader refuses a bit that it does not know. */
#define EPITAPH_INCOMPAT_PACKED	1ULL	/* 1.2: ids of packed and of small events */
#define EPITAPH_INCOMPAT_CRC	2ULL	/* 1.4: sums of events are CRC-32C */
#define EPITAPH_INCOMPAT_KNOWN	(EPITAPH_INCOMPAT_PACKED | EPITAPH_INCOMPAT_CRC)

/**
 * EPITAPH_MIX_MUL - the odd multiplier of every check in the format
 *
 * mix(h, w): p = rotate_left(h xor w, 32) * EPITAPH_MIX_MUL modulo 2^64; the
 * result is p xor (p >> 29).  Each step is a bijection of h and of w, so one
 * changed 64-bit word always changes the result.  Without the shift, the top
 * bit would pass the product alone, and a bit of the next word could undo it.
 *
 * check(seed, bytes): h = seed xor length; for each 8 bytes, read as a
 * little-endian number and padded with zero bytes at the end, h = mix(h, w);
 * the result is h xor (h >> 32).
 */
#define EPITAPH_MIX_MUL		0x9e3779b97f4a7c15ULL

enum epitaph_clock_id {
	EPITAPH_CLOCK_TSC = 1,		/* x86 rdtsc; starts at reset */
	EPITAPH_CLOCK_LOCAL = 2,	/* trace_clock_local(), ns; CPUs may differ */
	EPITAPH_CLOCK_TEST = 3,		/* counts events; test images only */
	EPITAPH_CLOCK_CNTVCT = 4,	/* arm64 cntvct_el0 */
	/* 1.4: the kernel's, ns, read without a lock */
	EPITAPH_CLOCK_MONO = 5,		/* CLOCK_MONOTONIC */
	EPITAPH_CLOCK_BOOT = 6,		/* CLOCK_BOOTTIME: goes on in a suspend */
	EPITAPH_CLOCK_TAI = 7,		/* CLOCK_TAI: goes back if the time of day is set back */
	EPITAPH_CLOCK_TOD = 8,		/* s390x's TOD clock >> EPITAPH_TOD_SHIFT: 1/512 us since 1900 */
};

/* Its lowest bits are 1/4096 us.  So many less, and no time before it wraps around, in 2042, is above 2^61. */
#define EPITAPH_TOD_SHIFT	3

/* How the region came by its memory (1.1; 0: unknown). */
enum epitaph_memory {
	EPITAPH_MEMORY_MEMMAP = 1,	/* memmap=N!A: the same place in every boot */
	EPITAPH_MEMORY_RESERVE_MEM = 2,	/* reserve_mem=: may move from boot to boot */
	EPITAPH_MEMORY_PAGES = 3,	/* allocated at load: outlives no reset */
	EPITAPH_MEMORY_DEVICE = 4,	/* of a virtual machine's device: the host keeps it */
	EPITAPH_MEMORY_DEVICE_TREE = 5,	/* the device tree reserves it: the same place in every boot */
};

enum epitaph_byte_order {		/* as EI_DATA of ELF */
	EPITAPH_LITTLE_ENDIAN = 1,
	EPITAPH_BIG_ENDIAN = 2,
};

struct epitaph_header {
	__le64	magic;			/*   0 */
	__le16	major;			/*   8 */
	__le16	minor;			/*  10 */
	__le32	header_size;		/*  12  bytes of this struct the writer knew */
	__le64	incompat;		/*  16  EPITAPH_INCOMPAT_* */
	__le64	compat;			/*  24  none yet */
	__le64	region_size;		/*  32  all generations */
	__le64	gen_size;		/*  40  this one; multiple of 4096 */
	__le32	gen_index;		/*  48  0 .. nr_gens - 1 */
	__le32	nr_gens;		/*  52 */
	__le64	self_off;		/*  56  of this very header: 0 or copy_off */
	__le64	copy_off;		/*  64  gen_size - table_size */
	__le32	table_size;		/*  72  header and section table; multiple of 4096 */
	__le32	nr_sections;		/*  76  the table begins at header_size */
	__le32	section_size;		/*  80  bytes of a table entry */
	__le32	machine;		/*  84  ELF e_machine of the recorded kernel */
	__u8	byte_order;		/*  88  enum epitaph_byte_order, of payloads */
	__u8	long_size;		/*  89  bytes of a C long, of payloads */
	__u8	page_shift;		/*  90  of the recorded kernel */
	__u8	clock_id;		/*  91  enum epitaph_clock_id */
	__u8	clock_shift;		/*  92  an event's time is clock >> clock_shift */
	__u8	reserved0[3];		/*  93 */
	__le32	nr_cpus;		/*  96  possible CPUs */
	__le32	clock_khz;		/* 100  ticks of the clock per ms */
	__le64	phys_addr;		/* 104  where the region was */
	__le64	kaslr_offset;		/* 112  added to link addresses; 0 if unknown */
	__le64	salt;			/* 120  random; seed of the checks below */
	__le64	start_clock;		/* 128  clock when recording began */
	__le64	start_mono_ns;		/* 136  CLOCK_MONOTONIC then */
	__le64	start_real_ns;		/* 144  since 1970, UTC, then */
	__u8	boot_id[16];		/* 152  /proc/sys/kernel/random/boot_id */
	__u8	build_id[20];		/* 168  of vmlinux */
	__u8	build_id_size;		/* 188  0 if unknown */
	__u8	reserved1[3];		/* 189 */
	char	release[64];		/* 192  uname -r */
	char	version[64];		/* 256  uname -v */
	char	recorder[32];		/* 320  who wrote this, with its version */
	/* 1.1; all zero in 1.0 */
	__le64	number;			/* 352  from 1: of generations of this region, growing */
	__le64	lost_number;		/* 360  the last one overwritten before it was saved */
	__le32	lost_gens;		/* 368  how many were, since the region was first used */
	__le32	memory;			/* 372  enum epitaph_memory */
	/* 1.4: types (BTF) of the kernel, in its memory, where it has none itself */
	__le64	types_addr;		/* 376  virtual */
	__le64	types_size;		/* 384  bytes; 0: none */
	__le64	types_check;		/* 392  of them, seed 0 */
	__u8	reserved2[104];		/* 400 */
	__le64	check;			/* 504  of table_size bytes, this field as 0, seed 0 */
};
EPITAPH_ASSERT_SIZE(struct epitaph_header, 512);
EPITAPH_ASSERT_OFF(struct epitaph_header, table_size, 72);
EPITAPH_ASSERT_OFF(struct epitaph_header, salt, 120);
EPITAPH_ASSERT_OFF(struct epitaph_header, release, 192);
EPITAPH_ASSERT_OFF(struct epitaph_header, number, 352);
EPITAPH_ASSERT_OFF(struct epitaph_header, check, 504);

/* A reader skips a type that it does not know. */
enum epitaph_section_type {
	EPITAPH_SEC_CHANNELS = 1,	/* array of struct epitaph_channel */
	EPITAPH_SEC_EVENTS = 2,		/* array of struct epitaph_event_size, by id */
	EPITAPH_SEC_FORMATS = 3,	/* sequence of struct epitaph_batch */
	EPITAPH_SEC_CLOCK = 4,		/* array of struct epitaph_anchor */
	EPITAPH_SEC_TASKS = 5,		/* array of struct epitaph_task, by hash */
	EPITAPH_SEC_SYMBOLS = 6,	/* array of struct epitaph_symbol, by hash */
	EPITAPH_SEC_COUNTERS = 7,	/* array of struct epitaph_counters, a ring each */
	EPITAPH_SEC_MARKS = 8,		/* array of struct epitaph_mark */
	EPITAPH_SEC_CRASH = 9,		/* one struct epitaph_crash */
	EPITAPH_SEC_CPUS = 10,		/* array of struct epitaph_cpu, by CPU */
	EPITAPH_SEC_RING = 11,		/* sub-buffers of one CPU of one channel */
	/* 1.1 */
	EPITAPH_SEC_TAKEN = 12,		/* array of struct epitaph_taken, by how */
	EPITAPH_SEC_LOG = 13,		/* one struct epitaph_log and its text */
	EPITAPH_SEC_MCE = 14,		/* array of struct epitaph_mce */
	EPITAPH_SEC_RECORDS = 15,	/* array of struct epitaph_record, with their bytes */
	/* 1.2 */
	EPITAPH_SEC_ADDED = 16,		/* array of struct epitaph_added */
	EPITAPH_SEC_POOL = 17,		/* rings and counters of added channels */
	/* 1.4 */
	EPITAPH_SEC_PARITY = 18,	/* of page n of the generation: entry n; directly behind the table */
	EPITAPH_SEC_SKEW = 19,		/* array of struct epitaph_skew, in no order */
	EPITAPH_SEC_BRANCHES = 20,	/* array of struct epitaph_branches, by CPU */
	EPITAPH_SEC_MEMORY = 21,	/* sequence of struct epitaph_kept, with their bytes */
};

#define EPITAPH_PARITY_CODEWORDS	19	/* of a page; see parity.h */
#define EPITAPH_PARITY_SIZE		(EPITAPH_PARITY_CODEWORDS * 16)	/* of a page's parity */

#define EPITAPH_NO_CPU		0xffffffffU

/* 1.4: not by the recorder, but made of the kernel's memory in a dump; so a log is the kernel's whole. */
#define EPITAPH_SECTION_FROM_DUMP	1U

struct epitaph_section {
	__le32	type;			/*  0  enum epitaph_section_type */
	__le32	flags;			/*  4  1.4: EPITAPH_SECTION_FROM_DUMP */
	__le64	off;			/*  8 */
	__le64	size;			/* 16 */
	__le32	cpu;			/* 24  EPITAPH_NO_CPU: of no single one; a ring (1.2): of all */
	__le32	channel;		/* 28  epitaph_channel.id, of a ring */
	__le32	unit;			/* 32  bytes of an array entry or sub-buffer */
	__le32	index;			/* 36  of a ring: its entry in the counters */
	__le64	check;			/* 40  of the section, seed salt; 0: it changes,
					 *     and its entries have checks of their own */
	__u8	reserved[16];		/* 48 */
};
EPITAPH_ASSERT_SIZE(struct epitaph_section, 64);
EPITAPH_ASSERT_OFF(struct epitaph_section, check, 40);

enum epitaph_mode {
	EPITAPH_OVERWRITE = 0,		/* the oldest sub-buffer goes */
	EPITAPH_STOP = 1,		/* full: new events go, and are counted */
	EPITAPH_CONSUME = 2,		/* 1.4: the same until a reader has made room */
	EPITAPH_RINGS = 3,		/* 1.4: no rings of CPUs, but slots for those of programs */
};

struct epitaph_channel {
	__le32	id;			/*  0 */
	__le32	mode;			/*  4  enum epitaph_mode */
	char	name[32];		/*  8 */
	__u8	reserved[16];		/* 40 */
	__le64	check;			/* 56  of bytes 0..55, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_channel, 64);

enum epitaph_added_flag {
	EPITAPH_ADDED_COPY = 1,		/* taken of another channel's rings; never written to since */
	EPITAPH_ADDED_SHARED = 2,	/* one ring of all CPUs, as that of the channel "user" */
	EPITAPH_ADDED_MOVED = 4,	/* its rings have moved, origin times: docs/sizes.md */
};

/*
 * A channel that was added while recording: where its rings are.  A check of 0:
 * there is none here, whatever the other bytes say.
 */
struct epitaph_added {
	__le64	off;			/*   0  of the first ring, in the generation; within the pool */
	__le64	ring_size;		/*   8  of each; ring i is CPU i's and lies at off + i * ring_size */
	__le64	counters;		/*  16  of struct epitaph_counters, one a ring; 0: none */
	__le32	id;			/*  24  of the channel; no other one's in this generation */
	__le32	mode;			/*  28  enum epitaph_mode */
	__le32	unit;			/*  32  bytes of a sub-buffer */
	__le32	nr_rings;		/*  36 */
	__le32	flags;			/*  40  EPITAPH_ADDED_* */
	__le32	origin;			/*  44  of a copy: id of the channel that it was taken of */
	__le64	clock;			/*  48  when it was added */
	char	name[32];		/*  56 */
	__le64	consumed;		/*  88  1.4: of struct epitaph_consumed, one a ring; 0: none */
	__le64	owners;			/*  96  1.4: of EPITAPH_RINGS, of struct epitaph_owner, one a slot */
	__u8	reserved[16];		/* 104 */
	__le64	check;			/* 120  of bytes 0..119, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_added, 128);
EPITAPH_ASSERT_OFF(struct epitaph_added, owners, 96);
EPITAPH_ASSERT_OFF(struct epitaph_added, consumed, 88);
EPITAPH_ASSERT_OFF(struct epitaph_added, name, 56);
EPITAPH_ASSERT_OFF(struct epitaph_added, check, 120);

#define EPITAPH_SLOT_SIZE	73728	/* of a program's ring: what follows, then sub-buffers */
#define EPITAPH_SLOT_FORMATS	64	/* behind struct epitaph_counters: sequence of struct epitaph_batch */
#define EPITAPH_SLOT_DATA	8192	/* the first of its sub-buffers */
#define EPITAPH_SLOT_SUB_SIZE	4096

/*
 * Of a slot of EPITAPH_RINGS: whose ring it has.  The kernel writes it, and the slot itself a program
 * alone: what is there may be anything.  A check of 0: no ring, whatever the slot holds.
 */
struct epitaph_owner {
	__le64	seq;			/*   0  from 1, of all openings in this generation */
	__le64	salt;			/*   8  seed of the checks in the slot */
	__le64	opened;			/*  16  the clock then */
	__le32	pid;			/*  24  the thread's id */
	__le32	tgid;			/*  28 */
	__le32	uid;			/*  32 */
	__le32	reserved0;		/*  36 */
	char	comm[16];		/*  40  of the thread then */
	char	program[16];		/*  56  of its process */
	char	name[32];		/*  72  that it gave the ring */
	__u8	reserved1[16];		/* 104 */
	__le64	check;			/* 120  of bytes 0..119, seed salt of the generation */
	__le64	ended;			/* 128  the clock when the process let go of it; 0: it had it */
	__le64	ended_not;		/* 136  its complement, stored second; alone neither counts */
	__u8	reserved2[16];		/* 144 */
};
EPITAPH_ASSERT_SIZE(struct epitaph_owner, 160);
EPITAPH_ASSERT_OFF(struct epitaph_owner, name, 72);
EPITAPH_ASSERT_OFF(struct epitaph_owner, check, 120);

/* Entry number @id; all zero: the id was not given out. */
struct epitaph_event_size {
	__le16	id;			/*  0 */
	__le16	words;			/*  2  of the payload; 0: it varies */
	__le32	check;			/*  4  low half of check(bytes 0..3, seed salt) */
};
EPITAPH_ASSERT_SIZE(struct epitaph_event_size, 8);

enum epitaph_method {
	EPITAPH_STORED = 0,
	EPITAPH_ZLIB = 1,		/* RFC 1950 */
	EPITAPH_PACKINGS = 2,		/* stored; no formats: docs/packing.md */
};

/*
 * A batch of event formats, followed by @size bytes and padded to 8.  The
 * sequence ends where the check does not hold.  The text is, for each event,
 * the line "system: NAME" and then the kernel's own format file, whose ID is
 * the id that events carry here.
 */
struct epitaph_batch {
	__le32	size;			/*  0  of what follows */
	__le32	raw_size;		/*  4  of the text */
	__le32	method;			/*  8  enum epitaph_method */
	__le32	nr_events;		/* 12 */
	__le64	reserved;		/* 16 */
	__le64	check;			/* 24  of bytes 0..23 and then of what follows,
					 *     the first seeded by salt, the second by the first */
};
EPITAPH_ASSERT_SIZE(struct epitaph_batch, 32);

enum epitaph_anchor_reason {
	EPITAPH_ANCHOR_LOAD = 0,	/* entry 0, and it stays there */
	EPITAPH_ANCHOR_PERIODIC = 1,
	EPITAPH_ANCHOR_CRASH = 2,
	/* 1.4: CLOCK_MONOTONIC stood still between the two. */
	EPITAPH_ANCHOR_SUSPEND = 3,
	EPITAPH_ANCHOR_RESUME = 4,
};

/* 1.4: flags of an anchor. The kernel had found the clock unstable: CPUs may differ. */
#define EPITAPH_ANCHOR_UNSTABLE	1U
/* 1.4: from this bit on, 1 + the CPU whose clock it is; 0: not known. */
#define EPITAPH_ANCHOR_CPU_SHIFT	8

/*
 * What the other clocks said at one instant.  They were read between two reads
 * of the clock that lie @width apart; @clock is the middle.  Entry 0 was made
 * first.  Where the others lie is the writer's matter, which keeps those of
 * suspends apart: the others come each second.
 */
struct epitaph_anchor {
	__le64	clock;			/*  0 */
	__le64	width;			/*  8  ticks: the error bound is half of it */
	__le64	mono_ns;		/* 16  CLOCK_MONOTONIC */
	__le64	real_ns;		/* 24  CLOCK_REALTIME */
	__le64	boot_ns;		/* 32  CLOCK_BOOTTIME */
	__le64	seq;			/* 40 */
	__le32	reason;			/* 48  enum epitaph_anchor_reason */
	__le32	flags;			/* 52  1.4: EPITAPH_ANCHOR_UNSTABLE, and a CPU; before it 0 */
	__le64	check;			/* 56  of bytes 0..55, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_anchor, 64);

enum epitaph_skew_reason {
	EPITAPH_SKEW_LOAD = 0,
	EPITAPH_SKEW_PERIODIC = 1,
	EPITAPH_SKEW_ONLINE = 2,	/* the CPU has come online */
	EPITAPH_SKEW_RESUME = 3,	/* behind a suspend */
};

/*
 * How far the clock of a CPU is ahead of that of the reference CPU, as a token
 * passed between the two has shown: between offset - bound and offset + bound.
 * The reference is the same in all entries.  It has entries of its own only from
 * when it was offline and came back.
 */
struct epitaph_skew {
	__le64	seq;			/*  0  from 1, of this CPU */
	__le64	clock;			/*  8  of the reference, when it was measured */
	__le64	offset;			/* 16  ticks, in two's complement */
	__le64	bound;			/* 24  ticks */
	__le32	cpu;			/* 32 */
	__le32	reference;		/* 36  CPU */
	__le32	reason;			/* 40  enum epitaph_skew_reason */
	__le32	nr_passes;		/* 44  of the token */
	__le64	reserved;		/* 48 */
	__le64	check;			/* 56  of bytes 0..55, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_skew, 64);

/* Entry pid modulo the number of entries; the latest to have that place. */
struct epitaph_task {
	__le32	pid;			/*  0  the thread's id */
	__le32	tgid;			/*  4 */
	char	comm[16];		/*  8 */
	__le64	clock;			/* 24  when the name was seen first */
	__le64	check;			/* 32  of bytes 0..31, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_task, 40);

/* The place is a matter of the writer; all zero: free. */
struct epitaph_symbol {
	__le64	addr;			/*   0 */
	char	name[96];		/*   8  "function+0x1/0x2 [module]"; before 1.4: 112 */
	__le64	since;			/* 104  1.4: the clock when its module came; 0: before all events */
	__le64	until;			/* 112  1.4: the clock when its module went; 0: it is there */
	__le64	check;			/* 120  of bytes 0..119, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_symbol, 128);

/* Live numbers, each with its complement, which is stored second. */
struct epitaph_counters {
	__le64	too_large;		/*  0  events larger than a sub-buffer holds */
	__le64	too_large_not;		/*  8 */
	__le64	too_deep;		/* 16  events nested deeper than EPITAPH_LEVELS */
	__le64	too_deep_not;		/* 24 */
	__le64	refused;		/* 32  1.2: marks that a user had too many of; not lost events */
	__le64	refused_not;		/* 40 */
	__le64	full;			/* 48  1.2: events that came when the ring was full */
	__le64	full_not;		/* 56 */
};
EPITAPH_ASSERT_SIZE(struct epitaph_counters, 64);

#define EPITAPH_NR_DROPPED	84

/* Events of one kind that came when a ring of EPITAPH_CONSUME was full. */
struct epitaph_dropped {
	__le32	id;			/*  0  0: free */
	__le32	id_not;			/*  4 */
	__le64	nr;			/*  8 */
	__le64	nr_not;			/* 16 */
};
EPITAPH_ASSERT_SIZE(struct epitaph_dropped, 24);

/* What a reader and the writers of such a ring have said of it. */
struct epitaph_consumed {
	__le64	seq;			/*  0  of the newest sub-buffer that was given back; 0: none */
	__le64	seq_not;		/*  8 */
	__u8	reserved[16];		/* 16 */
	struct epitaph_dropped dropped[EPITAPH_NR_DROPPED];	/* 32  in no order; those without room lack */
};
EPITAPH_ASSERT_SIZE(struct epitaph_consumed, 2048);
EPITAPH_ASSERT_OFF(struct epitaph_consumed, dropped, 32);

enum epitaph_mark_type {
	EPITAPH_MARK_SYSRQ = 1,		/* sysrq-z; the snapshot asked for at a console */
	/* 1.1: the kernel went down in order, or the recorder was unloaded.  Only
	 * the newest mark of all can say so, and only if there is no crash stamp. */
	EPITAPH_MARK_END = 2,
	/* 1.2: no events between the two, because recording was switched off. */
	EPITAPH_MARK_STOP = 3,
	EPITAPH_MARK_START = 4,
	EPITAPH_MARK_CHANNEL = 5,	/* a channel was added, stopped, started or removed */
	EPITAPH_MARK_SNAPSHOT = 6,	/* a channel was copied into the pool */
	/* From here on, of an event in a channel only those that fit; 0: all of them. */
	EPITAPH_MARK_FILTER = 7,	/* "CHANNEL SYSTEM:EVENT EXPRESSION", cut at the end */
	EPITAPH_MARK_TRIGGER = 8,	/* an event set off a trigger */
	/* 1.3: "PLACE: WHAT, task COMM-PID"; the kernel may have survived it. */
	EPITAPH_MARK_OOPS = 9,
	/* 1.3: a CPU called panic() with this text while another one was dying. */
	EPITAPH_MARK_PANIC = 10,
};

/* Entry (seq - 1) modulo the number of entries. */
struct epitaph_mark {
	__le64	seq;			/*   0  from 1 */
	__le64	clock;			/*   8 */
	__le64	real_ns;		/*  16 */
	__le32	type;			/*  24  enum epitaph_mark_type */
	__le32	cpu;			/*  28 */
	char	text[88];		/*  32 */
	__le64	check;			/* 120  of bytes 0..119, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_mark, 128);

/* Why the kernel died, if it could still say so.  Written once. */
struct epitaph_crash {
	__le64	clock;			/*   0 */
	__le64	mono_ns;		/*   8 */
	__le64	real_ns;		/*  16 */
	__le32	cpu;			/*  24  that called panic() */
	__le32	pid;			/*  28 */
	char	comm[16];		/*  32 */
	char	reason[456];		/*  48  the text of panic(), or of an oops; before 1.3: 256 */
	__le64	check;			/* 504  of bytes 0..503, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_crash, 512);

/* Entry @how.  Written by a later boot; all zero: not taken. */
enum epitaph_taken_how {
	EPITAPH_TAKEN_HARVEST = 0,	/* saved whole, in a file that is on disk */
	EPITAPH_TAKEN_PSTORE = 1,	/* every record of it was erased from pstore */
	EPITAPH_NR_TAKEN = 4,
};

struct epitaph_taken {
	__le64	real_ns;		/*   0  when */
	__u8	boot_id[16];		/*   8  of the boot that did */
	char	where[88];		/*  24  for people: the directory */
	__le64	reserved;		/* 112 */
	__le64	check;			/* 120  of bytes 0..119, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_taken, 128);

/*
 * What the kernel had logged before it was recorded, followed by @size bytes of
 * text: lines as syslog(2) gives them, "<6>[    0.123456] text".  The clock of
 * these times said log_ns when CLOCK_MONOTONIC said mono_ns.
 */
struct epitaph_log {
	__le32	size;			/*  0 */
	__le32	is_cut;			/*  4  1: older lines found no room */
	__le64	log_ns;			/*  8 */
	__le64	mono_ns;		/* 16 */
	__u8	reserved[32];		/* 24 */
	__le64	check;			/* 56  of bytes 0..55 and then of the text, the first
					 *     seeded by salt, the second by the first */
};
EPITAPH_ASSERT_SIZE(struct epitaph_log, 64);

/*
 * The first ones are kept as well as the last ones: of n entries the first
 * half, h = n / 2, holds seq 1 .. h for ever; seq s > h is entry
 * h + (s - 1 - h) % (n - h).
 */
enum epitaph_mce_source {
	EPITAPH_MCE_LOGGED = 1,		/* the kernel reported it: polled, CMCI, deferred, survived */
	EPITAPH_MCE_PRINTED = 2,	/* the kernel prints it while it dies of it */
	EPITAPH_MCE_CRASH = 3,		/* the CPU's registers, on the way down */
	EPITAPH_MCE_LOAD = 4,		/* the CPU's registers, when recording began */
};

enum epitaph_mce_vendor {		/* as X86_VENDOR_* of asm/processor.h */
	EPITAPH_VENDOR_INTEL = 0,
	EPITAPH_VENDOR_AMD = 2,
	EPITAPH_VENDOR_CENTAUR = 5,
	EPITAPH_VENDOR_HYGON = 9,
	EPITAPH_VENDOR_ZHAOXIN = 10,
};

/* Fields as those of the kernel's struct mce, unless said otherwise. */
struct epitaph_mce {
	__le64	seq;			/*   0  from 1 */
	__le64	clock;			/*   8  ours, when it was recorded */
	__le64	real_ns;		/*  16  when it was recorded */
	__le32	source;			/*  24  enum epitaph_mce_source */
	__le32	recorded_by;		/*  28  CPU */
	__le32	cpu;			/*  32  whose bank it is */
	__le32	bank;			/*  36 */
	__le64	status;			/*  40  MCi_STATUS */
	__le64	addr;			/*  48  MCi_ADDR */
	__le64	misc;			/*  56  MCi_MISC */
	__le64	synd;			/*  64  MCA_SYND (AMD) */
	__le64	ipid;			/*  72  MCA_IPID (AMD): bank type and instance */
	__le64	mcgstatus;		/*  80 */
	__le64	mcgcap;			/*  88 */
	__le64	tsc;			/*  96  0: seen by polling, or not known */
	__le64	time;			/* 104  s since 1970, the kernel's */
	__le64	ip;			/* 112 */
	__le64	ppin;			/* 120 */
	__le64	synd1;			/* 128  MCA_SYND1 (AMD, kernels from 6.13) */
	__le64	synd2;			/* 136 */
	__le32	cpuid;			/* 144  CPUID(1).EAX: family, model, stepping */
	__le32	apicid;			/* 148 */
	__le32	socket;			/* 152 */
	__le32	microcode;		/* 156 */
	__u8	cs;			/* 160 */
	__u8	vendor;			/* 161  enum epitaph_mce_vendor */
	__u8	inject_flags;		/* 162  not 0: injected by software */
	__u8	severity;		/* 163  the kernel's grade; 0 if it gave none */
	__le32	kflags;			/* 164 */
	__le32	pid;			/* 168  that ran on recorded_by */
	__le32	reserved0;		/* 172 */
	char	comm[16];		/* 176 */
	__u8	reserved1[56];		/* 192 */
	__le64	check;			/* 248  of bytes 0..247, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_mce, 256);
EPITAPH_ASSERT_OFF(struct epitaph_mce, cpuid, 144);

/*
 * What pstore gave us to keep, each at the start of unit bytes of the section
 * and followed by @size bytes.  The place follows from seq as that of a machine
 * check does.
 */
struct epitaph_record {
	__le64	seq;			/*  0  from 1 */
	__le64	real_ns;		/*  8 */
	__le32	size;			/* 16  of what follows */
	__le32	type;			/* 20  enum pstore_type_id of linux/pstore.h; 0: dmesg */
	__le32	reason;			/* 24  enum kmsg_dump_reason */
	__le32	part;			/* 28  of this dump, from 1; part 1 has the last lines */
	__le32	count;			/* 32  number of the dump, in its boot */
	__le32	is_compressed;		/* 36  1: by pstore, with its method */
	__u8	reserved[16];		/* 40 */
	__le64	check;			/* 56  of bytes 0..55 and then of what follows, as in
					 *     struct epitaph_log */
};
EPITAPH_ASSERT_SIZE(struct epitaph_record, 64);

#define EPITAPH_NR_REGS		32
#define EPITAPH_NR_FRAMES	32

/*
 * What a CPU was doing when it was stopped.  Registers of x86-64, in order:
 * ip sp flags ax bx cx dx si di bp r8 .. r15 cs ss orig_ax.
 *
 * Before 1.3 the direct caller of the function at ip lacks, in frames and in text, unless ip was
 * in user space.
 */
struct epitaph_cpu {
	__le64	clock;			/*    0 */
	__le32	cpu;			/*    8 */
	__le32	pid;			/*   12 */
	char	comm[16];		/*   16 */
	__le32	nr_regs;		/*   32 */
	__le32	nr_frames;		/*   36 */
	__u8	reserved[24];		/*   40 */
	__le64	regs[EPITAPH_NR_REGS];		/*   64 */
	__le64	frames[EPITAPH_NR_FRAMES];	/*  320  return addresses, innermost first; the
						 *       outer ones of a deeper stack lack */
	char	text[2488];		/*  576  a line for ip and for each frame, by name; 1.3: of a
					 *       deeper stack "(N frames left out)" stands for N;
					 *       1.4: of memory, a last line in "()" says why it ends */
	__le64	check;			/* 3064  of bytes 0..3063, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_cpu, 3072);

#define EPITAPH_NR_BRANCHES	32

enum epitaph_branches_kind {		/* what kept them */
	EPITAPH_BRANCHES_INTEL = 1,	/* LBR of a model */
	EPITAPH_BRANCHES_ARCH = 2,	/* Intel's architectural LBR */
	EPITAPH_BRANCHES_AMD = 3,	/* LBR v2 */
	EPITAPH_BRANCHES_BRBE = 4,	/* of arm64 */
};

enum epitaph_branches_state {
	EPITAPH_BRANCHES_READ = 0,
	EPITAPH_BRANCHES_TAKEN = 1,	/* none: another one, as perf, had the registers by then */
};

enum epitaph_branch_flag {
	EPITAPH_BRANCH_PREDICTION = 1,	/* it is known whether it was predicted */
	EPITAPH_BRANCH_MISPREDICTED = 2,
	EPITAPH_BRANCH_CYCLES = 4,	/* cycles is known */
	EPITAPH_BRANCH_IN_TX = 8,	/* in a transaction */
	EPITAPH_BRANCH_ABORT = 16,	/* it is the abort of one */
	EPITAPH_BRANCH_SPECULATIVE = 32, /* the CPU went there on trial, and took it back */
	EPITAPH_BRANCH_USER = 64,	/* the end that is 0 is in user space, which is sure */
};

struct epitaph_branch {
	__le64	from;			/*  0  0: in user space */
	__le64	to;			/*  8  the same */
	__le16	cycles;			/* 16  since the branch before; 65535: or more */
	__u8	flags;			/* 18  EPITAPH_BRANCH_* */
	__u8	reserved[5];		/* 19 */
};
EPITAPH_ASSERT_SIZE(struct epitaph_branch, 24);

/* 1.4: the last branches of a CPU. */
struct epitaph_branches {
	__le64	clock;			/*    0  when they were read */
	__le32	cpu;			/*    8 */
	__le32	nr;			/*   12  of branch[] */
	__le32	kind;			/*   16  enum epitaph_branches_kind */
	__le32	state;			/*   20  enum epitaph_branches_state */
	__u8	reserved[40];		/*   24 */
	struct epitaph_branch branch[EPITAPH_NR_BRANCHES];	/* 64  the newest first */
	char	text[3256];		/*  832  two lines for each by name, from and to, while there is room */
	__le64	check;			/* 4088  of bytes 0..4087, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_branches, 4096);
EPITAPH_ASSERT_OFF(struct epitaph_branches, text, 832);
EPITAPH_ASSERT_OFF(struct epitaph_branches, check, 4088);

enum epitaph_kept_what {
	EPITAPH_KEPT_CODE = 1,		/* of a function */
	EPITAPH_KEPT_STACK = 2,
	EPITAPH_KEPT_DATA = 3,		/* that a register, the stack or other such memory points to */
	EPITAPH_KEPT_NAME = 4,		/* no bytes: the function at @addr has a name */
};

#define EPITAPH_KEPT_ALIGN	8	/* each begins at a multiple of it, in the section */

/* 1.4: a piece of the kernel's memory as it was when the kernel died; @size bytes follow. */
struct epitaph_kept {
	__le64	addr;			/*   0  virtual */
	__le32	size;			/*   8 */
	__le32	what;			/*  12  enum epitaph_kept_what */
	__le64	clock;			/*  16  of that death: the same in all */
	__le32	cpu;			/*  24  that died */
	__le32	pid;			/*  28 */
	char	name[88];		/*  32  of the function at addr, "name+0x0/0x20 [module]" */
	__le64	check;			/* 120  of bytes 0..119, seed salt, and then of the bytes,
					 *      seeded by the first; 0: the end */
};
EPITAPH_ASSERT_SIZE(struct epitaph_kept, 128);
EPITAPH_ASSERT_OFF(struct epitaph_kept, name, 32);
EPITAPH_ASSERT_OFF(struct epitaph_kept, check, 120);

/*
 * Sub-buffers: what rings are made of.  docs/ring.md says how they are written
 * and what a reader may conclude.
 *
 * Events follow the header, each a whole number of 32-bit words, up to a zero
 * word; at least the last word of a sub-buffer is zero.
 */
#define EPITAPH_LEVELS		5	/* task, softirq, hardirq, NMI, machine check */

struct epitaph_sub {
	__le64	seq;			/*  0  from 1, growing along the ring */
	__le32	prev;			/*  8  low half of the predecessor's seq; 0: none */
	__le32	pid;			/* 12  that ran when this one was begun */
	__le64	time;			/* 16  clock >> clock_shift then */
	__le64	lost;			/* 24  events of this ring lost until then */
	__le64	check;			/* 32  of bytes 0..31, seed salt xor the offset of
					 *     this sub-buffer in the section; 0: empty */
	__le32	used;			/* 40  bytes in use, once nothing more can be claimed */
	__le32	used_not;		/* 44  its complement, stored second */
	__le64	reserved;		/* 48 */
	__le64	sum[EPITAPH_LEVELS];	/* 56  over the events committed, by level */
};
EPITAPH_ASSERT_SIZE(struct epitaph_sub, 96);
EPITAPH_ASSERT_OFF(struct epitaph_sub, check, 32);
EPITAPH_ASSERT_OFF(struct epitaph_sub, sum, 56);

/*
 * The first word of an event.
 *
 *    31        23 22   20 19                   0
 *   +------------+-------+----------------------+
 *   | id         | level | time                 |   committed
 *   +------------+-------+----+-----------------+
 *   | 0          | words      | time >> 9       |   claimed: 12 bits, 11 bits
 *   +------------+------------+-----------------+
 *
 * time is the low 20 bits of clock >> clock_shift.  id is that of the event,
 * or says how the event goes on:
 */
#define EPITAPH_TIME_BITS	20
#define EPITAPH_LEVEL_SHIFT	20
#define EPITAPH_LEVEL_MASK	7
#define EPITAPH_ID_SHIFT	23
#define EPITAPH_CLAIM_TIME_SHIFT	9
#define EPITAPH_CLAIM_TIME_BITS	11
#define EPITAPH_CLAIM_WORDS_SHIFT	11
#define EPITAPH_CLAIM_WORDS_MASK	0xfff

enum epitaph_id {
	EPITAPH_ID_CLAIMED = 0,
	/* A second word: id in the low half, words of the event in the high half. */
	EPITAPH_ID_LONG = 1,
	/* The same, and a third word: bits 20..51 of the time. */
	EPITAPH_ID_LONG_TIME = 2,
	/* Payload __le32 pid: the task that runs from now on. */
	EPITAPH_ID_PID = 3,
	/* With EPITAPH_INCOMPAT_PACKED: a packed event, of id - EPITAPH_ID_PID words. */
	EPITAPH_ID_PACKED = 4,
	EPITAPH_ID_PACKED_LAST = 11,
	EPITAPH_ID_TEXT = 12,		/* payload: slot, and a text of 15 bytes */
	EPITAPH_ID_VALUE = 13,		/* payload: slot, and a number as 7 bytes */
	EPITAPH_ID_TASK = 14,		/* 1.4; payload: slot, slot of its name, priority, pid */
	EPITAPH_ID_FIRST = 16,		/* the first that a format describes */
	/* With EPITAPH_INCOMPAT_PACKED: an event without payload: its id holds all of it. */
	EPITAPH_ID_SMALL = 480,
	EPITAPH_ID_SMALL_LAST = 511,
	EPITAPH_ID_SHORT_MAX = 511,	/* the last that fits in the first word */
};

#define EPITAPH_PACKED_MAX	32	/* bytes of the payload of a packed event */
#define EPITAPH_TEXT_WORDS	4	/* of the payloads of these three */
#define EPITAPH_VALUE_WORDS	2
#define EPITAPH_TASK_WORDS	2

/*
 * sub.sum[level] runs over the events of that level, one after the other.  The
 * last event of a level may not be in it yet.
 *
 * With EPITAPH_INCOMPAT_CRC: CRC-32C (crc32c.h) of their bytes as committed,
 * from the low half of sub.check on.  The upper half of the sum is 0.
 *
 * Without, from 0 on: one of n words, w[0] the first as committed, at byte @off
 * of its sub-buffer, makes of the sum s before it:
 * h = mix(sub.check xor s, off << 32 | w[0]), then for each pair of further
 * words h = mix(h, w[i + 1] << 32 | w[i]), the last one alone if need be.
 */

/*
 * A generation in pieces, as pstore hands it out: each piece is a file of its
 * own, this header and then bytes of the generation.  The magic is the eight
 * bytes "EPIPART" and 0x1a, inverted in code as that of a region is.
 */
#define EPITAPH_PART_MAGIC_INVERTED	0xe5abadbeafb6afbaULL
#define EPITAPH_PART_SIZE		1048576		/* of a piece at most, with its header */

struct epitaph_part {
	__le64	magic;			/*   0 */
	__le16	major;			/*   8  EPITAPH_MAJOR, of this header */
	__le16	minor;			/*  10 */
	__le32	header_size;		/*  12  of this struct; the bytes begin there */
	__le64	number;			/*  16  of the generation */
	__le64	salt;			/*  24  of the generation: which one it is, surely */
	__u8	boot_id[16];		/*  32  of the generation; zero if it had none */
	__le32	index;			/*  48  from 1 */
	__le32	nr_parts;		/*  52 */
	__le64	off;			/*  56  of the bytes, in the generation */
	__le64	size;			/*  64  of the bytes */
	__le64	gen_size;		/*  72  all parts together */
	__u8	reserved[40];		/*  80 */
	__le64	check;			/* 120  of bytes 0..119, seed 0, and then of what
					 *      follows, seeded by the first */
};
EPITAPH_ASSERT_SIZE(struct epitaph_part, 128);
EPITAPH_ASSERT_OFF(struct epitaph_part, index, 48);
EPITAPH_ASSERT_OFF(struct epitaph_part, check, 120);

/*
 * What was read out of a ring of EPITAPH_CONSUME, in a file: this header, and then whole
 * sub-buffers as they were in the ring.
 */
#define EPITAPH_CHUNK_MAGIC	"EPICHNK\x1a"
#define EPITAPH_ARCHIVE_REGION	"channel.region"	/* what events need, beside these files */
#define EPITAPH_CHUNK_ALIGN	64	/* chunks begin at multiples of it */

struct epitaph_chunk {
	char	magic[8];		/*   0  EPITAPH_CHUNK_MAGIC */
	__le64	salt;			/*   8  of the generation */
	__le64	off;			/*  16  of the first sub-buffer, in its ring */
	__le64	ring_size;		/*  24 */
	__le32	channel;		/*  32  its id */
	__le32	cpu;			/*  36 */
	__le32	unit;			/*  40  bytes of a sub-buffer */
	__le32	nr;			/*  44  sub-buffers that follow, unless the file was cut */
	__u8	reserved[8];		/*  48 */
	__le64	check;			/*  56  of bytes 0..55, seed salt */
};
EPITAPH_ASSERT_SIZE(struct epitaph_chunk, 64);
EPITAPH_ASSERT_OFF(struct epitaph_chunk, check, 56);

#endif /* _EPITAPH_FORMAT_H */
