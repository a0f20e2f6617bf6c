"""The least server on the official Python SDK: one tool that answers with a text.

Over stdio, or with a port over HTTP without sessions.
"""

import socket
import sys

from mcp.server import MCPServer

server = MCPServer("minimal", log_level="ERROR")


@server.tool()
def get_clipboard() -> str:
    """Reads the text on the clipboard."""
    return "nothing"


if len(sys.argv) == 1:
    server.run("stdio")
else:
    port = int(sys.argv[1])
    if port == 0:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
    print(f"http://127.0.0.1:{port}/mcp", flush=True)
    server.run("streamable-http", host="127.0.0.1", port=port, stateless_http=True, json_response=True)
