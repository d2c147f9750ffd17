#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Our report has every event of a trace file, and each field of it in the kernel's own words.

usage: fields-as-kernel.py KERNEL EVENTS TRACE REPORT

EVENTS are the names of those that were to come (with KERNEL "-", or "-7.2", that may come), TRACE is what the
kernel's own trace file said of them, REPORT what epitaph read of the region, with --monotonic.
Each event of TRACE is one of REPORT of the same name, CPU and task; and from the marker in TRACE on
each of REPORT is one of TRACE.  A CPU runs both probes of an event before it goes on, but for what an
interrupt brings: both files have their events in one order, and between two times of an event, however
far the host has moved them apart, TRACE has nothing of that CPU but interrupts.  Where that does not
hold, an event is one in 50 ms (200 ms where they may come).  From 7.0 on, a task may be preempted between the two
probes, where the kernel may preempt it: then the second is that of a later time, and perhaps of another
CPU, and TRACE has the switch away from it in between.  Fields are "name=value", or what stands in front of the first; each is equal, or NOT_EQUAL
says how the two are related, and why.  NEVER says which events no guest has, and why.  An entry
that is not needed is a fault of its own, and so is an event that never came.
"""
import bisect
import collections
import fnmatch
import operator
import re
import sys

LINE = re.compile(r" *(.+)-(\d+|\?) +\[(\d+)\] (\S+) +(\d+\.\d+): (\w+): ?(.*)$")
# What the report puts behind the number of a disk; docs/disks.md, tests/vm/record/disks.sh.
DISK = re.compile(r"(\b\d+[,:]\d+) \([a-z][\w-]*\)")
FIELD = re.compile(r"(?:^|(?<=[ \[(,{]))([A-Za-z_][\w-]*)[=:](?! )")
# A busy host once took a guest of another machine its CPU for 69 ms between the two probes.
APART = 0.2 if "".join(sys.argv[1:2]).startswith("-") else 0.05
ENOUGH = 3000
# As exact as the report's times are in such a guest.
EXACT = 0.003
# In the flags of a trace file: what may interrupt what.
LEVELS = {"s": 1, "h": 2, "H": 2, "z": 3, "Z": 3}


def plain(text):
    """With addresses as numbers: 16 digits of the kernel's, 0x or (nil) of ours."""
    text = text.replace("(nil)", "0x0")
    return re.sub(r"\b[0-9a-f]{16}\b", lambda m: f"{int(m[0], 16):#x}", text)


def same_pointer(theirs, ours, _):
    """16 digits of theirs are 0x and the digits that count of ours, or (nil)."""
    return plain(theirs) == plain(ours)


def same_line(theirs, ours, _):
    """The end of a line is one of the text."""
    return ours == theirs + r"\x0a"


def near_number(theirs, ours, apart):
    """Of a clock that went on between the two probes, for so many seconds."""
    numbers = [re.fullmatch(r"(-?\d+)(\]?)", text) for text in (theirs, ours)]
    return all(numbers) and abs(int(numbers[0][1]) - int(numbers[1][1])) <= TICKS + HZ * apart


def reaped(theirs, ours, _):
    """The state of a task that is gone."""
    return {theirs[:1], ours[:1]} == {"Z", "X"} and theirs[1:] == ours[1:]


def sizes_in_kb(theirs, ours, _):
    """Of memory that goes between the two probes."""
    return all(re.fullmatch(r"\d+kB", text) for text in (theirs, ours))


