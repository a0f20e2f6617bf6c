"""The least server on the official Python SDK: one tool that answers with a text."""

from mcp.server import MCPServer

server = MCPServer("minimal")


@server.tool()
def get_clipboard() -> str:
    """Reads the text on the clipboard."""
    return "nothing"


server.run("stdio")
