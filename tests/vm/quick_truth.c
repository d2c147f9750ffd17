// SPDX-License-Identifier: GPL-2.0-only
/*
 * The judgement of tests/vm/truth, thirty times as fast, for campaigns that judge thousands of
 * copies.  usage: quick_truth [--damaged | --moves | --dropped N,N...] WITNESS <EXPORT.json
 *
 * It says truth's last line, in the same words.  Of what is wrong it says no more; truth does.
 * Shares no code with the extractor.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUS 64
#define CONTEXTS 4

struct sequence {
	uint64_t *numbers;
	size_t nr, room, since;	/* since: where in numbers the horizon is */
};

static struct cpu {
	struct sequence by_context[CONTEXTS];
	unsigned long events, older;
	bool seen;
} cpus[CPUS];

static struct {
	uint64_t reserved, committed, task;
} witness[CPUS][CONTEXTS];

static unsigned long count, lost, invented, doubled, other;

static void fault(unsigned long *kind, unsigned long events)
{
	*kind += events;
	count++;
}

static void die(const char *why)
{
	fprintf(stderr, "quick_truth: %s\n", why);
	exit(2);
}

static uint64_t unmix(uint64_t x)
{
	x = (x ^ x >> 31 ^ x >> 62) * 0x319642b2d24d8ec3;
	x = (x ^ x >> 27 ^ x >> 54) * 0x96de1b173f119089;
	return (x ^ x >> 30 ^ x >> 60) - 0x9e3779b97f4a7c15;
}

/* A letter for each four bits, the lowest first. */
static void letters(char *to, uint64_t bits, int n, int step)
{
	for (; n; n--, bits >>= 4, to += step)
		*to = 'a' + (bits & 15);
}

/* What an event of this number has: its name, and its fields as JSON has them. */
static const char *expected(uint64_t number, uint64_t value, char *fields)
{
	unsigned long long v = value;
	int kind = number & 15;

	if (kind == 5 || kind == 11) {
		char text[121] = "";

		for (int i = 0; i < 4; i++)
			letters(text + i, value >> i & 0xfffffffffffffff, 15, 4);
		memcpy(text + 60, text, 60);
		sprintf(fields, "{\"value\":%llu,\"text\":\"%.*s\"}", v, (int)(value % 100), text);
		return "victim:text";
	}
	if (kind == 8) {
		int prev = value & 0x7fff, next = value >> 40 & 0x7fff;
		char from[9] = "", to[9] = "";

		letters(from, value, 8, 1);
		letters(to, value >> 32, 8, 1);
		sprintf(fields, "{\"prev_comm\":\"%s\",\"prev_pid\":%d,\"prev_prio\":%d,\"value\":%llu,"
			"\"next_comm\":\"%s\",\"next_pid\":%d,\"next_prio\":%d}",
			from, prev, prev ^ 120, v, to, next, next ^ 120);
		return "victim:switch_like";
	}
	sprintf(fields, "{\"value\":%llu}", v);
	return "victim:seq";
}

static bool is_text(const char *at, const char *text)
{
	size_t size = strlen(text);

	return !strncmp(at, text, size) && at[size] == '"';
}

static bool is_ours(const char *event)
{
	return is_text(event, "victim:seq") || is_text(event, "victim:switch_like") ||
	       is_text(event, "victim:text");
}

/* Behind KEY in LINE from FROM on.  No text of JSON has a quote but behind a backslash. */
static char *behind(char *from, const char *key)
{
	char *at = strstr(from, key);

	if (!at)
		die("a line without a key");
	return at + strlen(key);
}

/* Whether a mark says that the event is not what it was. */
static bool take_marks(char *marks, struct cpu *cpu)
{
	bool harmless = true;

	/* Behind them stands how many were lost. */
	marks[strcspn(marks, "]")] = 0;
	for (char *mark = strtok(marks, ","); mark; mark = strtok(NULL, ",")) {
		if (!strcmp(mark, "\"lost-before\"")) {
			cpu->older = cpu->events;
			for (int i = 0; i < CONTEXTS; i++)
				cpu->by_context[i].since = cpu->by_context[i].nr;
		} else if (strcmp(mark, "\"uncertain-order\"")) {
			harmless = false;
		}
	}
	return harmless;
}

