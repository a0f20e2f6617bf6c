"""Checks one reply of the first interface.

Usage: expect.py REPLY_FILE result ID CONTENT    the call succeeded with exactly this content (JSON)
       expect.py REPLY_FILE json ID MEMBERS      it succeeded with one text: JSON with at least these members
       expect.py REPLY_FILE logs ID TEXT         it succeeded with log lines, and the text stands in them
       expect.py REPLY_FILE tree ID ROOT         it succeeded with a tree whose first root is this (JSON, without id)
       expect.py REPLY_FILE labels ID LABEL...   it succeeded with a tree in which these texts or descriptions stand
       expect.py REPLY_FILE image ID WIDTHxHEIGHT it succeeded with a JPEG of this size
       expect.py REPLY_FILE error ID CODE TEXT   it failed with this code and a message that holds the text
"""

import base64
import json
import sys

# The members of a node in the order of the reference.
MEMBERS = (
    "id className text contentDescription resourceId bounds clickable longClickable focusable scrollable editable "
    "enabled visible children"
).split()


def walk(nodes):
    for node in nodes:
        assert list(node) == MEMBERS, node
        assert list(node["bounds"]) == ["left", "top", "right", "bottom"], node
        yield node
        yield from walk(node["children"])


def size_of_jpeg(file):
    frame = file.index(b"\xff\xc0")
    number = lambda at: int.from_bytes(file[frame + at : frame + at + 2], "big")
    return number(7), number(5)


def one_text(content):
    (item,) = content
    assert list(item) == ["type", "text"] and item["type"] == "text", item
    return item["text"]


path, kind, number, *wanted = sys.argv[1:]
reply = json.load(open(path, encoding="utf-8"))
assert reply["jsonrpc"] == "2.0" and reply["id"] == json.loads(number), reply

if kind == "error":
    assert list(reply) == ["jsonrpc", "id", "error"], reply
    code, text = wanted
    assert reply["error"]["code"] == int(code) and text in reply["error"]["message"], reply
    sys.exit()

assert list(reply) == ["jsonrpc", "id", "result"], reply
# Beside the content there is only what marks it as untrusted, or says how it was done.
assert set(reply["result"]) - {"_meta"} == {"content"}, reply
content = reply["result"]["content"]

if kind == "result":
    assert content == json.loads(wanted[0]), f"got {content!r}, wanted {wanted[0]}"
elif kind == "json":
    got = json.loads(one_text(content))
    for member, value in json.loads(wanted[0]).items():
        assert got[member] == value, f"{member} is {got[member]!r}, wanted {value!r}"
elif kind == "logs":
    got = json.loads(one_text(content))
    assert list(got) == ["logs", "line_count", "truncated"], list(got)
    assert got["line_count"] == len(got["logs"].splitlines()) > 0, got
    assert wanted[0] in got["logs"], got
elif kind == "tree":
    tree = json.loads(one_text(content))
    assert list(tree) == ["nodes"], list(tree)
    nodes = list(walk(tree["nodes"]))
    assert len({node["id"] for node in nodes}) == len(nodes), "an id stands twice"
    root = {member: value for member, value in nodes[0].items() if member not in ("id", "children")}
    assert root == json.loads(wanted[0]), root
elif kind == "labels":
    nodes = list(walk(json.loads(one_text(content))["nodes"]))
    labels = {node[member] for node in nodes for member in ("text", "contentDescription")}
    missing = set(wanted) - labels
    assert not missing, f"{missing} missing among {labels}"
elif kind == "image":
    (item,) = content
    assert list(item) == ["type", "data", "mimeType", "width", "height"], list(item)
    assert (item["type"], item["mimeType"]) == ("image", "image/jpeg"), item
    size = item["width"], item["height"]
    assert "{}x{}".format(*size) == wanted[0], size
    assert size_of_jpeg(base64.b64decode(item["data"], validate=True)) == size
else:
    sys.exit(f"unknown kind {kind!r}")
