# SPDX-License-Identifier: GPL-2.0-or-later
"""The Python module, on golden regions and on dumps made of them."""
import datetime
import gc
import json
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import weakref

import pytest

import epitaph

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(TOP, "tests", "golden")
TOOL = os.path.join(TOP, "extractor", "epitaph")
CASES = sorted(name[:-7] for name in os.listdir(GOLDEN) if name.endswith(".region"))


def regions_in(folder, program, names, suffix):
    """All are made by one run: a run for each takes longer than most tests."""
    texts = [os.path.join(os.path.dirname(program), name + suffix) for name in names]
    subprocess.run([program, *texts, f"{folder}/"], check=True)
    return lambda name: folder / name


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The path of a golden region."""
    return regions_in(tmp_path_factory.mktemp("golden"), f"{GOLDEN}/mkregion", CASES, ".region")


@pytest.fixture(scope="session")
def vmcore(made, tmp_path_factory):
    """An ELF vmcore with a region in one of its segments."""
    region = made("marks-and-crash").read_bytes()
    segments = [(0x1000, bytes(range(256)) * 16), (0x10000000, region)]
    path = tmp_path_factory.mktemp("vmcore") / "vmcore"
    off = 64 + 56 * len(segments)
    data = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, len(segments), 0, 0, 0)
    body = b""
    for paddr, content in segments:
        data += struct.pack("<IIQQQQQQ", 1, 7, off + len(body), 0, paddr, len(content),
                            len(content), 0)
        body += content
    path.write_bytes(data + body)
    return path


def reported(path):
    """What the command says of the same file, by code that does not pass the library."""
    run = subprocess.run([TOOL, "report", "--json", "--all", path], capture_output=True, check=False)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return lines[0] if lines else None, lines[1:]


def as_reported(value):
    """A field that is no text, as the JSON has it."""
    return value.hex() if isinstance(value, bytes) else value


def is_same_text(text, reported_text):
    """The JSON has texts escaped as for a terminal."""
    if text is None or reported_text is None:
        return text == reported_text
    if "\\" in text or not text.isprintable() or not text.isascii():
        return "\\x" in reported_text
    return text == reported_text


def compare_fields(item, line):
    if item.kind == "machine_check":
        assert item["bank"] == line["fields"]["bank"]
        assert item["status"] == line["fields"]["status"]
        assert item["what"] == (line["fields"]["what"] or "")
        assert item["severity"] == line["fields"]["severity"]
    elif item.kind == "log":
        level = line["fields"]["level"]
        assert item["level"] == (-1 if level is None else level)
    else:
        assert {k: as_reported(v) for k, v in item.fields.items()
                if not isinstance(v, str)} == \
               {k: v for k, v in line["fields"].items() if k in item.fields and
                not isinstance(item.fields[k], str)}
        assert set(item.fields) == set(line["fields"])
        for key, value in item.fields.items():
            if isinstance(value, str):
                assert is_same_text(value, line["fields"][key])


def compare(path):
    """Items against lines; how many events were compared."""
    head, lines = reported(path)
    try:
        dump = epitaph.open(path)
        items = [item for item in dump if item.kind not in ("mark", "crash")]
    except epitaph.Error:
        assert head is None
        return 0
    assert head is not None
    assert len(items) == len(lines)
    for item, line in zip(items, lines):
        assert item.time_ns == line["ts_ns"]
        assert item.real_time_ns == line["wall_ns"]
        assert item.cpu == line["cpu"]
        assert item.pid == line["pid"]
        assert is_same_text(item.channel, line["channel"])
        assert item.is_uncertain_order == ("uncertain-order" in line["marks"])
        assert item.is_damaged == ("damaged" in line["marks"])
        assert item.is_repaired == ("repaired" in line["marks"])
        assert item.is_uncommitted == ("uncommitted" in line["marks"])
        if line["before_crash_ns"] is not None:
            assert item.before_end_ns == line["before_crash_ns"]
        if item.kind == "loss":
            assert line["event"] is None
            continue
        assert is_same_text(item.name, line["event"])
        compare_fields(item, line)
    assert dump.newest.nr_events == head["events"]
    assert dump.newest.nr_lost == head["lost"]
    return len(items)


@pytest.mark.parametrize("name", CASES)
def test_items_are_what_the_command_reports(made, name):
    compare(made(name))


def test_vmcore_gives_what_the_command_reports(vmcore):
    assert compare(vmcore) >= 4
    with epitaph.open(vmcore) as dump:
        assert dump.kind == "ELF vmcore"
        assert dump.read(0x1000, 300, physical=True) == (bytes(range(256)) * 2)[:300]
        assert dump.read(0x1000 + 4090, 100, physical=True) == bytes(range(250, 256))
        assert dump.read(0x500000, 8, physical=True) == b""
        with pytest.raises(epitaph.Error) as error:
            dump.read(0xffffffff81000000, 8)
        assert error.value.code == 4


def test_generation_has_the_facts(made):
    with epitaph.open(made("marks-and-crash")) as dump:
        generation = dump.newest
        assert len(dump.generations) == 1
        assert generation.release == "6.1.0-golden"
        assert generation.machine == "x86-64"
        assert generation.end == "crashed"
        assert "Oops" in generation.end_reason
        assert generation.end_datetime.tzinfo is datetime.timezone.utc
        kinds = [item.kind for item in generation]
        assert "mark" in kinds and kinds.count("crash") == 1
    with epitaph.open(made("whole")) as dump:
        assert dump.newest.tasks[101] == "worker"
        assert dump.newest.end == "unknown"
        assert {item.comm for item in dump} >= {"worker", "shell"}


def test_damaged_places_are_counted_alike(vmcore, tmp_path):
    cut = tmp_path / "cut"
    cut.write_bytes(vmcore.read_bytes()[:-6000])
    said = {name: subprocess.run([TOOL, name, cut], capture_output=True, check=False, text=True).stderr
            for name in ("report", "info", "explain")}
    places = {text.split(" in ")[-1] for text in said.values()}
    assert len(places) == 1 and "2 places" in places.pop(), said


def explained(path):
    """What the command says of the same file."""
    run = subprocess.run([TOOL, "explain", "--json", path], capture_output=True, check=False)
    return json.loads(run.stdout) if run.stdout else None


def compare_findings(path):
    """Findings against the command's; how many pieces of evidence have an item."""
    page = explained(path)
    if page is None:
        with pytest.raises(epitaph.Error):
            epitaph.open(path)
        return 0
    with epitaph.open(path, sources=epitaph.RECORDER | epitaph.FTRACE | epitaph.KERNEL_LOG) as dump:
        finding, = dump.findings
        assert finding.claim == dump.newest.findings[0].claim
        items = {(item.kind, item.name, item.time_ns, item.cpu, item.text)
                 for item in dump.newest.walk(text=True)}
    assert (finding.kind, finding.strength) == (page["kind"], page["strength"])
    assert is_same_text(finding.claim, page["claim"])
    assert is_same_text(finding.signature, page["signature"])
    assert is_same_text(finding.open_question or None, page["why_not_more"])
    assert len(finding.evidence) == len(page["evidence"])
    for evidence, line in zip(finding.evidence, page["evidence"]):
        assert evidence.time_ns == line["ts_ns"]
        assert evidence.before_end_ns == line["before_end_ns"]
        item = evidence.item
        if item is not None:
            assert (item.kind, item.name, item.time_ns, item.cpu, item.text) in items
            assert abs(item.time_ns - evidence.time_ns) < 1000000000
    for sentences, key in ((finding.next, "next"), (finding.also_found, "also"),
                           (finding.not_found, "not_found"), (finding.missing, "missing")):
        assert len(sentences) == len(page[key])
    return sum(evidence.item is not None for evidence in finding.evidence)


