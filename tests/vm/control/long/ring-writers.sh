#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs that were not written for us have rings of their own: one with LTTng-UST's tracepoints,
# compiled with our headers as they are installed, and one of Python.  After a panic, what they wrote
# is in the report.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

region_is 24M
installed=$out/installed/usr/include

guest <<'END'
# Several megabytes of Python, of which the initramfs has one file.
tar xf /test/python.tar -C /
load_recorder channels=5M
arm_kdump
check "no recorder's room: a program of LTTng-UST goes on" ust_shop 10
check "and one of Python hears why" sh -c '/usr/bin/python3 /test/python_shop.py 2>&1 | grep -q "OSError.*epitaph channel add programs 4M rings"'
check "room is made" epitaph channel add programs 4M rings
check "a program of LTTng-UST" ust_shop 300
check "a program of Python" /usr/bin/python3 /test/python_shop.py
load_victim
usleep 300000
bug panic
END

# What a program of Python needs: python3 says so itself.
pack_python() {
	(
		cd / && LD_LIBRARY_PATH=$top/extractor PYTHONPATH=$top/python /usr/bin/python3 -c '
import encodings.idna, epitaph_ring, linecache, sys, threading, traceback
for module in list(sys.modules.values()):
    path = getattr(module, "__file__", None)
    if path and path.startswith("/usr/lib/python3"):
        print(path[1:])' | tar cf "$out/python.tar" -T - &&
			tar rf "$out/python.tar" --transform 's|^|usr/lib/python3/dist-packages/|' -C "$top/python" \
				epitaph_ring/__init__.py epitaph_ring/_ring.abi3.so
	)
}

# event NAME CONDITION [COUNT]: so many, or some, are in the region.
event() {
	jq -c "select(.event == \"$1\") | select($2)" "$out/region.json" >"$out/found"
	head -n 3 "$out/found"
	if [ -n "${3-}" ]; then
		[ "$(wc -l <"$out/found")" = "$3" ]
	else
		[ -s "$out/found" ]
	fi
}

# all_in_order EVENT COUNT: its values are those from 0 on.
all_in_order() {
	jq -s "map(select(.event == \"$1\").fields.value) == [range($2)]" "$out/region.json" | grep -x true
}

check "the headers are installed" env DESTDIR="$out/installed" prefix=/usr "$top/scripts/install" tool
check "LTTng-UST's tracepoints are compiled" "${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -Werror -static \
	-D_GNU_SOURCE -I "$installed/epitaph/lttng-ust" -I "$installed" -I "$here" -o "$out/ust_shop" "$here/ust_shop.c"
make -s -C "$top/python"
check "Python is packed" pack_python
guest_programs="/usr/bin/python3 /usr/bin/python3" pack_guest "$out/ust_shop" "$out/python.tar" \
	"$here/python_shop.py" "$top/extractor/epitaph-static"
crash_whole --allow 'panic - not syncing: victim: panic'
check "the region can be exported" export_json region
check "LTTng-UST: all events, in order" all_in_order app_ust_shop:ust_shop_number 300
check "each kind of field is in the line" \
	report_says 'ust_shop_order: id=7 who=basket price=12.5 mask=0x7f7680 port=8080 items={0x3,0x5,0x7}'
check "and in JSON" event app_ust_shop:ust_shop_order \
	'.fields.id == 7 and .fields.who == "basket" and .fields.items == [3, 5, 7] and .program == "ust_shop"' 1
check "no text, no array" event app_ust_shop:ust_shop_order \
	'.fields.who == "(null)" and .fields.items == [] and .fields.price == "-1.0000000000000001e+300"' 1
check "a text that is too long is cut off" event app_ust_shop:ust_shop_order \
	'.fields.id == 9 and (.fields.who | length) > 3000 and .fields.items == []' 1
check "a class of events, and a text that has no end" report_says 'ust_shop_begin: n=-1 tag=abcd'
check "of a thread" event app_ust_shop:ust_shop_end '.fields.n == 2 and .pid != .tgid' 1
check "tracef() and tracelog()" event app_ust_shop:text '.fields.level == 6 and .fields.text == "5 of tracef"' 1
check "with levels" event app_ust_shop:text '.fields.level == 4 or .fields.level == 7' 2
check "Python: all events, in order" all_in_order app_python_shop:number 200
check "fields have their types" event app_python_shop:order \
	'.fields.id == 9223372036854775808 and .fields.who == "basket" and .fields.change == -3 and .fields.note == "ü\\x5c0z"' 1
check "texts that are too long are cut off" event app_python_shop:order \
	'.fields.id == 8 and (.fields.who | length) == 1000 and (.fields.note | length) == 1000' 1
check "of a thread of Python" event app_python_shop:order '.fields.who == "thread" and .pid != .tgid' 1
check "logging's lines" event app_python_shop:text '.fields.level == 3 and .fields.text == "5 of logging"' 1
check "and levels" event app_python_shop:text '.fields.level == 4 and .fields.text == "from a logger"' 1
finish
