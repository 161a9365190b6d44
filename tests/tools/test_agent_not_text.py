"""What is not text: notebooks, images, logs with NULs."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.tools import AgentToolkit, Answer, Image, ToolCatalog
from forge_daemon.tools.toolkit import call_tool
from forge_daemon.workspace.reader import Reader
from forge_protocol.tools import ToolsCallParams
from tests.tools.agent_calls import Call
from tests.tools.refusals import refusal


def notebook(*cells: dict[str, Any]) -> str:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def code(source: str | list[str], *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": outputs, "execution_count": 1}


class TestNotebook:
    def test_a_notebook_is_read_as_its_cells(self, call: Call, workspace: Path) -> None:
        picture = {"output_type": "display_data", "data": {"image/png": "A" * 9_000, "text/plain": ["<Figure>"]}}
        stream = {"output_type": "stream", "name": "stdout", "text": ["loaded\n"]}
        error = {"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": ["\x1b[0;31mlong"]}
        (workspace / "a.ipynb").write_text(
            notebook(
                {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "text"]},
                code("frame = load()\n", stream),
                code(["frame.plot()"], picture, error),
            )
        )
        header, *text = call("read", path="a.ipynb").split("\n")
        assert header == "[a.ipynb 1-14/14 notebook as cells, encoding raw: its JSON]"
        assert [line.partition("\t")[2] for line in text] == [
            *("[cell 1 markdown]", "# Title", "text"),
            *("[cell 2 code]", "frame = load()", "[output]", "loaded"),
            *("[cell 3 code]", "frame.plot()", "[picture png]", "[output]", "<Figure>", "[error]", "KeyError: 'x'"),
        ]

    def test_lines_and_matches_are_counted_in_cells(self, call: Call, workspace: Path) -> None:
        (workspace / "a.ipynb").write_text(notebook(code("one"), code("two")))
        assert call("find", path="a.ipynb", pattern="two", context=0).split("\n")[1] == "4:\ttwo"
        assert call("read", path="a.ipynb", start_line=4, limit=1).endswith("\n4\ttwo")

    def test_raw_is_the_file(self, call: Call, workspace: Path) -> None:
        (workspace / "a.ipynb").write_text(notebook(code("one")))
        assert call("read", path="a.ipynb", encoding="raw").startswith("[a.ipynb 1-14/14]\n1\t{\n")
        assert '"one"' in call("find", path="a.ipynb", pattern='"one"', encoding="raw")
        (workspace / "a.txt").write_text("x\n")
        assert call("read", path="a.txt", encoding="raw") == "[a.txt 1-1/1]\n1\tx"

    def test_long_outputs_are_shown_in_short(self, call: Call, workspace: Path) -> None:
        stream = {"output_type": "stream", "text": "".join(f"{number}\n" for number in range(1_000))}
        (workspace / "a.ipynb").write_text(notebook(code("run()", stream)))
        answer = call("read", path="a.ipynb").split("\n")
        assert len(answer) == 15
        assert answer[-1].endswith("\t[output: 3,870 more characters]")

    @pytest.mark.parametrize(
        "content", ["{", "[]", '{"cells": 5}', '{"cells": [{"source": 5}]}', '{"cells": [[]]}', ""]
    )
    def test_what_is_no_notebook_is_read_as_it_is(self, call: Call, workspace: Path, content: str) -> None:
        (workspace / "a.ipynb").write_text(content)
        answer = call("read", path="a.ipynb")
        assert "cells" not in answer.split("\n")[0]
        assert content in answer

    def test_a_notebook_without_cells_says_so(self, call: Call, workspace: Path) -> None:
        (workspace / "a.ipynb").write_text(notebook())
        assert call("read", path="a.ipynb").endswith("\n1\t[no cells]")


def png(width: int = 1, height: int = 1, rest: int = 8) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + bytes(rest)


def jpeg(width: int, height: int) -> bytes:
    exif = b"\xff\xe1" + struct.pack(">H", 2 + 70_000 % 65_000) + bytes(70_000 % 65_000)
    return b"\xff\xd8\xff" + exif[1:] + b"\xff\xff\xc2" + struct.pack(">HBHH", 11, 8, height, width) + bytes(9)


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + bytes(9)


def webp(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + size + bytes(9)


class TestImage:
    @pytest.mark.parametrize(
        ("content", "kind"),
        [(png(640, 480), "png"), (jpeg(640, 480), "jpeg"), (gif(640, 480), "gif"), (webp(640, 480), "webp")],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_an_image_comes_along(self, toolkit: AgentToolkit, workspace: Path, content: bytes, kind: str) -> None:
        (workspace / "dot").write_bytes(content)
        answer = toolkit.call("read", {"path": "dot"}, toolset="agent")
        assert isinstance(answer, Answer)
        assert answer.startswith(f"[dot {kind.upper()} image, 640x480 pixels, ")
        assert answer.endswith("; attached]")
        assert answer.images == (Image(content, f"image/{kind}"),)

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (b"BM" + bytes(60), "only PNG, JPEG, GIF and WebP can be"),
            (b"II*\0" + bytes(60), "only PNG, JPEG, GIF and WebP can be"),
            (png(rest=4_000_000), "larger than 3.75 MiB"),
            (png(8_001, 5), "more than 8,000 pixels a side"),
            (jpeg(5, 9_000), "more than 8,000 pixels a side"),
            (png()[:20], "it is damaged"),
            (gif(0, 1), "it is damaged"),
            (b"\xff\xd8\xff" + bytes(40), "it is damaged"),
            (webp(5, 5)[:25], "it is damaged"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_why_it_does_not_come_along(self, toolkit: AgentToolkit, workspace: Path, content: bytes, why: str) -> None:
        (workspace / "dot").write_bytes(content)
        answer = toolkit.call("read", {"path": "dot"}, toolset="agent")
        assert answer.endswith(f"; not attached: {why}]")
        assert answer.images == ()

    def test_together_they_are_no_larger_than_one_may_be(self, toolkit: AgentToolkit, workspace: Path) -> None:
        for name in ("a.png", "b.png", "c.png"):
            (workspace / name).write_bytes(png(rest=1_500_000))
        files = [{"path": "a.png"}, {"path": "b.png"}, {"path": "c.png"}]
        answer = toolkit.call("read_many", {"files": files}, toolset="agent")
        assert len(answer.images) == 2
        assert answer.split("\n")[1].endswith("; attached]")
        assert answer.split("\n")[2].endswith("; not attached: no room beside the others, read it alone]")

    def test_a_command_sends_text_alone_and_says_so(self, reader: Reader, workspace: Path) -> None:
        (workspace / "a.png").write_bytes(png())
        params = ToolsCallParams(name="read", arguments={"path": "a.png"}, toolset="agent")
        answer = call_tool(reader, params, lambda *_: None)
        assert answer == "[a.png PNG image, 1x1 pixels, 32 bytes; not attached: images cannot be sent here]"
        assert ToolCatalog.call("read", {"path": "a.png"}, "agent", reader).images


def test_a_log_with_nuls_is_text_where_its_encoding_is_given(call: Call, workspace: Path) -> None:
    (workspace / "a.log").write_bytes(bytes(5_000) + b"first line after copytruncate\nsecond\n")
    assert call("read", path="a.log") == "[a.log binary, 5.0 kB; it is text with NULs: give its encoding to read it]"
    answer = call("read", path="a.log", encoding="utf-8", start_line=2)
    assert answer == "[a.log 2-2/2]\n2\tsecond"
    assert "2:\tsecond" in call("find", path="a.log", pattern="second", encoding="utf-8")


@pytest.mark.parametrize("content", [b"%PDF-1.4\nword\n", b"GIF89a\nword\n", b"MZ log\nword\n\0\0\nword\n"])
def test_a_search_in_a_file_of_a_known_kind_does_not_advise_an_encoding(
    call: Call, workspace: Path, content: bytes
) -> None:
    (workspace / "a").write_bytes(content)
    for encoding in ({}, {"encoding": "utf-8"}):
        assert refusal(call, "find", path="a", pattern="word", **encoding).hint is None


def test_a_search_in_a_log_with_nuls_advises_its_encoding(call: Call, workspace: Path) -> None:
    (workspace / "a.log").write_bytes(b"first\n" + bytes(50) + b"second\n")
    assert "give its encoding" in (refusal(call, "find", path="a.log", pattern="second").hint or "")


def test_a_run_of_nuls_is_no_flood(call: Call, workspace: Path) -> None:
    (workspace / "a.log").write_bytes(b"before\n" + bytes(900_000) + b"after\n")
    answer = call("read", path="a.log", encoding="utf-8")
    assert answer.split("\n")[1:] == [
        "1\tbefore",
        "2\t[2,000 NULs]… [+898,005 bytes: start_line 2, start_column 2001]",
    ]
    assert call("read", path="a.log", encoding="utf-8", start_line=2, start_column=900_000).endswith("2\t\0after")


def test_a_picture_in_base64_is_not_text_of_a_notebook(call: Call, workspace: Path) -> None:
    data = base64.b64encode(png(rest=90_000)).decode()
    output = {"output_type": "display_data", "data": {"image/png": data}}
    (workspace / "a.ipynb").write_text(notebook(code("plot()", output)))
    assert len(call("read", path="a.ipynb")) < 150