CRASHES = sorted(name[:-4] for name in os.listdir(os.path.join(TOP, "tests", "crashes"))
                 if name.endswith(".log"))


@pytest.fixture(scope="session")
def crashed(tmp_path_factory):
    """The path of a region of a machine that died with the lines of tests/crashes/NAME.log."""
    return regions_in(tmp_path_factory.mktemp("crashes"), f"{TOP}/tests/crashes/mkregion", CRASHES,
                      ".log")


@pytest.mark.parametrize("name", CRASHES)
def test_findings_are_what_the_command_says(crashed, name):
    path = crashed(name)
    lines = [line for line in explained(path)["evidence"] if line["ts_ns"]]
    assert compare_findings(path) >= min(len(lines), 1)


def test_finding_has_its_sentence_and_its_lines(crashed):
    with epitaph.open(crashed("null-field")) as dump:
        finding, = dump.findings
    assert finding.claim == "queue_length() read 4 bytes at 0x18 of a NULL pointer (RAX)."
    assert finding.strength == "shown"
    assert finding.signature == "null-pointer:queue_length<queue_show"
    first = finding.evidence[0]
    assert first.text == first.item.text == \
        "BUG: kernel NULL pointer dereference, address: 0000000000000018"
    assert first.item.kind == "log" and first.item.time_ns == first.time_ns == 5500001000
    assert first.before_end_ns == first.item.before_end_ns == 400007000
    assert finding.evidence[-1].time_ns is finding.evidence[-1].item is None
    assert "an earlier oops or warning of this boot" in finding.not_found


