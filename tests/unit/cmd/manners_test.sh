#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On a terminal, and to who mistypes: see manners.
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/manners" "$here/../../../extractor/epitaph"
