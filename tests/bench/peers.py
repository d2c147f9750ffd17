# SPDX-License-Identifier: GPL-2.0-or-later
"""What others' recorders cost, where they can be built: perf and LTTng-modules in the guest,
LTTng-UST beside the ring's core on this machine."""

import contextlib
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
KINDS = ("u64", "switch")


class Absent(Exception):
    """It is not here, and why."""


def run(*command, **more):
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **more)
    if done.returncode:
        raise Absent(f"{' '.join(command)}: {done.stdout.strip()[-300:]}")
    return done.stdout


def compile_program(out, source, *flags):
    name = os.path.splitext(os.path.basename(source))[0]
    run("cc", "-O2", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-o", f"{out}/{name}", f"{HERE}/{source}", *flags)
    return f"{out}/{name}"


def modules_of(tree):
    """lttng-modules and our probe, each behind what it needs."""
    paths = {os.path.basename(path)[:-3].replace("-", "_"): path
             for path in glob.glob(f"{tree}/**/*.ko", recursive=True) + glob.glob(f"{HERE}/lttng/*.ko")}
    order = []

    def visit(name):
        for need in filter(None, run("modinfo", "-F", "depends", paths[name]).strip().split(",")):
            if need.replace("-", "_") in paths:
                visit(need.replace("-", "_"))
        if paths[name] not in order:
            order.append(paths[name])

    visit("lttng_ring_buffer_client_mmap_overwrite")
    visit("lttng_probe_bench")
    return order


def build_lttng(out, kdir):
    tree = f"{out}/lttng-modules"
    run(f"{HERE}/peers/lttng_tree", kdir, tree)
    run("make", "-s", "-C", kdir, f"M={HERE}/lttng", f"LTTNG={tree}",
        f"KBUILD_EXTRA_SYMBOLS={tree}/Module.symvers {HERE}/guest/Module.symvers", "modules")
    compile_program(out, "peers/lttng_on.c", "-static", f"-I{tree}/include")
    return modules_of(tree)


@contextlib.contextmanager
def told(who):
    """Without it the rest is still measured."""
    try:
        yield
    except Absent as why:
        print(f"bench: not measured beside {who}: {why}", file=sys.stderr)


def pack(out, stage, kdir):
    """Into the guest's files, those that can be built."""
    with told("perf"):
        shutil.copy(compile_program(out, "peers/perf_on.c", "-static"), stage)
    with told("LTTng-modules"):
        modules = build_lttng(out, kdir)
        for path in modules + [f"{out}/lttng_on"]:
            shutil.copy(path, stage)
        with open(f"{stage}/lttng.order", "w", encoding="utf-8") as f:
            f.writelines(os.path.basename(path) + "\n" for path in modules)


@contextlib.contextmanager
def ust_session(home):
    """A session that records bench:* into rings that overwrite their oldest."""
    env = dict(os.environ, LTTNG_HOME=home, HOME=home)
    with subprocess.Popen(["lttng-sessiond", "--no-kernel", "--quiet"], env=env) as daemon:
        try:
            for _ in range(100):
                if subprocess.run(["lttng", "list"], env=env, capture_output=True, check=False).returncode == 0:
                    break
                time.sleep(0.1)
            run("lttng", "create", "--snapshot", f"--output={home}/out", "bench", env=env)
            run("lttng", "enable-channel", "-u", "--overwrite", "--subbuf-size=64k", "--num-subbuf=4", "c", env=env)
            run("lttng", "enable-event", "-u", "-c", "c", "bench:*", env=env)
            run("lttng", "start", env=env)
            yield env
            run("lttng", "destroy", "bench", env=env)
        finally:
            daemon.terminate()


def ust_rows(out):
    """Of 1 and 2 threads: medians of the rounds, and of their ratios."""
    rows = []
    with told("LTTng-UST"), tempfile.TemporaryDirectory() as home:
        if not shutil.which("lttng-sessiond"):
            raise Absent("lttng-sessiond: not found (Debian: lttng-tools, liblttng-ust-dev)")
        program = compile_program(out, "ust/bench_ust.c", f"{TOP}/kernel/core/ring.c", f"-I{HERE}/ust",
                                  f"-I{TOP}/include", f"-I{TOP}/kernel/include", "-llttng-ust", "-ldl", "-lpthread")
        with ust_session(home) as env:
            for threads in (1, 2):
                text = run(program, str(threads), env=env)
                rounds = [tuple(map(float, line.split())) for line in text.splitlines()]
                for i, kind in enumerate(KINDS):
                    ours, theirs = ([r[2 * i + n] for r in rounds] for n in (0, 1))
                    rows.append((f"native.{kind}.{threads}", statistics.median(ours), "ns",
                                 f"LTTng-UST {statistics.median(theirs):.2f}",
                                 statistics.median(a / b for a, b in zip(ours, theirs))))
    return rows