def test_evidence_of_events_and_machine_checks_has_their_items(made, crashed):
    with epitaph.open(crashed("timer-of-another")) as dump:
        names = [e.item.name for e in dump.findings[0].evidence if e.item]
    assert {"timer:timer_start", "timer:timer_expire_entry"} <= set(names)
    with epitaph.open(made("mce-fatal")) as dump:
        items = [e.item for e in dump.findings[0].evidence]
    assert [(item.kind, item.bank) for item in items if item] == [("machine_check", 5)]


@pytest.mark.parametrize("name", CASES)
def test_findings_of_golden_regions_are_what_the_command_says(made, name):
    compare_findings(made(name))


def test_findings_of_a_dump_without_recorder(tmp_path):
    fuzz = os.path.join(TOP, "tests", "fuzz")
    subprocess.run(["cc", "-D_GNU_SOURCE", "-I", fuzz, "-o", tmp_path / "seed_vmcore",
                    f"{TOP}/tests/python/seed_vmcore.c", f"{fuzz}/kernel_seed.c",
                    f"{fuzz}/ftrace_seed.c", f"{fuzz}/types_seed.c", "-lbpf"], check=True)
    path = tmp_path / "vmcore"
    subprocess.run([tmp_path / "seed_vmcore", path], check=True)
    assert compare_findings(path) == 1
    with epitaph.open(path) as dump:
        assert dump.newest.number == 0
        finding, = dump.findings
        assert finding.claim == 'The kernel called panic(): "a seed".'
        line = finding.evidence[0].item
        assert line.text == "Kernel panic - not syncing: a seed"
        # Without a choice of sources, a walk of this dump has it too.
        assert line.text in [item.text for item in dump.newest.log]


def test_findings_after_close_raise(made):
    dump = epitaph.open(made("whole"))
    generation = dump.newest
    dump.close()
    for use in (lambda: dump.findings, lambda: generation.findings):
        with pytest.raises(epitaph.Error) as error:
            use()
        assert error.value.code == 7


