#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Generations of another writer (tests/golden/mkregion), damaged: what
# checks is shown, in order, what does not is not, and nothing gets out unescaped.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-pstore.sh"

cat >"$out/generations.region" <<'END'
# 5: its header is destroyed; records and machine checks in any order, some damaged.
header number=5 start_real_ns=1700000000123456000 salt=0x5555 minor=1 release="6.1.0-\x1b[31mred"
place at=0 size=0x400000
section crash
entry 512
	u64 1000 2000 1700000009000000000
	u32 1 42
	text 16 "kill\x07er"
	text 256 "a reason\nforged line"
end
section records
record 8192 seq=2 part=1 count=2 reason=1 real_ns=1700000009000000000
Panic#2 Part1
<0>[    9.000000] Kernel panic - not syncing: second
end
record 8192 seq=1 part=1 count=1 reason=2 zlib=1
Oops#1 Part1
<4>[    8.000000] the first of them
end
label damaged
record 8192 seq=3
Panic#3 Part1, and a bit of it flips
end
record 8192 seq=4 size=9000
longer than its place
end
record 8192 seq=5 size=4294967295
much longer
end
record 8192 seq=6 size=0
empty
end
section mce
entry 256
	u64 2 0 1700000008000000000
	u32 2 1 1 0
	u64 0xbe00000000800091 0x2000 0x8c 0 0 5 0x10a 77 1700000008 0 0 0 0
	u32 0x60fb1 1 0 0
	hex 10 02 00 03
	u32 0 9 0
	text 16 "bad\x1b[2Jname"
end
label mce
entry 256
	u64 3 0 0
	u32 1 0 0 9
	u64 0x9c00000000000009
end
entry 256
	u64 1 0 1700000007000000000
	u32 1 0 0 4
	u64 0x9c00004000010091 0x1000
end
gen	# 6: harvested
header number=6 salt=0x6666 minor=1
place at=0x400000 size=0x400000
section taken
entry 128
	u64 1700000010000000000
end
section records
record 8192 seq=1
Panic#1 Part1 of a harvested one
end
gen	# 7: ended in order
header number=7 salt=0x7777 minor=1
place at=0x800000 size=0x400000
section marks
entry 128
	u64 1 0 0
	u32 2 0
	text 88 "restart"
end
patch gen0 00 00 00 00
flip damaged+100 3
flip mce+40 1
END
"$here/../golden/mkregion" "$out/generations.region" "$out/generations"

{
	guest_words
	cat <<'END'
load_recorder generations=4
dmesg | grep epitaph: || true
load_backend trace_mib=3
mount_pstore
check "a generation larger than trace_mib= has no parts" shows \
	dmesg-epitaph-500000 dmesg-epitaph-500001 dmesg-epitaph-500002 \
	mce-epitaph-500001 mce-epitaph-500002
check "which is said" kernel_says 'epitaph_pstore: generation 5: 4 MiB are too many'
check "in the summary, too" file_says dmesg-epitaph-500000 '^trace: 4096 KiB, not in pstore'
rmmod epitaph_pstore
load_backend
ls -l "$pstore"
check "what checks is shown, and of what is taken or ended in order nothing" shows \
	dmesg-epitaph-500000 dmesg-epitaph-500001 dmesg-epitaph-500002 \
	mce-epitaph-500001 mce-epitaph-500002 \
	pmsg-epitaph-500001 pmsg-epitaph-500002 pmsg-epitaph-500003 pmsg-epitaph-500004 \
	pmsg-epitaph-500005
check "the first record is first" file_says dmesg-epitaph-500001 '^<4>.* the first of them$'
check "the second, not compressed, follows" file_says dmesg-epitaph-500002 'not syncing: second$'
check "the first machine check is first" file_says mce-epitaph-500001 ' Bank 4: 9c00004000010091$'
check "the second is the fatal one" file_says mce-epitaph-500002 \
	'^\[Hardware Error\]: CPU 1: Machine Check Exception: 5 Bank 0: be00000000800091$'
cat "$pstore"/dmesg-epitaph-500000 "$pstore"/mce-epitaph-500002
check "no text of it controls a terminal" refused \
	grep -q "$(printf '[\033\007]')" "$pstore"/dmesg-epitaph-500000 "$pstore"/mce-epitaph-500002
check "nor forges a line" refused grep -q '^forged' "$pstore"/dmesg-epitaph-500000
check "the summary has the time of death" file_says dmesg-epitaph-500000 \
	'^end: died at 2023-11-14 22:13:29.000000 UTC on CPU 1 in task 42 (kill'
cat "$pstore"/pmsg-* >/dev/null
check "all can be erased" rm "$pstore"/dmesg-* "$pstore"/mce-* "$pstore"/pmsg-*
check "one that has no room for the note is said to come back" \
	kernel_says 'epitaph_pstore: generation 5 cannot be marked'
END
} | guest
pack_guest "$backend"
append="panic_on_warn=1" boot --load "$out/generations@$region_addr"
check "the script ends well" guest_ended_well
finish
