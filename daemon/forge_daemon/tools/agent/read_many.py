"""The tool `read_many` of toolset `agent`."""

from forge_daemon.reading.sources.source import Progress
from forge_daemon.requests.request import WorkerRequest
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.reader import Reader
from forge_protocol.agent_tools import AGENT_READ_MANY_DEFINITION, AgentReadManyArguments
from forge_protocol.errors import ErrorCode, ReadError

from .answer import Answer, Image
from .page import MAX_BYTES, Limits
from .read import MAX_IMAGE_BYTES, read_within

MAX_TOTAL_BYTES = 96 * 1024
LEAST_BYTES = 1024
"""With less left nothing more is begun."""


def read_many(reader: Reader, arguments: AgentReadManyArguments, progress: Progress) -> Answer:
    texts: list[str] = []
    images: list[Image] = []
    left = MAX_TOTAL_BYTES
    for wanted in arguments.files:
        if left < LEAST_BYTES:
            texts.append(f"[{wanted.path}: not read, the answer is full; ask for it again]")
            continue
        try:
            answer = read_within(reader, wanted, Limits(bytes=min(left, MAX_BYTES)), progress)
        except ReadError as error:
            if error.code == ErrorCode.CANCELLED:
                raise
            texts.append(f"[{error.at(reader.name_of(wanted.path))}{f'; {error.hint}' if error.hint else ''}]")
            continue
        texts.append(answer)
        left -= answer.content_bytes
        if sum(len(image.data) for image in (*images, *answer.images)) <= MAX_IMAGE_BYTES:
            images += answer.images
    return Answer.of(texts, images=images)


AGENT_READ_MANY = Tool(AGENT_READ_MANY_DEFINITION, AgentReadManyArguments, WorkerRequest(read_many))
