"""What MCP clients and the MCP registry read: an .mcpb bundle a platform, and server.json."""

import hashlib
import json

from common import DESCRIPTION, LICENCE, MCP_NAME, REGISTRY_NAME, REPOSITORY, VERSION, File, Platform, documents, text, zip_file

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
# The registry takes no longer ones.
LONGEST_DESCRIPTION = 100


def bundle(platform: Platform, binary: bytes) -> tuple[str, bytes]:
    """A bundle that a desktop client installs with a click. It serves what the user chooses, the demo phone at first."""
    manifest = {
        "manifest_version": "0.3",
        "name": "fingertip",
        "display_name": "Fingertip",
        "version": VERSION,
        "description": DESCRIPTION,
        "author": {"name": "The authors of Fingertip"},
        "license": LICENCE,
        "server": {
            "type": "binary",
            "entry_point": "server/fingertip",
            "mcp_config": {
                "command": "${__dirname}/server/fingertip",
                "args": ["stdio", "--target", "${user_config.target}"],
                "env": {},
            },
        },
        "user_config": {
            "target": {
                "type": "string",
                "title": "Target",
                "description": "What to serve: demo (a phone inside the program), android, or desktop",
                "default": "demo",
                "required": True,
            }
        },
        "compatibility": {"platforms": [platform.node.split("-")[0]]},
    }
    files = [
        text("manifest.json", json.dumps(manifest, indent=2) + "\n"),
        File("server/fingertip", binary, executable=True),
        *documents(),
    ]
    return f"fingertip-{VERSION}-{platform.name}.mcpb", zip_file(files)


def server_json(bundles: dict[str, bytes]) -> tuple[str, bytes]:
    """The entry of the MCP registry. A bundle's address is where a release of the repository has it."""
    assert len(DESCRIPTION) <= LONGEST_DESCRIPTION, DESCRIPTION
    packages = [
        {"registryType": "npm", "identifier": REGISTRY_NAME, "version": VERSION, "transport": {"type": "stdio"}, "packageArguments": [{"type": "positional", "value": "stdio"}]},
        {"registryType": "pypi", "identifier": REGISTRY_NAME, "version": VERSION, "transport": {"type": "stdio"}, "packageArguments": [{"type": "positional", "value": "stdio"}]},
    ]
    for name, content in bundles.items():
        packages.append({
            "registryType": "mcpb",
            "identifier": f"{REPOSITORY}/releases/download/v{VERSION}/{name}",
            "version": VERSION,
            "fileSha256": hashlib.sha256(content).hexdigest(),
            "transport": {"type": "stdio"},
        })
    entry = {
        "$schema": SCHEMA,
        "name": MCP_NAME,
        "description": DESCRIPTION,
        "version": VERSION,
        "repository": {"url": REPOSITORY, "source": "github"},
        "packages": packages,
    }
    return "server.json", (json.dumps(entry, indent=2) + "\n").encode()
