// SPDX-License-Identifier: GPL-2.0-or-later
/* What QEMU is asked of a guest, one question after the other: name, UUID, RAM, files of memory. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "watch_record.h"

#define ANSWER_NS	5000000000ULL
#define BACKEND		"child<memory-backend-file>"

enum { ASK_CAPABILITIES = 1, ASK_NAME, ASK_UUID, ASK_RAM, ASK_OBJECTS, ASK_PATH };

static int ask_question(struct watched_guest *guest, unsigned int step, struct err *err)
{
	static const char *const commands[] = {
		[ASK_CAPABILITIES] = "qmp_capabilities", [ASK_NAME] = "query-name",
		[ASK_UUID] = "query-uuid", [ASK_RAM] = "query-memory-size-summary",
		[ASK_OBJECTS] = "qom-list", [ASK_PATH] = "qom-get",
	};
	json_object *arguments = NULL;
	char path[80];

	guest->step = step;
	guest->deadline_ns = guest_now() + ANSWER_NS;
	if (step == ASK_OBJECTS || step == ASK_PATH) {
		snprintf(path, sizeof(path), "/objects%s%s", step == ASK_PATH ? "/" : "",
			 step == ASK_PATH ? guest->objects[guest->nr_objects - 1] : "");
		arguments = json_object_new_object();
		json_object_object_add(arguments, "path", json_object_new_string(path));
		if (step == ASK_PATH)
			json_object_object_add(arguments, "property", json_object_new_string("mem-path"));
	}
	return qmp_send(&guest->qmp, step, commands[step], arguments, -1, err);
}

void guest_forget_memory(struct watched_guest *guest)
{
	while (guest->nr_memory)
		close(guest->memory[--guest->nr_memory]);
}

void guest_questions_start(struct watched_guest *guest)
{
	guest->phase = GUEST_ASKING;
	guest->step = 0;
	guest->nr_objects = 0;
	guest->is_stopped = guest->has_left = false;
	guest->deadline_ns = guest_now() + ANSWER_NS;
	guest_forget_memory(guest);
}

static void list_objects(struct watched_guest *guest, json_object *message)
{
	json_object *list = qmp_member(message, "return");
	size_t i;

	if (!list || !json_object_is_type(list, json_type_array))
		return;
	for (i = 0; i < json_object_array_length(list) && guest->nr_objects < GUEST_MEMORIES; i++) {
		json_object *object = json_object_array_get_idx(list, i);
		const char *name = qmp_text(object, "name");

		if (!strcmp(qmp_text(object, "type"), BACKEND) && strlen(name) < sizeof(guest->objects[0]))
			strcpy(guest->objects[guest->nr_objects++], name);
	}
}

static void open_guest_memory(struct watched_guest *guest, const char *path)
{
	struct err err = ERR_INIT;
	char escaped[GUEST_PATH];
	struct stat st;
	size_t i;
	int fd;

	escape_text(escaped, sizeof(escaped), path, strlen(path));
	if (*path != '/') {
		guest_say(guest, "its memory cannot be opened: %s is below QEMU's working directory; give QEMU an absolute mem-path",
			  escaped);
		return;
	}
	fd = guest_open_memory(path, false, &err);
	if (fd < 0 || fstat(fd, &st)) {
		guest_say(guest, "its memory cannot be opened: %s", err.msg);
		return;
	}
	/* The smallest first: a device for the recorder before all RAM of the guest. */
	for (i = guest->nr_memory++; i > 0 && guest->sizes[i - 1] > st.st_size; i--) {
		memcpy(guest->paths[i], guest->paths[i - 1], GUEST_PATH);
		guest->memory[i] = guest->memory[i - 1];
		guest->sizes[i] = guest->sizes[i - 1];
	}
	snprintf(guest->paths[i], GUEST_PATH, "%.*s", GUEST_PATH - 1, path);
	guest->memory[i] = fd;
	guest->sizes[i] = st.st_size;
}

