"""The tool `read_many` of toolset `agent`."""

from collections.abc import Sequence
from typing import Any

import attrs

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.reader import Reader
from forge_protocol.agent_tools import AGENT_DEFINITIONS, AgentReadArguments, AgentReadManyArguments
from forge_protocol.built_in import AGENT_MAX_CHARS
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .answer import Answer
from .images import MAX_IMAGE_BYTES
from .read import AGENT_READ, read_within, remember, unless_unchanged


def read_many(reader: Reader, arguments: AgentReadManyArguments, progress: Progress) -> Answer:
    files = [_arguments(reader, each) for each in arguments.files]
    answers = _within_image_limit([_read(reader, each, arguments.max_chars, progress) for each in files])
    limits = [answer.max_chars for answer in answers if answer.max_chars is not None]
    max_chars = min(limits or [arguments.max_chars or AGENT_MAX_CHARS])
    shares = fair_shares([len(answer) + 1 for answer in answers], max_chars + 1)
    for index, (wanted, share) in enumerate(zip(files, shares, strict=True)):
        if len(answers[index]) >= share:
            answers[index] = _cut(reader, wanted, share - 1, progress)
        if isinstance(wanted, AgentReadArguments):
            remember(reader, wanted, answers[index])
    return Answer.of(answers, images=[image for answer in answers for image in answer.images], max_chars=max_chars)


def fair_shares(sizes: Sequence[int], room: int) -> list[int]:
    """What each gets: all that it needs, if that is no more than an equal share of what the smaller ones leave."""
    shares = [0] * len(sizes)
    left = len(sizes)
    for index in sorted(range(len(sizes)), key=lambda index: sizes[index]):
        shares[index] = min(sizes[index], room // left)
        room, left = room - shares[index], left - 1
    return shares


def _arguments(reader: Reader, item: Any) -> AgentReadArguments | str:
    """Those of one file, or why it cannot be read with them."""
    try:
        wanted = AGENT_READ.structured(item)
        if wanted.wait:
            raise invalid_argument("wait: only the tool read can wait")
    except ReadError as error:
        path = item.get("path") if isinstance(item, dict) else None
        return str(error.at(reader.name_of(path) if isinstance(path, str) else None))
    return wanted


def _read(reader: Reader, wanted: AgentReadArguments | str, max_chars: int | None, progress: Progress) -> Answer:
    if isinstance(wanted, str):
        return Answer.of([f"[{wanted}]"], has_lines=False)
    try:
        return unless_unchanged(reader, wanted, read_within(reader, wanted, max_chars, progress))
    except ReadError as error:
        if error.code == ErrorCode.CANCELLED:
            raise
        return Answer.of([f"[{error.at(reader.name_of(wanted.path))}]"], has_lines=False)


def _cut(reader: Reader, wanted: AgentReadArguments | str, max_chars: int, progress: Progress) -> Answer:
    """Read the file again, with less room."""
    if isinstance(wanted, str):
        return Answer.of([f"[{wanted}]"[:max_chars]], has_lines=False)
    answer = _read(reader, attrs.evolve(wanted, if_changed=False), max_chars, progress)
    if len(answer) <= max_chars:
        return answer
    return Answer.of([f"[{wanted.path}: not read, the answer is full]"[:max_chars]], has_lines=False)


def _within_image_limit(answers: list[Answer]) -> list[Answer]:
    """Together they hold no more than one image may have."""
    left = MAX_IMAGE_BYTES
    for index, answer in enumerate(answers):
        size = sum(len(image.data) for image in answer.images)
        if size > left:
            answers[index] = answer.without_images("no room beside the others, read it alone")
        else:
            left -= size
    return answers


AGENT_READ_MANY = Tool(AGENT_DEFINITIONS["read_many"], AgentReadManyArguments, read_many)
