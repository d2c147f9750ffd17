# SPDX-License-Identifier: GPL-2.0-or-later
from dataclasses import dataclass
from datetime import datetime
from os import PathLike
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, Sequence, Union, final

_Path = Union[str, bytes, PathLike[str], PathLike[bytes]]
_Value = Union[int, str, bytes, list[int], None]

__version__: str
RECORDER: int
FTRACE: int
KERNEL_LOG: int
EVENT: int
LOG: int
MACHINE_CHECK: int
MARK: int
LOSS: int
CRASH: int
ALL_KINDS: int

class Error(Exception):
    code: int  # enum epitaph_error_code
    errno: int
    found: str
    where: str
    expected: str
    advice: str

@final
class Item:
    kind: str  # event, log, machine_check, mark, loss, crash
    name: str  # "sched:sched_switch"
    channel: str | None
    time_ns: int  # CLOCK_MONOTONIC, ns
    before_end_ns: int  # ns; negative behind the crash
    real_time_ns: int | None  # UTC, ns since 1970
    datetime: datetime | None  # the same, UTC, cut to microseconds
    cpu: int | None
    pid: int | None
    comm: str | None
    nr_lost: int
    is_uncertain_order: bool
    is_damaged: bool
    is_lost_before: bool
    is_uncommitted: bool
    is_repaired: bool
    text: str
    fields: dict[str, _Value]
    def __getitem__(self, field: str) -> Any: ...
    def __getattr__(self, field: str) -> Any: ...

@dataclass(frozen=True)
class Evidence:
    text: str
    time_ns: int | None  # CLOCK_MONOTONIC, ns
    before_end_ns: int | None  # ns; negative behind the end
    item: Item | None

@dataclass(frozen=True)
class Finding:
    kind: str
    claim: str
    strength: str  # shown, likely, possible, not known
    open_question: str  # "": nothing
    signature: str
    evidence: tuple[Evidence, ...]
    next: tuple[str, ...]
    also_found: tuple[str, ...]
    not_found: tuple[str, ...]
    missing: tuple[str, ...]

@final
class Walk(Iterator[Item]):
    def __next__(self) -> Item: ...

@final
class Generation:
    number: int  # of the boot; 0: the recorder did not record it
    release: str
    version: str
    machine: str
    boot_id: str
    build_id: str
    nr_cpus: int
    nr_events: int
    nr_lost: int  # at least
    end: str  # crashed, ended, unknown
    end_time_ns: int  # CLOCK_MONOTONIC, ns
    end_datetime: datetime | None
    end_cpu: int | None
    end_pid: int | None
    end_comm: str
    end_reason: str
    notes: list[str]
    log: list[Item]
    machine_checks: list[Item]
    tasks: dict[int, str]
    findings: list[Finding]  # the answer first; read anew each time
    def __iter__(self) -> Walk: ...
    def walk(self, *, kinds: int = ..., last_ns: int | None = ..., damaged: bool = ...,
             text: bool = ...) -> Walk: ...
    def symbol(self, address: int, /) -> str | None: ...
    def address(self, name: str, /) -> int | None: ...

@final
class Dump:
    kind: str
    closed: bool
    generations: list[Generation]  # the oldest first
    newest: Generation
    findings: list[Finding]  # of the newest generation
    def __iter__(self) -> Walk: ...
    def __enter__(self) -> Dump: ...
    def __exit__(self, type: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None: ...
    def close(self) -> None: ...
    def read(self, address: int, size: int, *, physical: bool = ...) -> bytes: ...

def open(path: _Path | int | Sequence[_Path], *, sandbox: bool = ..., sources: int = ...,
         debuginfo: Iterable[_Path] = ...,
         progress: Callable[[str, int, int], object] | None = ...) -> Dump: ...
def to_pandas(items: Iterable[Item]) -> Any: ...
