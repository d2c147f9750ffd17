// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Texts of the kernel's own trace that no format makes: trace_printk() out of the bytes that
 * vbin_printf() lays down, and function graphs.
 *
 * build: @extractor -lbpf -lelf -lzstd -llzo2 -lz -lsnappy
 */
#include <string.h>

#include "ftrace/bprint.h"
#include "ftrace/graph.h"
#include "tap.h"

static void check_bprint(const char *format, const void *args, size_t size, const char *wanted)
{
	struct bytes b = bytes_of(args, size, ORDER_LITTLE);
	struct ftrace ftrace = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	ftrace_bprint(&ftrace, 0, f, format, &b);
	fclose(f);
	CHECK(!strcmp(text, wanted), "\"%s\" gives \"%s\", not \"%s\"", format, text, wanted);
	free(text);
}

#define BPRINT(format, args, wanted) check_bprint(format, args, sizeof(args) - 1, wanted)

static void bprint__prints_what_the_kernel_would(void)
{
	BPRINT("only a text\n", "", "only a text");
	BPRINT("100%% of %d\n", "\x07\0\0\0", "100% of 7");
	BPRINT("%d %i %u %x\n", "\xff\xff\xff\xff\xfe\xff\xff\xff\xff\xff\xff\xff\x1f\0\0\0", "-1 -2 4294967295 1f");
	BPRINT("%lu|%#llx\n", "\1\0\0\0\0\0\0\x80\x10\0\0\0\0\0\0\0", "9223372036854775809|0x10");
	/* Numbers of 8 bytes are at multiples of 4. */
	BPRINT("%d %ld\n", "\1\0\0\0\2\0\0\0\0\0\0\0", "1 2");
	BPRINT("%hhd %hd %c\n", "\xff\0\xfe\xff" "A", "-1 -2 A");
	BPRINT("[%5d] [%-5d] [%05d] [%.3d]\n", "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0", "[    1] [2    ] [00003] [004]");
	BPRINT("[%*d] [%.*s]\n", "\4\0\0\0\7\0\0\0\2\0\0\0abc\0", "[   7] [ab]");
	BPRINT("%s and [%6s] [%-4s]\n", "one\0two\0x\0", "one and [   two] [x   ]");
	BPRINT("%p %px\n", "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", "0000000000000001 2");
	/* What other pointers are was written down as a text. */
	BPRINT("%pI4 end\n", "127.0.0.1\0", "127.0.0.1 end");
}

static void bprint__says_where_arguments_lack(void)
{
	BPRINT("%d %d\n", "\1\0\0\0", "1 0[cut]");
	BPRINT("%s\n", "no end", "[cut]");
	BPRINT("%q\n", "", "[cut]");
	BPRINT("%", "", "[cut]");
}

static void bprint__escapes_what_it_is_given(void)
{
	BPRINT("%s\n", "a\x1b[31m\0", "a\\x1b[31m");
	BPRINT("\x1b%c\n", "\x07", "\\x1b\\x07");
}

static void check_graph(const struct ftrace_graph *graph, const char *wanted)
{
	struct ftrace ftrace = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	bool any = ftrace_graph_text(graph, &ftrace, f, 0);

	fclose(f);
	CHECK(any && !strcmp(text, wanted), "\"%s\", not \"%s\"", text, wanted);
	free(text);
}

/* As trace_functions_graph.c has them. */
static void graph__lines_are_as_the_tracer_draws_them(void)
{
	struct ftrace_graph graph = { .kind = FTRACE_GRAPH_CALL, .func = 0x10, .depth = 1 };

	check_graph(&graph, "              |    0x10() {");
	graph.kind = FTRACE_GRAPH_LEAF;
	graph.depth = 0;
	graph.duration = 459;
	check_graph(&graph, "  0.459 us    |  0x10();");
	graph.duration = 12345;
	check_graph(&graph, "+ 12.345 us   |  0x10();");
	graph.duration = 1234567;
	check_graph(&graph, "# 1234.567 us |  0x10();");
	graph.duration = 123456789;
	check_graph(&graph, "@ 123456.7 us |  0x10();");
	graph.duration = 1234567890;
	check_graph(&graph, "$ 1234567 us  |  0x10();");
	graph = (struct ftrace_graph){ .kind = FTRACE_GRAPH_RETURN, .func = 0x10, .depth = 2, .duration = 1000 };
	check_graph(&graph, "  1.000 us    |      } /* 0x10 */");
	graph.calls[2] = 0x10;
	check_graph(&graph, "  1.000 us    |      }");
}

int main(void)
{
	TAP_RUN(bprint__prints_what_the_kernel_would);
	TAP_RUN(bprint__says_where_arguments_lack);
	TAP_RUN(bprint__escapes_what_it_is_given);
	TAP_RUN(graph__lines_are_as_the_tracer_draws_them);
	return tap_done();
}
