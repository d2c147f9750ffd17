#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Lines of source from debuginfo: of a region of tests/golden, and a kernel that is
# linked here with its build id. binutils' addr2line is the oracle.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
id=202122232425262728292a2b2c2d2e2f30313233
name=.build-id/20/2122232425262728292a2b2c2d2e2f30313233.debug

# kernel ID OUT FLAG...: one that has the functions of the region's stack, as it says, and one twice.
kernel() {
	id_of=$1 out=$2
	shift 2
	(cd "$dir" && gcc -g -O2 -nostdlib -static -fno-pie -no-pie -fno-stack-protector \
		-fcf-protection=none -fno-asynchronous-unwind-tables "$@" "-Wl,--build-id=0x$id_of,-e,0" \
		-Wl,-Ttext=0x1000000 -o "$out" kernel.c other.c)
}

# report PLACE...: what is printed with these places named.
report() {
	places=
	for place; do
		places="$places --debug-dir $place"
	done
	# shellcheck disable=SC2086 # words
	"$epitaph" report --all $places "$dir/region"
}

# oracle FUNCTION OFFSET LESS: what addr2line says of the address, in our words.
oracle() {
	addr=$(nm "$dir/vmlinux" | awk -v name="$1" '$3 == name { print $1 }')
	addr2line -i -f -e "$dir/vmlinux" "0x$(printf %x $((0x$addr + $2 - $3)))" |
		awk 'NR % 2 { name = $0; next } { sub(".*/", ""); sub(" .*", "")
			if (line) printf "%s [inlined] %s, ", last, line
			last = name; line = $0 } END { print line }'
}

stack_has_lines() {
	report "$dir/vmlinux" >"$dir/out" || [ $? -eq 1 ] || return
	cat "$dir/out"
	grep -qxF "# debuginfo: $dir/vmlinux" "$dir/out" &&
		grep -qF "#     do_something+0x10/0x20 ($(oracle do_something 0x10 0))" "$dir/out" &&
		grep -qF "#     caller+0x5/0x10 ($(oracle caller 0x5 1))" "$dir/out" &&
		oracle do_something 0x10 0 | grep -q 'helper \[inlined\] kernel.c:[0-9]*, kernel.c:[0-9]*$'
}

nothing_else_changes() {
	report >"$dir/without"
	grep -v '^# debuginfo' "$dir/out" | sed 's/ ([^()]*:[0-9]*)$//' | diff "$dir/without" -
}

# found_in FILE: with nothing but a tree that has it there
found_in() {
	rm -rf "$dir/tree"
	mkdir -p "$dir/tree/$(dirname "$1")"
	ln "$dir/vmlinux" "$dir/tree/$1"
	report "$dir/tree" | grep -F "# debuginfo: $dir/tree/$1"
}

found_as_distributions_have_it() {
	found_in "$name" && found_in "usr/lib/debug/$name" && found_in vmlinux &&
		found_in "boot/vmlinux-$release" && found_in "usr/lib/debug/boot/vmlinux-$release" &&
		found_in "usr/lib/debug/lib/modules/$release/vmlinux"
}

# refused STATUS WORDS PLACE...: nothing is printed, and these are the words.
refused() {
	want=$1 words=$2
	shift 2
	report "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	cat "$dir/err"
	[ "$got" -eq "$want" ] && [ ! -s "$dir/out" ] && grep -qF -- "$words" "$dir/err"
}

other_build_is_refused() {
	kernel ff"${id#20}" "$dir/other" &&
		refused 2 "$dir/other: is of another build: it has build id ff${id#20}, the kernel of the dump has $id" "$dir/other"
}

# The right one may stand behind it.
other_build_beside_the_right_one() {
	report "$dir/other" "$dir/vmlinux" | grep -F "# debuginfo: $dir/vmlinux"
}

what_is_wrong_is_named() {
	mkdir -p "$dir/none"
	strip -g -o "$dir/stripped" "$dir/vmlinux"
	head -c "$(($(stat -c %s "$dir/vmlinux") - 100))" "$dir/vmlinux" >"$dir/cut"
	echo text >"$dir/text"
	refused 2 "--debug-dir $dir/absent: No such file or directory" "$dir/absent" &&
		refused 2 "no debuginfo of build id $id in $dir/none" "$dir/none" &&
		refused 2 "$dir/stripped: is stripped" "$dir/stripped" &&
		refused 2 "$dir/cut: is truncated" "$dir/cut" &&
		refused 2 "$dir/text: is no ELF file" "$dir/text" &&
		refused 2 "neither a directory nor a file" /dev/null
}

# Two functions have that name. Their size identifies the right one, or nothing does.
double_names() {
	kernel "$id" "$dir/double" -DDOUBLE && report "$dir/double" >"$dir/out"
	[ $? -le 1 ] && grep '#     caller+0x5/0x10' "$dir/out"
	! grep -q '#     caller+0x5/0x10 (' "$dir/out"
}