TICKS = 25
HZ = 250
ADDRESS = "the kernel shows an address of %p in 16 digits, and we as 0x1 or (nil)"
JIFFIES = "each probe reads jiffies itself"
EXITS = "each probe counts the pages of a task that may be giving them back on another CPU"
# (events, field): how the two are related, whether only by chance, and why they are not equal.  What
# comes by chance is of one in a hundred events at most; of the others each run needs all.
NOT_EQUAL = {
    ("hrtimer_*", "hrtimer"): (same_pointer, False, ADDRESS),
    ("timer_*", "timer"): (same_pointer, False, ADDRESS),
    ("workqueue_*", ""): (same_pointer, False, ADDRESS),
    ("sched_kthread_work_execute_*", ""): (same_pointer, False, ADDRESS),
    ("sched_kthread_work_queue_work", "struct"): (same_pointer, False, ADDRESS),
    ("sched_kthread_work_queue_work", "worker"): (same_pointer, False, ADDRESS),
    ("aer_event", "Header"): (same_line, False, "the format ends in a newline, which we show as \\x0a"),
    ("sched_switch", "prev_state"): (reaped, True, "each probe reads it, and the parent may reap the task between them"),
    ("mark_victim", "anon-rss"): (sizes_in_kb, True, EXITS),
    ("mark_victim", "file-rss"): (sizes_in_kb, True, EXITS),
    ("mark_victim", "shmem-rss"): (sizes_in_kb, True, EXITS),
    ("timer_start", "timeout"): (near_number, True, JIFFIES),
    ("timer_expire_entry", "now"): (near_number, True, JIFFIES),
}

# Ours has all that the kernel's has, and more.
WITHIN = {
    "console": "ours is a whole line, with its time; the kernel's is what one printk() had of it",
}

# Events that do not come, on which kernels, and why.
ALL = ("6.1", "6.12", "7.2")
NUMA = "the machine has to have two nodes"
NEVER = {
    "ras:arm_event": (ALL, "the firmware of an ARM machine reports it"),
    "ras:extlog_mem_event": (("6.12", "7.2"), "the firmware has to keep an extended log of errors"),
    "sched:sched_skip_vma_numa": (("6.12", "7.2"), NUMA),
    "oom:skip_task_reaping": (ALL, "memory has to go between the timer of the reaper and the reaper"),
}

# These may come or not, and are compared then.
MAY_COME = {
    "sched:sched_wake_idle_without_ipi": "a CPU has to go idle in the very moment of a wakeup",
}


def read(path):
    """[(cpu, task, name, time, text, level, may be preempted)]; lines that follow belong to the text."""
    events = []
    with open(path, encoding="utf-8", errors="backslashreplace") as file:
        for line in file.read().split("\n"):
            if not line or line.startswith("#"):
                continue
            found = LINE.match(line)
            if found:
                _, pid, cpu, flags, time, name, text = found.groups()
                events.append([int(cpu), pid, name, float(time), text, LEVELS.get(flags[2:3], 0),
                               flags[3:4] == "."])
            elif events:
                events[-1][4] += "\n" + line
    return events


def fields_of(text):
    """[(name, value)]; what stands in front of the first is ""'s."""
    starts = list(FIELD.finditer(text))
    fields = [("", text[:starts[0].start()] if starts else text)]
    for i, start in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(text)
        fields.append((start[1], text[start.end():end].strip()))
    return fields


def bring_back(trace, theirs, ours):
    """Each event between whose probes its task was preempted gets the place in ours that it has in theirs."""
    away = collections.defaultdict(list)
    for event in trace:
        if event[2] == "sched_switch":
            away[event[0], re.search(r"prev_pid=(\d+)", event[4])[1]].append(event[3])
    same = collections.defaultdict(list)
    for event in ours:
        same[event[1], event[2], plain(event[4])].append(event)
    for event in theirs:
        switches = away[event[0], event[1]]
        at = bisect.bisect(switches, event[3])
        mates = same[event[1], event[2], plain(event[4])]
        if not event[6] or at == len(switches) or any(
                mate[0] == event[0] and abs(mate[3] - event[3]) <= APART for mate in mates):
            continue
        late = next((mate for mate in mates if mate[3] > switches[at]), None)
        if late:
            late[0], late[3] = event[0], event[3]


