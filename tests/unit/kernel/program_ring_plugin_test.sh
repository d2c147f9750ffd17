#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# <epitaph-ring.h> in a library that a program loads and unloads, what the header declares hidden, and
# the header as it is installed, with LTTng-UST's tracepoints.

cd "$(dirname "$0")/../../.." || exit 1
out=build/tests/unit/ring-plugin
mkdir -p $out
flags="-std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -Iapi -Iinclude -Ikernel/include -Ikernel"
nr=0
failed=0

# check CLAIM COMMAND...
check() {
	local claim=$1

	shift
	nr=$((nr + 1))
	if "$@" >$out/said 2>&1; then
		echo "ok $nr - $claim"
	else
		echo "not ok $nr - $claim"
		sed 's/^/# /' $out/said
		failed=1
	fi
}

cat >$out/plugin.c <<'END'
#include <epitaph-ring.h>
EPITAPH_EVENT(number, (uint64_t, value));
void plugin_write(void);
__attribute__((visibility("default"))) void plugin_write(void)
{
	epitaph_ring_open("plugin");
	EPITAPH_WRITE(number, .value = 1);
	epitaph_ring_text(6, "text", 4);
}
END
# Two files of it have one state.
sed s/plugin_write/plugin_write_too/ $out/plugin.c >$out/second.c
cat >$out/host.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
static void *load(void *file)
{
	void *plugin = dlopen(file, RTLD_NOW);
	void (*write)(void) = plugin ? (void (*)(void))dlsym(plugin, "plugin_write") : NULL;

	if (!write)
		return file;
	write();
	return dlclose(plugin) ? file : NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	void *failed;
	int i;

	for (i = 0; i < 10; i++)
		if (pthread_create(&thread, NULL, load, argv[argc - 1]) ||
		    pthread_join(thread, &failed) || failed)
			return 1;
	return 0;
}
END

# What the system's headers declare behind the pragma would be sought in the library itself.
# shellcheck disable=SC2317,SC2086
none_is_hidden() {
	"$1" -x c -std=gnu11 -E -D_GNU_SOURCE -Iapi -Iinclude -Ikernel/include -Ikernel $out/plugin.c |
		sed '1,/visibility push/d' | grep -E '^# 1 "/usr.*" 1' | grep -v /stddef.h && return 1
	return 0
}

# shellcheck disable=SC2086
check "a library with it is linked" "${CC:-gcc}" $flags -shared -fPIC -o $out/plugin.so $out/plugin.c $out/second.c
# shellcheck disable=SC2086
check "a program loads it" "${CC:-gcc}" $flags -o $out/host $out/host.c -ldl -lpthread
check "a thread outlives the library that wrote" $out/host $out/plugin.so
check "no function of the system is hidden" none_is_hidden "${CC:-gcc}"
if [ -e /usr/aarch64-linux-gnu/include/sys/auxv.h ]; then
	check "nor is one of arm64" none_is_hidden aarch64-linux-gnu-gcc
	# shellcheck disable=SC2086
	check "a library of arm64 is linked" aarch64-linux-gnu-gcc $flags -Wl,-z,defs -shared -fPIC \
		-o $out/arm64.so $out/plugin.c $out/second.c
fi
mkdir -p $out/include
scripts/one-header api/epitaph-ring.h >$out/include/epitaph-ring.h
installed="-std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -Iapi/lttng-ust -I$out/include -Itests/vm -Itests/bench/ust"
printf '#include "bench_ust.h"\n#include "ust_shop.h"\n#include "bench_ust.h"\n#include "ust_shop.h"\nint ust_too(void);\nint ust_too(void) { tracepoint(bench, u64, 1); return 0; }\n' \
	>$out/ust_too.c
check "where it is installed, it is one file" sh -c "! grep -E 'include[[:space:]]+[<\"](epitaph|core)/' $out/include/epitaph-ring.h"
# shellcheck disable=SC2086
check "it takes LTTng-UST's tracepoints, of two headers and in two files" "${CC:-gcc}" $installed \
	-o $out/ust_shop tests/vm/ust_shop.c $out/ust_too.c -lpthread
check "without a recorder, that program runs" $out/ust_shop 1000
sed 's/#define TRACEPOINT_INCLUDE.*//' tests/vm/ust_shop.h >$out/nameless.h
# shellcheck disable=SC2317,SC2086
nameless_is_refused() {
	! "${CC:-gcc}" $installed -fsyntax-only $out/nameless.h 2>$out/refused &&
		grep 'error: .*TRACEPOINT_INCLUDE is not defined' $out/refused
}
check "a header that does not say its name is refused with what lacks" nameless_is_refused
echo "1..$nr"
exit $failed
