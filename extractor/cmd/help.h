/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "epitaph COMMAND --help" says behind the usage. */
#ifndef EPITAPH_CMD_HELP_H
#define EPITAPH_CMD_HELP_H

/* Options and examples; "" for a command that has none. */
const char *cmd_help_text(const char *name);

#endif