def test_log_and_machine_checks_are_lists(made):
    with epitaph.open(made("kernel-log")) as dump:
        log = dump.newest.log
        assert log and all(item.kind == "log" for item in log)
        assert log == [] or log[0].text == log[0].fields["text"]
    with epitaph.open(made("mce-fatal")) as dump:
        checks = dump.newest.machine_checks
        assert [check.bank for check in checks] == [5, 7] or len(checks) >= 2
        assert checks[0].severity == "fatal"
        # In the middle of a walk, too.
        for item in dump:
            assert len(dump.newest.machine_checks) == len(checks)


def test_walk_takes_kinds_and_time(made):
    with epitaph.open(made("whole")) as dump:
        generation = dump.newest
        assert all(item.before_end_ns <= 1000 for item in generation.walk(last_ns=1000))
        assert 0 < len(list(generation.walk(last_ns=1000))) < len(list(generation))
        assert not list(generation.walk(kinds=epitaph.LOG))
        texts = [item.text for item in generation.walk(text=True)]
        assert "number: value=1" in texts


def test_times_are_ns_and_datetime(made):
    with epitaph.open(made("whole")) as dump:
        for item in dump:
            epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
            us = (item.datetime - epoch) // datetime.timedelta(microseconds=1)
            assert us == item.real_time_ns // 1000


def test_fields_are_attributes(made):
    with epitaph.open(made("whole")) as dump:
        item = next(item for item in dump if item.name == "sched:sched_switch")
        assert item.next_pid == item["next_pid"] == item.fields["next_pid"]
        with pytest.raises(AttributeError):
            item.no_such_field
        with pytest.raises(KeyError):
            item["no_such_field"]


def test_items_outlive_their_dump(made):
    with epitaph.open(made("whole")) as dump:
        items = list(dump)
    assert [item.fields for item in items]


def test_iterator_after_close_raises(made):
    for sandbox in (True, False):
        dump = epitaph.open(made("whole"), sandbox=sandbox)
        walk = iter(dump)
        next(walk)
        generation = dump.newest
        dump.close()
        dump.close()
        assert dump.closed
        for use in (lambda: next(walk), lambda: iter(dump), lambda: list(generation),
                    lambda: generation.symbol(1), lambda: dump.kind, lambda: dump.read(0, 1)):
            with pytest.raises(epitaph.Error) as error:
                use()
            assert error.value.code == 7


def test_what_is_no_dump_raises(tmp_path):
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    for path in ("/nonexistent", tmp_path, empty, sys.executable, "/dev/null", -1 & 0xfff):
        with pytest.raises(epitaph.Error) as error:
            epitaph.open(path)
        assert error.value.found and error.value.expected and error.value.advice
    with pytest.raises(TypeError):
        epitaph.open(None)
    with pytest.raises(TypeError):
        epitaph.Item()


def test_mutated_files_raise_or_are_read(made, tmp_path):
    rng = random.Random(1)
    opened = 0
    for turn in range(60):
        data = bytearray(made(rng.choice(CASES)).read_bytes())
        # Of many changed bytes, most hit a header and its copy, and nothing is left to walk.
        for _ in range(rng.randrange(1, 30 if turn % 2 else 4) if data else 0):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path = tmp_path / "mutated"
        path.write_bytes(data)
        try:
            with epitaph.open(path) as dump:
                opened += 1
                for generation in dump.generations:
                    for item in generation.walk(damaged=True, text=True):
                        assert item.fields is not None and item.text is not None
                    for finding in generation.findings:
                        assert finding.claim.isprintable() and finding.kind
        except epitaph.Error as error:
            assert error.code in (3, 4, 5, 6)
    assert opened > 10


