"""How a request is answered: inline if that cannot block, else by work off the loop."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, NamedTuple, Protocol, TypeVar

from forge_daemon.reading.sources.source import FileChanged, Progress, no_progress
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ReadError

P = TypeVar("P")
R = TypeVar("R")
P_in = TypeVar("P_in", contravariant=True)
R_out = TypeVar("R_out", covariant=True)


class Pending(NamedTuple, Generic[R_out]):
    """The rest of the work for an answer. It may block."""

    run: Callable[[Progress], R_out]


class Begins(Protocol[P_in, R_out]):
    def begin(self, reader: Reader, params: P_in) -> "R_out | Pending[R_out]":
        """Answer if that cannot block, else return the rest of the work."""


class Request(Begins[P_in, R_out], Protocol[P_in, R_out]):
    def run(self, reader: Reader, params: P_in, progress: Progress) -> R_out:
        """Answer. May block."""


class WorkerRequest(NamedTuple, Generic[P, R]):
    """A request that may always take long."""

    answer: Callable[[Reader, P, Progress], R]

    def run(self, reader: Reader, params: P, progress: Progress) -> R:
        return self.answer(reader, params, progress)

    def begin(self, reader: Reader, params: P) -> R | Pending[R]:
        return Pending(lambda progress: self.answer(reader, params, progress))


class FileJob(Protocol[R_out]):
    """What a request does with one file. Its parameters are checked before a file is opened."""

    target: Target

    def is_quick(self, file: OpenFile) -> bool:
        """Whether the answer takes no longer than a bounded read."""

    def answer(self, file: OpenFile, progress: Progress) -> R_out: ...


class HasPath(Protocol):
    path: str


PathParams = TypeVar("PathParams", bound=HasPath)


class FileRequest(NamedTuple, Generic[PathParams, R]):
    """A request about a single file. The open file is handed to the worker, so nothing is done twice."""

    job: Callable[[PathParams, Progress], FileJob[R]]
    may_block: Callable[[PathParams], bool] = lambda _params: False
    """Whether to check the parameters may block."""

    def run(self, reader: Reader, params: PathParams, progress: Progress) -> R:
        with naming(reader, params.path):
            job = self.job(params, progress)
        return _open_and_answer(job, reader, progress)

    def begin(self, reader: Reader, params: PathParams) -> R | Pending[R]:
        if self.may_block(params):
            return Pending(lambda progress: self.run(reader, params, progress))
        try:
            job = self.job(params, no_progress)
        except ReadError as error:
            raise error.at(reader.name_of(params.path)) from None
        file = reader.open_inline(job.target)
        if file is None:
            return Pending(lambda progress: _open_and_answer(job, reader, progress))
        try:
            if job.is_quick(file):
                file.inline = True
                answer = job.answer(file, no_progress)
                file.close()
                return answer
        except FileChanged:
            file.inline = False  # it is read again off the loop
        except BaseException:
            file.close()
            raise
        return Pending(lambda progress: _answer_and_close(job, file, progress))


@contextmanager
def naming(reader: Reader, path: str) -> Iterator[None]:
    """Makes errors name the path that was asked for, if it may be named."""
    try:
        yield
    except ReadError as error:
        raise error.at(reader.name_of(path)) from None


def _open_and_answer(job: FileJob[R], reader: Reader, progress: Progress) -> R:
    return _answer_and_close(job, reader.open(job.target), progress)


def _answer_and_close(job: FileJob[R], file: OpenFile, progress: Progress) -> R:
    with file:
        return job.answer(file, progress)
