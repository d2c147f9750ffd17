// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"

struct epitaph_options *epitaph_options_new(void)
{
	return calloc(1, sizeof(struct epitaph_options));
}

void epitaph_options_free(struct epitaph_options *options)
{
	if (!options)
		return;
	for (u32 i = 0; i < options->nr_places; i++)
		free(options->places[i]);
	free(options->places);
	free(options->guest);
	free(options);
}

void epitaph_options_set_sandbox(struct epitaph_options *options, int sandbox)
{
	if (options)
		options->sandbox = sandbox;
}

void epitaph_options_set_sources(struct epitaph_options *options, uint32_t sources)
{
	if (options)
		options->sources = sources;
}

void epitaph_options_set_progress(struct epitaph_options *options, epitaph_progress_fn progress,
				  void *arg)
{
	if (!options)
		return;
	options->progress = progress;
	options->arg = arg;
}

int epitaph_options_set_guest(struct epitaph_options *options, const char *guest,
			      struct epitaph_error **error)
{
	struct error_parts parts = {
		.code = EPITAPH_ERROR_IO, .errnum = ENOMEM, .where = "epitaph_options_set_guest()",
	};
	char *copy = guest ? strdup(guest) : NULL;

	if (!options || (guest && !*guest)) {
		free(copy);
		return error_usage(error, "epitaph_options_set_guest()", options ? "guest is \"\"" : "options is NULL",
				   "options, and the name of a guest, its UUID or its process");
	}
	if (guest && !copy)
		return error_set(error, &parts, "there is no memory for a name");
	free(options->guest);
	options->guest = copy;
	return 0;
}

int epitaph_options_add_debuginfo(struct epitaph_options *options, const char *path,
				  struct epitaph_error **error)
{
	struct error_parts parts = {
		.code = EPITAPH_ERROR_IO, .errnum = ENOMEM, .where = "epitaph_options_add_debuginfo()",
	};
	char **places;

	if (!options || !path)
		return error_usage(error, "epitaph_options_add_debuginfo()",
				   options ? "path is NULL" : "options is NULL",
				   "options and the path of a vmlinux or a directory");
	places = reallocarray(options->places, options->nr_places + 1, sizeof(*places));
	if (places)
		options->places = places;
	if (!places || !(places[options->nr_places] = strdup(path)))
		return error_set(error, &parts, "there is no memory for a path");
	options->nr_places++;
	return 0;
}
