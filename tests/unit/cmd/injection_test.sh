#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Hostile strings, everywhere: see injections.
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/injections" "$here/../../../extractor/epitaph"
