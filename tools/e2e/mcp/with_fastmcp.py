"""FastMCP's client against engram, over stdio or http.

    with_fastmcp.py stdio engram mcp
    with_fastmcp.py http URL TOKEN
"""

import asyncio
import os
import sys

from exercise import exercise, read
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport


def transport(way, given):
    if way == "stdio":
        return StdioTransport(command=given[0], args=given[1:], env=dict(os.environ), cwd=os.getcwd())
    return StreamableHttpTransport(given[0], headers={"Authorization": f"Bearer {given[1]}"})


async def main(way, given):
    async with Client(transport(way, given)) as client:
        offered = await client.list_tools()

        async def call(name, arguments):
            answer = await client.call_tool(name, arguments)
            return read(answer.structured_content, [block.text for block in answer.content if getattr(block, "text", None)])

        print(f"{way}: {await exercise(way, [tool.name for tool in offered], call)}")


asyncio.run(main(sys.argv[1], sys.argv[2:]))