static void take_guest_name(struct watched_guest *guest, const char *name)
{
	snprintf(guest->name, sizeof(guest->name), "%.*s", (int)sizeof(guest->name) - 1, name);
	if (*name)
		escape_text(guest->label, sizeof(guest->label), guest->name, strlen(guest->name));
}

static bool is_uuid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t i;

	for (i = 0; form[i]; i++)
		if (form[i] == 'x' ? !isxdigit((u8)text[i]) : text[i] != form[i])
			return false;
	return !text[i];
}

/* It becomes part of paths. */
static void take_uuid(struct watched_guest *guest, const char *uuid)
{
	if (!strcmp(uuid, "00000000-0000-0000-0000-000000000000"))
		uuid = "";
	else if (!is_uuid(uuid))
		guest_say(guest, "what QEMU says is its UUID is none");
	snprintf(guest->uuid, sizeof(guest->uuid), "%s", is_uuid(uuid) ? uuid : "");
}

/* All is known.  A file without memory of the guest is found out when it is saved. */
static int begin_watching(struct watched_guest *guest, const struct guest_host *host, struct err *err)
{
	char escaped[GUEST_PATH];

	guest_dir_name(guest->dir, *guest->name ? guest->name : strrchr(guest->socket, '/') ?
		       strrchr(guest->socket, '/') + 1 : guest->socket, guest->uuid);
	if (guest->store < 0)
		guest->store = guest_open_store(host->store, guest->dir, true, err);
	if (guest->store < 0)
		return guest->store;
	guest->phase = GUEST_READY;
	guest->deadline_ns = 0;
	guest->owes |= watch_record_owes(host, guest->dir);
	watch_record_write(guest);
	if (guest->nr_memory)
		escape_text(escaped, sizeof(escaped), guest->paths[0], strlen(guest->paths[0]));
	if (guest->nr_memory)
		guest_say(guest, "is watched: %s%s%s", escaped, guest->nr_memory > 1 ? " and others" : "",
			  *guest->uuid ? "" : "; it has no UUID");
	else
		guest_say(guest, "is watched, and has no memory-backend-file that can be read: only a dump can be saved");
	guest_state_write(guest, host);
	return 0;
}

/* The next file of memory, or the end. */
static int go_on(struct watched_guest *guest, const struct guest_host *host, struct err *err)
{
	return guest->nr_objects ? ask_question(guest, ASK_PATH, err) : begin_watching(guest, host, err);
}

/* As libvirt does for a guest that it is starting, or ending. */
static int report_refusal(const char *why, struct err *err)
{
	char escaped[160];

	escape_text(escaped, sizeof(escaped), why, strlen(why));
	return err_set(err, ERR_IO, ERR_NO_OFF, "QEMU does not say which guest it is, and is asked again: %s", escaped);
}

int guest_questions_take(struct watched_guest *guest, const struct guest_host *host,
			 json_object *message, struct err *err)
{
	guest->is_direct |= qmp_member(message, "QMP.version") != NULL;
	if (!guest->step)
		return qmp_member(message, "QMP") ? ask_question(guest, ASK_CAPABILITIES, err) :
		       err_set(err, ERR_CORRUPT, ERR_NO_OFF, "there is no QMP at this socket");
	if (qmp_number(message, "id") != guest->step)
		return 0;
	if ((guest->step == ASK_NAME || guest->step == ASK_UUID) && *qmp_text(message, "error.desc"))
		return report_refusal(qmp_text(message, "error.desc"), err);
	switch (guest->step) {
	case ASK_NAME:
		take_guest_name(guest, qmp_text(message, "return.name"));
		break;
	case ASK_UUID:
		take_uuid(guest, qmp_text(message, "return.UUID"));
		break;
	case ASK_RAM:
		guest->ram = qmp_number(message, "return.base-memory");
		break;
	case ASK_OBJECTS:
		list_objects(guest, message);
		return go_on(guest, host, err);
	case ASK_PATH:
		guest->nr_objects--;
		if (*qmp_text(message, "return"))
			open_guest_memory(guest, qmp_text(message, "return"));
		return go_on(guest, host, err);
	}
	return ask_question(guest, guest->step + 1, err);
}
