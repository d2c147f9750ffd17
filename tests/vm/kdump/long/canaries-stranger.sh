#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# canaries.sh on a machine that never had the recorder: what redact takes out of a stranger's vmcore.

stranger=yes
# shellcheck source=tests/vm/kdump/long/canaries.sh
. "$(dirname "$0")/canaries.sh"