# damaged SEED: bytes of it are others, but not of its build id; it says what, or prints the report.
damaged() {
	/usr/bin/python3 - "$1" "$dir/vmlinux" "$dir/damaged" <<-'END'
		import random, sys
		seed, source, target = sys.argv[1:]
		random.seed(int(seed))
		data = bytearray(open(source, "rb").read())
		kept = data.find(bytes.fromhex("202122232425262728292a2b2c2d2e2f30313233"))
		for _ in range(random.choice((1, 4, 64))):
		    # Mostly behind the code: debuginfo, symbols, section headers.
		    at = random.randrange(len(data) if random.random() < .2 else len(data) // 4, len(data))
		    if not kept <= at < kept + 20:
		        data[at] = random.choice((0, 0xff, 0x80, 0x7f, random.randrange(256)))
		open(target, "wb").write(data)
	END
	report "$dir/damaged" >"$dir/out" 2>"$dir/err"
	got=$?
	# Control bytes of names have been escaped.
	if [ "$got" -gt 2 ] || LC_ALL=C grep -q '[[:cntrl:]]' "$dir/out"; then
		echo "seed $1: status $got"
		cat "$dir/err"
		return 1
	fi
}

damage_is_survived() {
	seed=0
	while [ "$seed" -lt "${DAMAGES:-40}" ]; do
		seed=$((seed + 1))
		damaged "$seed" || return
	done
}

# serve: elfutils' own server has what lies in $dir/served, at $url.
serve() {
	mkdir -p "$dir/served" "$dir/client"
	cp "$dir/vmlinux" "$dir/served/"
	for port in 28631 28632 28633 28634; do
		debuginfod -d :memory: -p "$port" -F "$dir/served" >"$dir/server" 2>&1 &
		server=$!
		url=http://127.0.0.1:$port
		for _ in $(seq 600); do
			grep -q 'fts traversed' "$dir/server" && return
			kill -0 "$server" 2>/dev/null || break
			sleep 0.1
		done
	done
	cat "$dir/server"
	return 1
}

# asks URLS ARGUMENT...
asks() {
	urls=$1
	shift
	env "DEBUGINFOD_URLS=$urls" "DEBUGINFOD_CACHE_PATH=$dir/client" "PATH=${path:-$PATH}" "$epitaph" report --all --debuginfod "$@" "$dir/region"
}

server_has_it() {
	serve || return
	asks "$url" >"$dir/fetched" 2>&1
	kill "$server"
	cat "$dir/fetched"
	report "$dir/vmlinux" | grep -v '^# debuginfo' >"$dir/named"
	grep -q "^# debuginfo: $dir/client/$id/debuginfo" "$dir/fetched" &&
		grep -v '^# debuginfo' "$dir/fetched" | diff "$dir/named" -
}

# asking STATUS WORDS URLS: nothing is printed
asking() {
	asks "$3" >"$dir/out" 2>"$dir/err"
	got=$?
	cat "$dir/err"
	[ "$got" -eq "$1" ] && [ ! -s "$dir/out" ] && grep -qF -- "$2" "$dir/err"
}

server_has_it_not() {
	rm -rf "$dir/client" && mkdir "$dir/client"
	asking 2 "http://127.0.0.1:1: no debuginfo of build id $id, or no answer" http://127.0.0.1:1 &&
		asking 2 "no server is configured; DEBUGINFOD_URLS" ""
}

no_client() {
	path=$dir/none
	asking 3 "cannot run debuginfod-find" http://127.0.0.1:1
}

cat >"$dir/kernel.c" <<'END'
volatile int counter;

static inline __attribute__((always_inline)) void helper(int n)
{
	counter = n;
	counter = n + 1;
	counter = n + 2;
	counter = n + 3;
}

__attribute__((noinline)) void do_something(void)
{
	helper(1);
	helper(2);
}

__attribute__((noinline)) int caller(void)
{
	do_something();
	do_something();
	return counter;
}
END
cat >"$dir/other.c" <<'END'
extern volatile int counter;

#ifdef DOUBLE
static __attribute__((noinline, used)) int caller(void)
{
	return counter + counter + counter;
}
#endif
END
"$top/tests/golden/mkregion" "$top/tests/golden/marks-and-crash.region" "$dir/region" || exit 99
kernel "$id" "$dir/vmlinux" || exit 99
release=$("$epitaph" info --json "$dir/region" | sed -n 's/.*"kernel":"\([^"]*\)".*/\1/p')

ok stacks_have_lines_and_inlined_functions stack_has_lines
ok nothing_else_of_the_report_changes nothing_else_changes
ok is_found_where_distributions_have_it found_as_distributions_have_it
ok another_build_is_refused_with_both_ids other_build_is_refused
ok another_build_beside_the_right_one_is_passed_over other_build_beside_the_right_one
ok whatever_else_is_wrong_is_named what_is_wrong_is_named
ok a_name_that_two_functions_have_gets_no_line double_names
ok a_server_has_it server_has_it
ok a_server_has_it_not_and_that_is_told server_has_it_not
ok a_client_that_is_not_installed_is_told no_client
ok damaged_debuginfo_is_survived damage_is_survived
finish
