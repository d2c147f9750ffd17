// SPDX-License-Identifier: GPL-2.0-only
/*
 * ringer WHAT [ARGUMENT...]: a program with rings of its own, by the header that programs use.
 *
 *	write COUNT [FILE]	COUNT events of the main thread and of two others; then waits for SIGKILL,
 *				FILE says so
 *	run COUNT		the same, and ends
 *	family			writes, forks, both write, and the child becomes "run 10"
 *	signals COUNT		COUNT events, and more of a handler that interrupts them
 *	hostile FILE		keeps writing garbage to all of its mapping
 *	plants FILE		writes headers of a later generation to it; then waits, FILE says so
 *	holds COUNT [UID]	as many rings as it gets, at most COUNT, in processes of its own; says how
 *				many, and why there are no more; then waits
 *	misuse			maps what it must not
 *	bare			opens and maps nothing else than the file, and waits
 */
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <epitaph-ring.h>

EPITAPH_EVENT(number, (uint64_t, value), (uint32_t, thread));
EPITAPH_EVENT(order, (uint64_t, id), (int32_t, items), (char, who, 16));
EPITAPH_EVENT(nested, (uint64_t, value));

static uint64_t count;

static void open_or_say(void)
{
	if (!epitaph_ring_open("shop"))
		return;
	printf("%s\n", epitaph_ring_error());
	exit(1);
}

static void touch(const char *file)
{
	int fd = file ? open(file, O_CREAT | O_WRONLY, 0600) : -1;

	if (fd >= 0)
		close(fd);
}

static void *write_numbers(void *arg)
{
	uint32_t thread = (uintptr_t)arg;
	char name[16];
	uint64_t i;

	snprintf(name, sizeof(name), "shop-%u", thread);
	prctl(PR_SET_NAME, name, 0, 0, 0);
	for (i = 0; i < count; i++)
		EPITAPH_WRITE(number, .value = i, .thread = thread);
	EPITAPH_WRITE(order, .id = thread, .items = -2, .who = "basket");
	return NULL;
}