def test_killed_reader_raises(tmp_path):
    region = tmp_path / "large"
    subprocess.run([f"{TOP}/tests/unit/lib/large_region", region, "6000"], check=True)
    dump = epitaph.open(region)
    before = {int(p) for p in os.listdir("/proc") if p.isdigit()}
    walk, nr = iter(dump), 0
    with pytest.raises(epitaph.Error) as error:
        for _ in walk:
            nr += 1
            if nr == 10:
                for pid in before:
                    try:
                        with open(f"/proc/{pid}/cmdline", "rb") as file:
                            name = file.read()
                        maps = os.readlink(f"/proc/{pid}/fd/3")
                        mine = any(os.readlink(f"/proc/{pid}/fd/{fd}") == str(region)
                                   for fd in os.listdir(f"/proc/{pid}/fd"))
                    except OSError:
                        continue
                    if name.startswith(b"epitaph-reader") and mine and maps.startswith("socket"):
                        os.kill(pid, signal.SIGKILL)
    assert error.value.code == 6
    assert 1000 < nr < 6000


def test_progress_can_cancel(made):
    calls = []

    def progress(what, done, total):
        calls.append(what)
        return True
    fifo = made("whole").parent / "fifo"
    if not fifo.exists():
        os.mkfifo(fifo)

    # The reader waits for the other end of the pipe, which never comes.
    with pytest.raises(epitaph.Error) as error:
        epitaph.open(fifo, progress=progress)
    assert error.value.code == 8 and calls


def test_dump_and_its_callback_are_collected(made):
    class Job:
        def __init__(self):
            self.dump = epitaph.open(made("whole"), progress=self.tick)
            self.generation = self.dump.newest
            self.walk = iter(self.generation)

        def tick(self, what, done, total):
            return self.dump is None
    jobs = [weakref.ref(Job()) for _ in range(3)]
    gc.collect()
    assert [job() for job in jobs] == [None] * 3


def test_other_threads_run_meanwhile(made):
    results = []

    def read():
        with epitaph.open(made("whole")) as dump:
            results.append(len(list(dump)))
    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and len(set(results)) == 1


def test_children_of_the_host_are_left_alone(made):
    with epitaph.open(made("whole")):
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


def test_to_pandas(made):
    pandas = pytest.importorskip("pandas")
    with epitaph.open(made("whole")) as dump:
        frame = epitaph.to_pandas(dump)
        assert isinstance(frame, pandas.DataFrame)
        assert list(frame["before_end_ns"]) == [item.before_end_ns for item in dump]
        assert frame[frame.name == "test:number"]["value"].min() == 1


def test_numbers_of_pandas_are_exact():
    pandas = pytest.importorskip("pandas")

    class Made:
        kind, name, time_ns, before_end_ns, datetime, cpu, comm, channel = "event", "a:b", 1, 0, None, 0, "x", "core"

        def __init__(self, pid, **fields):
            self.pid, self.fields = pid, fields
    timer = 0xffffffffc06999f1
    frame = epitaph.to_pandas([Made(7, timer=timer, now=-(1 << 53) - 1, far=-1), Made(None, timer=timer - 1, far=timer), Made(1)])
    assert list(frame["timer"][:2]) == [timer, timer - 1] and pandas.isna(frame["timer"][2])
    assert len(frame[frame.timer == timer]) == 1
    assert frame["now"][0] == -(1 << 53) - 1 and list(frame["far"][:2]) == [-1, timer]
    assert frame["pid"][0] == 7 and pandas.isna(frame["pid"][1])
    assert frame["time_ns"].dtype == "int64" and not len(epitaph.to_pandas([])["name"])


def test_an_address_has_64_bits(vmcore):
    class Index:
        def __index__(self):
            return 0x1000
    with epitaph.open(vmcore) as dump:
        assert dump.read(Index(), 2, physical=True) == b"\x00\x01"
        for address in (-1, 1 << 64, (1 << 64) + 0x1000):
            with pytest.raises(OverflowError):
                dump.read(address, 4, physical=True)
            with pytest.raises(OverflowError):
                dump.newest.symbol(address)


def test_a_path_ends_where_it_says(made):
    for path in (f"{made('whole')}\0.txt", os.fsencode(made("whole")) + b"\0"):
        with pytest.raises(ValueError, match="null byte"):
            epitaph.open(path)