static void append(struct sequence *s, uint64_t number)
{
	if (s->nr == s->room) {
		s->room = s->room ? 2 * s->room : 65536;
		s->numbers = realloc(s->numbers, s->room * sizeof(*s->numbers));
		if (!s->numbers)
			die("no memory");
	}
	s->numbers[s->nr++] = number;
}

static void take_event(char *line)
{
	char *cpu_text = behind(line, ",\"cpu\":"), *channel = behind(cpu_text, ",\"channel\":");
	char *event = behind(channel, ",\"event\":"), *fields = behind(event, ",\"fields\":");
	char *marks = behind(fields, ",\"marks\":["), *value_text, want[512];
	unsigned long where = strtoul(cpu_text, NULL, 10);
	uint64_t value, origin, number, context;
	struct cpu *cpu = &cpus[where];
	const char *name;
	bool harmless;

	/* Out of no ring, or out of a program's. */
	if (!strncmp(channel, "null", 4) || !strncmp(cpu_text, "null", 4))
		return;
	if (where >= CPUS)
		die("too many CPUs");
	marks[-strlen(",\"marks\":[")] = 0;
	cpu->seen = true;
	harmless = take_marks(marks, cpu);
	cpu->events++;
	if (*event++ != '"' || !is_ours(event) || !harmless)
		return;
	value_text = strstr(fields, "\"value\":");
	if (!value_text) {
		fault(&invented, 1);
		return;
	}
	value = strtoull(value_text + strlen("\"value\":"), NULL, 10);
	origin = unmix(value);
	context = origin >> 56;
	number = origin & ((1ULL << 40) - 1);
	name = expected(number, value, want);
	if (!is_text(event, name) || strcmp(fields, want))
		fault(&invented, 1);
	else if ((origin >> 40 & 0xffff) != where || context >= CONTEXTS)
		fault(&invented, 1);
	else
		append(&cpu->by_context[context], number);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool in_order(const uint64_t *numbers, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (numbers[i] < numbers[i - 1])
			return false;
	return true;
}

static unsigned long twice(const uint64_t *sorted, size_t nr)
{
	unsigned long n = 0;

	for (size_t i = 1; i < nr; i++)
		n += sorted[i] == sorted[i - 1];
	return n;
}

/* What is not older than the horizon: all of it is there. */
static void judge_complete(struct sequence *s, uint64_t committed, bool is_lapped)
{
	uint64_t *complete = s->numbers + s->since, first, last, missing;
	size_t nr = s->nr - s->since;

	if (!nr) {
		if (committed && !is_lapped)
			fault(&lost, committed);
		return;
	}
	first = complete[0];
	qsort(complete, nr, sizeof(*complete), compare);
	last = complete[nr - 1];
	missing = last - first + 1;
	for (size_t i = 0; i < nr; i++)
		if (complete[i] >= first && (!i || complete[i] != complete[i - 1]))
			missing--;
	if (missing)
		fault(&lost, missing);
	if (last + 1 < committed)
		fault(&lost, committed - last - 1);
}

/* While history is copied, writers that use 16 sub-buffers overwrite their own (docs/sizes.md): those 16 are there. */
#define NEWER	500

static void judge(int nr, bool damaged, bool moves)
{
	struct cpu *cpu = &cpus[nr];
	struct sequence *tasks = &cpu->by_context[0];
	bool has_task = tasks->nr > tasks->since;
	uint64_t first_task = has_task ? tasks->numbers[tasks->since] : 0;

	if (!damaged && !cpu->events)
		fault(&other, 1);
	if (moves ? cpu->older && cpu->events - cpu->older < NEWER : !damaged && cpu->older * 10 > cpu->events)
		fault(&other, 1);
	for (int context = 0; context < CONTEXTS; context++) {
		struct sequence *s = &cpu->by_context[context];
		uint64_t reserved = witness[nr][context].reserved, *sorted;
		unsigned long doubles;

		if (!in_order(s->numbers, s->nr))
			fault(&other, 1);
		sorted = malloc((s->nr + 1) * sizeof(*sorted));
		if (!sorted)
			die("no memory");
		if (s->nr)
			memcpy(sorted, s->numbers, s->nr * sizeof(*sorted));
		if (!in_order(sorted, s->nr))
			qsort(sorted, s->nr, sizeof(*sorted), compare);
		doubles = twice(sorted, s->nr);
		if (doubles)
			fault(&doubled, doubles);
		if (s->nr && sorted[s->nr - 1] + 1 > reserved)
			fault(&invented, sorted[s->nr - 1] + 1 - reserved);
		free(sorted);
		if (!damaged)
			judge_complete(s, witness[nr][context].committed,
				       has_task && witness[nr][context].task <= first_task);
	}
}

/* Every number of the CPU once, or counted. */
static void judge_dropped(unsigned int nr, uint64_t dropped)
{
	uint64_t gone = 0, begun = 0;

	for (int context = 0; context < CONTEXTS; context++) {
		struct sequence *s = &cpus[nr].by_context[context];
		uint64_t have = 0;

		/* In order: judge() says if they are not. */
		for (size_t i = 0; i < s->nr; i++)
			have += s->numbers[i] < witness[nr][context].committed && (!i || s->numbers[i] != s->numbers[i - 1]);
		gone += witness[nr][context].committed - have;
		begun += witness[nr][context].reserved - witness[nr][context].committed;
	}
	printf("cpu %u: %llu missing, %llu counted as dropped\n", nr, (unsigned long long)gone, (unsigned long long)dropped);
	if (gone > dropped || dropped > gone + begun)
		fault(&lost, gone > dropped ? gone - dropped : dropped - gone);
}

static unsigned int read_witness(const char *path)
{
	static struct {
		char magic[8];
		uint32_t cpus, contexts;
		uint64_t counts[8192 - 2];
	} w;
	FILE *file = fopen(path, "rb");
	size_t size = file ? fread(&w, 1, sizeof(w), file) : 0;
	uint64_t *at = w.counts;

	if (size < 16 || memcmp(w.magic, "WITNESS2", 8))
		die("no witness");
	fclose(file);
	if (w.cpus > CPUS || w.contexts != CONTEXTS || size < 16 + 24UL * w.cpus * w.contexts)
		die("a witness of others");
	for (unsigned int cpu = 0; cpu < w.cpus; cpu++)
		for (int context = 0; context < CONTEXTS; context++, at += 3) {
			witness[cpu][context].reserved = at[0];
			witness[cpu][context].committed = at[1];
			witness[cpu][context].task = at[2];
		}
	return w.cpus;
}

int main(int argc, char **argv)
{
	bool damaged = argc == 3 && !strcmp(argv[1], "--damaged"), moves = argc == 3 && !strcmp(argv[1], "--moves");
	char *dropped = argc == 4 && !strcmp(argv[1], "--dropped") ? argv[2] : NULL;
	unsigned long events = 0, committed = 0;
	unsigned int nr_cpus;
	char *line = NULL;
	size_t room = 0;

	if (argc != 2 + damaged + moves + (dropped ? 2 : 0))
		die("usage: quick_truth [--damaged | --moves | --dropped N,N...] WITNESS <EXPORT.json");
	nr_cpus = read_witness(argv[argc - 1]);
	if (getline(&line, &room, stdin) < 0 || !strstr(line, "\"schema\":\"epitaph-events\""))
		die("no export");
	while (getline(&line, &room, stdin) >= 0)
		take_event(line);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		if (cpu < nr_cpus || cpus[cpu].seen)
			judge(cpu, damaged || dropped, moves);
		if (dropped && cpu < nr_cpus) {
			judge_dropped(cpu, strtoull(dropped, &dropped, 10));
			dropped += *dropped == ',';
		}
		events += cpus[cpu].events;
		for (int context = 0; context < CONTEXTS; context++)
			committed += witness[cpu][context].committed;
	}
	if (!committed)
		fault(&other, 1);
	printf("truth: %lu events, %lu faults: %lu lost, %lu invented, %lu doubled, %lu other\n",
	       events, count, lost, invented, doubled, other);
	return count ? 1 : 0;
}
