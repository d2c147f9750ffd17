// SPDX-License-Identifier: GPL-2.0-only
/*
 * messages GROUPS ROUNDS: in each group four tasks send 100 bytes to each of four others,
 * ROUNDS times, as hackbench does with more of them.
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define TASKS	4
#define BYTES	100

static int pairs[TASKS][2];

static void send_all(int rounds)
{
	char text[BYTES] = "";

	while (rounds--)
		for (int i = 0; i < TASKS; i++)
			if (write(pairs[i][1], text, BYTES) != BYTES)
				_exit(1);
}

static void receive(int fd, int messages)
{
	char text[BYTES];

	for (int left = messages * BYTES; left > 0;) {
		ssize_t n = read(fd, text, left < BYTES ? left : BYTES);

		if (n <= 0)
			_exit(1);
		left -= n;
	}
}

static void group(int rounds)
{
	for (int i = 0; i < TASKS; i++)
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]))
			exit(1);
	for (int i = 0; i < TASKS; i++) {
		if (!fork()) {
			send_all(rounds);
			_exit(0);
		}
		if (!fork()) {
			receive(pairs[i][0], TASKS * rounds);
			_exit(0);
		}
	}
}

int main(int argc, char **argv)
{
	int status, failed = argc != 3;

	for (int i = 0; !failed && i < atoi(argv[1]); i++)
		group(atoi(argv[2]));
	while (wait(&status) > 0)
		failed |= status;
	return !!failed;
}
