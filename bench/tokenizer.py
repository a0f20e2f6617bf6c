"""Counts tokens as models do (o200k)."""

import json
import subprocess

# Reads texts as JSON and writes how many tokens each has. A screen may show what is a special token to a model; here it is text.
COUNT = """
const { encode } = require("gpt-tokenizer/encoding/o200k_base");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => encode(text, { disallowedSpecial: new Set() }).length)));
"""


def count(texts: list[str], node: str, peers: str) -> list[int]:
    """The tokens of each text; the tokenizer is installed in `peers`."""
    counted = subprocess.run([node, "-e", COUNT], input=json.dumps(texts), text=True, capture_output=True, cwd=peers)
    assert counted.returncode == 0, counted.stderr
    return json.loads(counted.stdout)
