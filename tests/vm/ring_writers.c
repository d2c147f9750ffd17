// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring_writers WITNESS: processes that write to rings of their own for ever, and are killed one after
 * the other.  What each thread and each handler of a signal has committed stands in physical memory at
 * WITNESS, for ring-truth: 64 KiB that begin with "WITNESS2".
 */
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <epitaph-ring.h>

#define PROCESSES	6
#define WITNESS_SIZE	65536

EPITAPH_EVENT(number, (uint64_t, value), (uint64_t, check));
EPITAPH_EVENT(nested, (uint64_t, value), (uint64_t, check));

enum state { NONE, LIVE, KILLED };

/* Of a thread, or of the handler that interrupts it. */
struct writer {
	volatile uint64_t committed;
	volatile uint32_t thread;
	volatile uint32_t process;
	volatile uint32_t is_handler;
	volatile uint32_t state;
	uint64_t unused;
};

#define WRITERS	((WITNESS_SIZE - 64) / sizeof(struct writer))

static struct witness {
	char magic[8];
	uint64_t next;
	uint64_t unused[6];
	struct writer writers[WRITERS];
} *witness;

static struct writer *handler;

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

/* The oldest one is forgotten: there are far more than rings. */
static struct writer *add_writer(bool is_handler)
{
	uint64_t i = __atomic_fetch_add(&witness->next, 1, __ATOMIC_SEQ_CST);
	struct writer *writer = &witness->writers[i % WRITERS];

	writer->state = NONE;
	writer->committed = 0;
	writer->thread = syscall(SYS_gettid);
	writer->process = getpid();
	writer->is_handler = is_handler;
	writer->state = LIVE;
	return writer;
}

static uint64_t mixed(uint64_t value)
{
	return (value ^ 0x6a09e667f3bcc908ULL) * 0x9e3779b97f4a7c15ULL;
}

static void on_timer(int signal)
{
	uint64_t value = handler->committed;

	(void)signal;
	EPITAPH_WRITE(nested, .value = value, .check = mixed(value));
	handler->committed = value + 1;
}

static void open_ring(void)
{
	while (epitaph_ring_open("rings"))
		usleep(20000);
}

static void *write_numbers(void *arg)
{
	struct writer *writer;
	uint64_t value;

	(void)arg;
	open_ring();
	writer = add_writer(false);
	for (value = 0;; value++) {
		EPITAPH_WRITE(number, .value = value, .check = mixed(value));
		writer->committed = value + 1;
	}
	return NULL;
}

static void write_for_ever(void)
{
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
	pthread_t thread;
	sigset_t timer;

	/* The handler runs on this thread alone. */
	sigemptyset(&timer);
	sigaddset(&timer, SIGALRM);
	sigprocmask(SIG_BLOCK, &timer, NULL);
	if (pthread_create(&thread, NULL, write_numbers, NULL))
		give_up("a thread");
	open_ring();
	handler = add_writer(true);
	signal(SIGALRM, on_timer);
	setitimer(ITIMER_REAL, &often, NULL);
	sigprocmask(SIG_UNBLOCK, &timer, NULL);
	write_numbers(NULL);
}

static pid_t start(void)
{
	pid_t child = fork();

	if (!child)
		write_for_ever();
	if (child < 0)
		give_up("a process");
	return child;
}

/* The witness says first that its rings may be taken by others; it adds no writer meanwhile. */
static void end(pid_t child)
{
	uint32_t i;

	kill(child, SIGSTOP);
	waitpid(child, NULL, WUNTRACED);
	for (i = 0; i < WRITERS; i++)
		if (witness->writers[i].process == (uint32_t)child && witness->writers[i].state == LIVE)
			witness->writers[i].state = KILLED;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	int memory = open("/dev/mem", O_RDWR);
	pid_t children[PROCESSES];
	unsigned int i;

	if (argc != 2)
		return 2;
	witness = mmap(NULL, WITNESS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, strtoul(argv[1], NULL, 0));
	if (witness == MAP_FAILED)
		give_up("the witness");
	memset(witness, 0, WITNESS_SIZE);
	memcpy(witness->magic, "WITNESS2", 8);
	for (i = 0; i < PROCESSES; i++)
		children[i] = start();
	for (i = 0;; i = (i + 1) % PROCESSES) {
		usleep(20000 + rand() % 100000);
		end(children[i]);
		children[i] = start();
	}
}
