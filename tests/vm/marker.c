// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker UID COUNT SIZE [BYTE]: COUNT marks of SIZE bytes as that user, by the header that
 * applications use.  Says how many went through, and why others did not.
 */
#include <stdlib.h>

#include "epitaph-mark.h"

static char text[65536];

static void fill(int size, int byte, int i)
{
	char number[16];
	int n = snprintf(number, sizeof(number), "%d ", i);

	memset(text, byte, size);
	if (size > n)
		memcpy(text, number, n);
}

int main(int argc, char **argv)
{
	int i, count, size, byte, written = 0, refused = 0, too_large = 0, invalid = 0;

	if (argc < 4)
		return 2;
	if (setuid(atoi(argv[1])))
		return 3;
	count = atoi(argv[2]);
	size = atoi(argv[3]);
	byte = argc > 4 ? atoi(argv[4]) : 'x';
	for (i = 0; i < count; i++) {
		fill(size, byte, i);
		if (!epitaph_mark_bytes(text, size))
			written++;
		else if (errno == EAGAIN)
			refused++;
		else if (errno == EMSGSIZE)
			too_large++;
		else if (errno == EINVAL)
			invalid++;
		else
			perror("marker");
	}
	if (!invalid && !too_large && epitaph_markf("marker of %s: %d refused", argv[1], refused) &&
	    errno != EAGAIN)
		perror("marker");
	printf("written %d refused %d too-large %d invalid %d\n", written, refused, too_large,
	       invalid);
	return 0;
}