def pairs_by_order(theirs, ours):
    """Of one name, CPU and task: pairs, and what is left of ours, before the first and behind the last."""
    if not 0 < len(theirs) <= len(ours):
        return [(event, None) for event in theirs], ours
    a, b = ([plain(event[4]) for event in events] for events in (theirs, ours))

    def misfit(first):
        return (sum(map(operator.ne, a, b[first:])),
                sum(abs(x[3] - y[3]) for x, y in zip(theirs, ours[first:])))

    first = min(range(len(ours) - len(theirs) + 1), key=misfit)
    partner = list(range(first, first + len(theirs)))
    # What an interrupt brought between the two probes of another one.
    odd = [i for i, j in enumerate(partner) if a[i] != b[j]]
    free = [partner[i] for i in odd]
    for i in odd:
        partner[i] = next((j for j in free if b[j] == a[i]), None)
        if partner[i] is not None:
            free.remove(partner[i])
    for i in odd:
        if partner[i] is None:
            partner[i] = free.pop(0)
    return [(x, ours[j]) for x, j in zip(theirs, partner)], ours[:first] + ours[first + len(theirs):]


def pairs_by_time(theirs, ours):
    """The same, and what is left lies anywhere."""
    times = [event[3] for event in ours]
    free = set(range(len(ours)))
    left, pairs = [], []
    for event in theirs:
        near = [i for i in range(bisect.bisect_left(times, event[3] - APART),
                                 bisect.bisect_right(times, event[3] + APART)) if i in free]
        same = [i for i in near if plain(ours[i][4]) == plain(event[4])]
        if same:
            best = min(same, key=lambda i: abs(times[i] - event[3]))
            free.remove(best)
            pairs.append((event, ours[best]))
        else:
            left.append(event)
    for event in left:
        near = [i for i in free if abs(times[i] - event[3]) <= APART]
        if near:
            best = max(near, key=lambda i: (likeness(event[4], ours[i][4]), -abs(times[i] - event[3])))
            free.remove(best)
            pairs.append((event, ours[best]))
        else:
            pairs.append((event, None))
    return pairs, [ours[i] for i in sorted(free)]


def likeness(a, b):
    """Fields that are equal."""
    return sum(x == y for x, y in zip(fields_of(a), fields_of(b)))


