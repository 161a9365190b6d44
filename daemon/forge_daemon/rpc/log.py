"""The daemon's log: on stderr or in a file. It never holds file contents, parameters or absolute paths.

Logging never blocks. A thread writes; what it cannot write in time, because nobody reads the pipe, is dropped.
"""

import logging
import queue
import sys
import time
from collections import Counter
from logging.handlers import QueueHandler, QueueListener

from forge_daemon import __version__

logger = logging.getLogger(__name__)

MAX_WAITING = 1000
MAX_EQUAL = 50
"""Records of one line of code within EQUAL_SECONDS."""
EQUAL_SECONDS = 60.0
FLUSH_SECONDS = 0.3

_records: "queue.Queue[logging.LogRecord]" = queue.Queue(MAX_WAITING)


class EqualLimit(logging.Filter):
    """Drops what one line of code logs too often."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Counter[tuple[str, int]] = Counter()
        self._until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now > self._until:
            self._counts.clear()
            self._until = now + EQUAL_SECONDS
        if record.levelno < logging.INFO:
            return True
        self._counts[record.pathname, record.lineno] += 1
        return self._counts[record.pathname, record.lineno] <= MAX_EQUAL


class DroppingHandler(QueueHandler):
    """Counts what does not fit into the queue."""

    dropped = 0

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            if self.dropped:
                message = f"{self.dropped} log messages were dropped: nobody reads the log"
                self.queue.put_nowait(logging.makeLogRecord(record.__dict__ | {"msg": message, "args": None}))
                self.dropped = 0
            self.queue.put_nowait(record)
        except queue.Full:
            self.dropped += 1


def start_log(log_file: str | None, log_level: str, protocol: str) -> None:
    writer = logging.StreamHandler() if log_file is None else logging.FileHandler(log_file, encoding="utf-8")
    writer.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler = DroppingHandler(_records)
    handler.setFormatter(logging.Formatter("%(message)s"))  # the rest is added where it is written
    handler.addFilter(EqualLimit())
    logging.basicConfig(level=log_level.upper(), handlers=[handler])
    QueueListener(_records, writer).start()
    major, minor = sys.version_info[:2]
    logger.info("forge-read %s starts: %s, Python %d.%d on %s", __version__, protocol, major, minor, sys.platform)


def flush() -> None:
    """Wait a moment for what is still to be written."""
    deadline = time.monotonic() + FLUSH_SECONDS
    while _records.unfinished_tasks and time.monotonic() < deadline:
        time.sleep(0.005)
