"""The floor: the least a Python process can do to answer JSON-RPC.

It answers every request with the parameters of the first one.
"""

import json
import sys


def main() -> None:
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    result = None
    while header := requests.readline():
        requests.readline()
        message = json.loads(requests.read(int(header.partition(b":")[2])))
        if result is None:
            result = message["params"]
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        body = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
        answers.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        answers.flush()


if __name__ == "__main__":
    main()
