"""Checks one JSON-RPC reply of a tool call.

Usage: expect.py REPLY_FILE text EXACT_TEXT        the call succeeded with this text
       expect.py REPLY_FILE json MEMBERS           it succeeded with JSON that has at least these members
       expect.py REPLY_FILE error ERROR_TYPE       the tool failed for this reason
       expect.py REPLY_FILE rpc_error CODE         the request itself was refused with this JSON-RPC code
"""

import json
import sys

path, kind, wanted = sys.argv[1:]
reply = json.load(open(path, encoding="utf-8"))
assert reply["jsonrpc"] == "2.0", reply

if kind == "rpc_error":
    assert reply["error"]["code"] == int(wanted), reply
    sys.exit()

result = reply["result"]
assert reply["id"] == 1, reply
text = result["content"][0]["text"]
if kind == "error":
    assert result["isError"] is True, reply
    assert result["structuredContent"]["error_type"] == wanted, reply
    sys.exit()

assert not result.get("isError"), reply
if kind == "text":
    assert text == wanted, f"got {text!r}, wanted {wanted!r}"
elif kind == "json":
    got = json.loads(text)
    assert got == result["structuredContent"], reply
    for member, value in json.loads(wanted).items():
        assert got[member] == value, f"{member} is {got[member]!r}, wanted {value!r}"
else:
    sys.exit(f"unknown kind {kind!r}")
