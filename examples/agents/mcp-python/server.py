"""A server of tools on the official SDK for Python."""
from mcp.server.mcpserver import MCPServer

server = MCPServer("files")


@server.tool()
def write_file(path: str, text: str) -> str:
    """Writes a text file."""
    with open(path, "w") as file:
        file.write(text)
    return f"wrote {len(text)} characters to {path}"


server.run()
