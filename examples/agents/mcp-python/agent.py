"""A client on the official SDK for Python. Its words are the command of the server: npx ghostlight mcp -- python server.py"""
import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    command, *args = sys.argv[1:]
    server = StdioServerParameters(command=command, args=args, env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        await session.list_tools()
        said = await session.call_tool("write_file", {"path": "out.txt", "text": "hello"})
        print("Done." if said.content else "It returned nothing.")


asyncio.run(main())
