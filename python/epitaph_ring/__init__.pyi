# SPDX-License-Identifier: GPL-2.0-or-later
import logging

__all__ = ["TEXT_MAX", "Event", "Handler", "open"]

TEXT_MAX: int

def open(name: str) -> None: ...

class Event:
    name: str
    def __init__(self, name: str, **fields: str) -> None: ...
    def __call__(self, **values: object) -> None: ...

class Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None: ...
