// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two threads walk one dump, which the header forbids.  Status 0: a call of one of them failed
 * with EPITAPH_ERROR_BUSY, and nothing else failed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <epitaph/epitaph.h>

#define STEPS	20000000

static struct epitaph_generation *generation;
static atomic_int found_busy, failed;

static void *walk_again_and_again(void *arg)
{
	struct epitaph_walk *walk = arg;
	long i;

	for (i = 0; i < STEPS && !found_busy && !failed; i++) {
		struct epitaph_error *error = NULL;

		epitaph_walk_next(walk, &error);
		if (error && epitaph_error_code(error) == EPITAPH_ERROR_BUSY)
			found_busy = 1;
		else if (error)
			failed = fprintf(stderr, "%s\n", epitaph_error_message(error));
		epitaph_error_free(error);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump = epitaph_dump_open(argc > 1 ? argv[1] : NULL, NULL, &error);
	struct epitaph_walk *walks[2];
	pthread_t other;

	generation = epitaph_generation_open(dump, EPITAPH_NEWEST, &error);
	walks[0] = epitaph_walk_open(generation, EPITAPH_ALL_KINDS, 0, 0, &error);
	walks[1] = epitaph_walk_open(generation, EPITAPH_ALL_KINDS, 0, 0, &error);
	if (error || pthread_create(&other, NULL, walk_again_and_again, walks[1])) {
		fprintf(stderr, "%s\n", error ? epitaph_error_message(error) : "no thread");
		return 2;
	}
	walk_again_and_again(walks[0]);
	pthread_join(other, NULL);
	epitaph_walk_close(walks[0]);
	epitaph_walk_close(walks[1]);
	epitaph_generation_close(generation);
	epitaph_dump_close(dump);
	if (!found_busy)
		fprintf(stderr, "no call found the dump busy\n");
	return failed || !found_busy;
}