class Comparison:
    def __init__(self, trace):
        self.faults = []
        # Of each CPU: times, and levels.
        self.ran = {cpu: sorted((event[3], event[5]) for event in trace if event[0] == cpu)
                    for cpu in {event[0] for event in trace}}
        self.needed = collections.Counter()
        self.compared = collections.Counter()

    def entry_for(self, name, field, theirs, ours, apart):
        for key, (related, _, _) in NOT_EQUAL.items():
            if fnmatch.fnmatch(name, key[0]) and key[1] == field and related(theirs, ours, apart):
                return key
        return None

    def differences(self, theirs, ours):
        """Of two texts of an event: the entries that they need, and faults."""
        if not ours:
            return [], [f"not in the report: {theirs}"]
        name, entries, faults = theirs[2], [], []
        a, b = fields_of(theirs[4]), fields_of(ours[4])
        if [field for field, _ in a] != [field for field, _ in b]:
            return [], [f"{name}: {theirs[4]!r}, ours {ours[4]!r}"]
        for (field, theirs_value), (_, ours_value) in zip(a, b):
            if theirs_value == ours_value:
                continue
            key = self.entry_for(name, field, theirs_value, ours_value, abs(theirs[3] - ours[3]))
            if key:
                entries.append(key)
            else:
                faults.append(f"{name}: {field}={theirs_value!r}, ours {ours_value!r}")
        return entries, faults

    def compare_pairs(self, pairs, left, low, high):
        """The entries that they need, and faults; of what is left that counts that lies between two times."""
        entries, faults = [], []
        for a, b in pairs:
            needed, wrong = self.differences(a, b)
            entries += needed
            faults += wrong
        return entries, faults + [f"not in the trace file: {event}" for event in left
                                  if low + APART < event[3] < high - APART]

    def went_on(self, theirs, ours):
        """Whether the CPU did more between the two times of an event than serve interrupts."""
        ran = self.ran[theirs[0]]
        begin, end = sorted((theirs[3], ours[3]))
        return any(level <= theirs[5] for _, level in
                   ran[bisect.bisect(ran, (begin + EXACT, 0)):bisect.bisect(ran, (end - EXACT, 0))])

    def compare_all(self, theirs, ours, low, high):
        """Events of one name, CPU and task."""
        pairs, left = pairs_by_order(theirs, ours)
        entries, faults = self.compare_pairs(pairs, left, low, high)
        if faults or any(self.went_on(*pair) for pair in pairs):
            entries, faults = self.compare_pairs(*pairs_by_time(theirs, ours), low, high)
        self.needed.update(entries)
        self.faults += faults
        for event in theirs:
            self.compared[event[2]] += 1

    def compare_within(self, theirs, ours):
        """Of these, ours have more text."""
        texts = "\n".join(event[4] for event in ours)
        for event in theirs:
            self.compared[event[2]] += 1
            self.faults += [f"not in the report: {event[:4]} {line!r}"
                            for line in event[4].split("\n") if line.strip() not in texts]

    def check_lists(self, kernel, wanted):
        """Is all there that was wanted, and each entry of the lists needed?"""
        for name in sorted(wanted):
            came = self.compared[name.partition(":")[2]] > 0
            if name in NEVER and kernel in NEVER[name][0] and came:
                self.faults.append(f"{name} came, and is in NEVER")
            elif name not in NEVER and name not in MAY_COME and not came:
                self.faults.append(f"{name} never came")
        for name, (kernels, _) in NEVER.items():
            if kernel in kernels and name not in wanted:
                self.faults.append(f"{name} is no default event, and is in NEVER")
        for key, (_, by_chance, _) in NOT_EQUAL.items():
            events = sum(n for name, n in self.compared.items() if fnmatch.fnmatch(name, key[0]))
            if not by_chance and not self.needed[key]:
                self.faults.append(f"{key} is in NOT_EQUAL, and always was equal")
            if by_chance and (not events or self.needed[key] > 1 + events / 100):
                self.faults.append(f"{key}: {self.needed[key]} of {events} differ")


def grouped(events):
    groups = collections.defaultdict(list)
    for event in sorted(events, key=lambda event: event[3]):
        groups[event[0], event[1], event[2]].append(event)
    return groups


def main():
    kernel, names, trace, report = sys.argv[1:]
    with open(names, encoding="utf-8") as file:
        wanted = {line.strip() for line in file}
    short = {name.partition(":")[2] for name in wanted}
    theirs = trace = read(trace)
    low = next(event[3] for event in theirs if event[2] == "tracing_mark_write")
    high = max(event[3] for event in theirs)
    comparison = Comparison(theirs)
    theirs = [event for event in theirs if event[2] in short]
    ours = [event[:4] + [DISK.sub(r"\1", event[4])] for event in read(report) if event[2] in short]
    for name in WITHIN:
        comparison.compare_within(*([event for event in events if event[2] == name]
                                    for events in (theirs, ours)))
    if kernel.startswith(("7.", "-7.")):
        bring_back(trace, theirs, ours)
    theirs, ours = grouped(theirs), grouped(ours)
    for key in sorted(theirs.keys() | ours.keys()):
        if key[2] not in WITHIN:
            comparison.compare_all(theirs[key], ours[key], low, high)
    if not kernel.startswith("-"):
        comparison.check_lists(kernel, wanted)
    total = sum(comparison.compared.values())
    print(f"{total} events of {len(comparison.compared)} kinds, {len(comparison.faults)} faults",
          *comparison.faults[:20], sep="\n")
    return total < ENOUGH or bool(comparison.faults)


sys.exit(main())