static void write_all(void)
{
	pthread_t threads[2];
	uintptr_t i;

	open_or_say();
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, write_numbers, (void *)(i + 1));
	write_numbers((void *)0);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void family(char **argv)
{
	pid_t child;

	count = 100;
	open_or_say();
	write_numbers((void *)10);
	child = fork();
	write_numbers((void *)(uintptr_t)(child ? 11 : 12));
	if (!child) {
		execl("/proc/self/exe", argv[0], "run", "10", NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
	write_numbers((void *)13);
}

static void on_alarm(int signal)
{
	static uint64_t value;

	(void)signal;
	EPITAPH_WRITE(nested, .value = value++);
}

static void signals(void)
{
	struct itimerval often = { { 0, 200 }, { 0, 200 } };
	uint64_t i;
	int spin;

	open_or_say();
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < count; i++) {
		EPITAPH_WRITE(number, .value = i, .thread = 20);
		for (spin = 0; spin < 5000; spin++)
			__asm__ __volatile__("");
	}
	signal(SIGALRM, SIG_IGN);
}

static void hostile(const char *file)
{
	uint64_t rng = 88172645463325252ULL, *words;
	uint32_t i;

	open_or_say();
	count = 1000;
	write_numbers((void *)30);
	words = (uint64_t *)epitaph_this_thread->slot;
	touch(file);
	for (;;)
		for (i = 0; i < EPITAPH_SLOT_SIZE / 8; i++) {
			rng ^= rng << 13;
			rng ^= rng >> 7;
			rng ^= rng << 17;
			words[i] = rng & 1 ? rng : words[(i + rng) % (EPITAPH_SLOT_SIZE / 8)];
		}
}

/* Of all of the region and beyond, so that each other one would be one that was overwritten. */
static void plant_header(void *page)
{
	struct epitaph_header header = {
		.magic = ~EPITAPH_MAGIC_INVERTED, .major = EPITAPH_MAJOR, .number = ~0ULL - 1,
		.header_size = sizeof(header), .section_size = sizeof(struct epitaph_section),
		.table_size = EPITAPH_PAGE, .gen_size = 1 << 30, .copy_off = (1 << 30) - EPITAPH_PAGE,
		.nr_gens = 1, .clock_khz = 1000000,
	};

	memset(page, 0, EPITAPH_PAGE);
	memcpy(page, &header, sizeof(header));
	header.check = epitaph_check(0, page, EPITAPH_PAGE);
	memcpy(page, &header, sizeof(header));
}

static void plants(const char *file)
{
	uint32_t i;

	open_or_say();
	for (i = 0; i < EPITAPH_SLOT_SIZE; i += EPITAPH_PAGE)
		plant_header((uint8_t *)epitaph_this_thread->slot + i);
	touch(file);
	pause();
}

/* Return: the descriptor; -1: why is in the request. */
static int ask(struct epitaph_ring_request *request, const char *name)
{
	int fd = open(EPITAPH_RING_DEVICE, O_RDWR), error;

	memset(request, 0, sizeof(*request));
	strcpy(request->name, name);
	if (fd < 0 || !ioctl(fd, EPITAPH_RING_OPEN, request))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

static void holds(int most)
{
	struct epitaph_ring_request request;
	int i;

	for (i = 0; i < most && ask(&request, "held") >= 0; i++)
		;
	printf("%d rings%s%s\n", i, i < most ? ": " : "", i < most ? request.error : "");
	fflush(stdout);
}

static int wrong(const char *what, bool is_refused, int error)
{
	if (is_refused && errno == error)
		return 0;
	printf("%s: %s\n", what, is_refused ? strerror(errno) : "was not refused");
	return 1;
}

static bool is_unmapped(size_t size, int prot, int flags, int fd, off_t off)
{
	return mmap(NULL, size, prot, flags, fd, off) == MAP_FAILED;
}

static int misuse(void)
{
	const int rw = PROT_READ | PROT_WRITE;
	struct epitaph_ring_request request;
	int none = open(EPITAPH_RING_DEVICE, O_RDWR), fd = ask(&request, "misuse"), bad = 0, status;
	uint8_t *slot, *more;
	uint32_t i;

	bad += wrong("no ring", is_unmapped(EPITAPH_SLOT_SIZE, rw, MAP_SHARED, none, 0), ENOTCONN);
	bad += wrong("executable", is_unmapped(EPITAPH_SLOT_SIZE, rw | PROT_EXEC, MAP_SHARED, fd, 0), EPERM);
	bad += wrong("private", is_unmapped(EPITAPH_SLOT_SIZE, rw, MAP_PRIVATE, fd, 0), EINVAL);
	bad += wrong("more", is_unmapped(EPITAPH_SLOT_SIZE + 4096, rw, MAP_SHARED, fd, 0), EINVAL);
	bad += wrong("less", is_unmapped(4096, rw, MAP_SHARED, fd, 0), EINVAL);
	bad += wrong("behind", is_unmapped(EPITAPH_SLOT_SIZE, rw, MAP_SHARED, fd, 4096), EINVAL);
	bad += wrong("a second ring", ioctl(fd, EPITAPH_RING_OPEN, &request), EALREADY);
	bad += wrong("a name", ask(&request, "no/name") < 0, EINVAL);
	if (!fork())
		_exit(is_unmapped(EPITAPH_SLOT_SIZE, rw, MAP_SHARED, fd, 0) && errno == EPERM);
	wait(&status);
	bad += WEXITSTATUS(status) != 1;
	slot = mmap(NULL, EPITAPH_SLOT_SIZE, rw, MAP_SHARED, fd, 0);
	if (slot == MAP_FAILED)
		return printf("not mapped: %m\n");
	for (i = 0; i < EPITAPH_SLOT_SIZE; i++)
		if (slot[i])
			return printf("byte %u was not cleared\n", i);
	bad += wrong("executable later", mprotect(slot, 4096, PROT_READ | PROT_EXEC), EACCES);
	more = mremap(slot, EPITAPH_SLOT_SIZE, 2 * EPITAPH_SLOT_SIZE, MREMAP_MAYMOVE);
	bad += wrong("larger later", more == MAP_FAILED, EFAULT);
	memset(slot, 'x', EPITAPH_SLOT_SIZE);
	memset(slot, 0, EPITAPH_SLOT_SIZE);
	if (!fork()) {
		signal(SIGSEGV, SIG_DFL);
		*(volatile uint8_t *)slot = 1;
		_exit(0);
	}
	wait(&status);
	if (!WIFSIGNALED(status))
		bad += printf("a child has the mapping\n") > 0;
	return bad;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *first = argc > 2 ? argv[2] : "0";
	struct epitaph_ring_request request;

	count = strtoull(first, NULL, 0);
	if (!strcmp(what, "write") || !strcmp(what, "run")) {
		write_all();
		touch(argc > 3 ? argv[3] : NULL);
		return *what == 'w' ? pause() : 0;
	}
	if (!strcmp(what, "family"))
		family(argv);
	else if (!strcmp(what, "signals"))
		signals();
	else if (!strcmp(what, "hostile"))
		hostile(first);
	else if (!strcmp(what, "plants"))
		plants(first);
	else if (!strcmp(what, "misuse"))
		return !!misuse();
	else if (!strcmp(what, "bare") && ask(&request, "bare") >= 0)
		pause();
	else if (!strcmp(what, "holds")) {
		if (argc > 3 && setuid(atoi(argv[3])))
			return 3;
		holds(count);
		pause();
	} else {
		return 2;
	}
	return 0;
}
