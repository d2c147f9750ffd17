// SPDX-License-Identifier: GPL-2.0-only
#define CREATE_TRACE_POINTS
#include "bridged_two_trace.h"

#define BRIDGED_EVENT(n) trace_bridged_two(n)
#include "bridged.h"
