// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two threads open a dump each, again and again, in this process, which the header allows.  Status 0: none failed, and none
 * saw damage.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <epitaph/epitaph.h>

#define TIMES	200

static atomic_int failed, ready;

static void *open_again_and_again(void *arg)
{
	struct epitaph_options *options = epitaph_options_new();
	int i;

	epitaph_options_set_sandbox(options, 0);
	for (ready++; ready < 2;)
		;
	for (i = 0; i < TIMES && !failed; i++) {
		struct epitaph_error *error = NULL;
		struct epitaph_dump *dump = epitaph_dump_open(arg, options, &error);
		struct epitaph_generation *generation = dump ? epitaph_generation_open(dump, EPITAPH_NEWEST, &error) : NULL;

		if (error)
			failed = fprintf(stderr, "%s, time %d: %s\n", (char *)arg, i, epitaph_error_message(error));
		else if (epitaph_generation_note(generation, 0))
			failed = fprintf(stderr, "%s, time %d: %s\n", (char *)arg, i, epitaph_generation_note(generation, 0));
		epitaph_error_free(error);
		epitaph_generation_close(generation);
		epitaph_dump_close(dump);
	}
	epitaph_options_free(options);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	if (argc != 3 || pthread_create(&other, NULL, open_again_and_again, argv[2]))
		return 2;
	open_again_and_again(argv[1]);
	pthread_join(other, NULL);
	return failed != 0;
}
