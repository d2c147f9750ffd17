/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands "channel" and "snapshot" of /dev/epitaph-control. */
#ifndef _EPITAPH_CHANNEL_WORDS_H
#define _EPITAPH_CHANNEL_WORDS_H

struct epitaph_answer;

/* As the other commands: @rest is what follows the name.  0 or an error. */
int epitaph_do_channel(struct epitaph_answer *answer, const char *rest);
int epitaph_do_snapshot(struct epitaph_answer *answer, const char *rest);

#endif /* _EPITAPH_CHANNEL_WORDS_H */
