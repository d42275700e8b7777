"""Python's own client of the protocol against engram, over stdio or http.

    with_mcp.py stdio engram mcp
    with_mcp.py http URL TOKEN
"""

import asyncio
import contextlib
import os
import sys

from exercise import exercise, read
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


@contextlib.asynccontextmanager
async def streams(way, given):
    if way == "stdio":
        parameters = StdioServerParameters(command=given[0], args=given[1:], env=dict(os.environ), cwd=os.getcwd())
        async with stdio_client(parameters) as pair:
            yield pair
    else:
        headers = {"Authorization": f"Bearer {given[1]}"}
        async with create_mcp_http_client(headers=headers) as web:
            async with streamable_http_client(given[0], http_client=web) as found:
                yield found[0], found[1]


async def main(way, given):
    async with streams(way, given) as (reading, writing), ClientSession(reading, writing) as session:
        welcome = await session.initialize()
        offered = await session.list_tools()

        async def call(name, arguments):
            answer = await session.call_tool(name, arguments)
            texts = [block.text for block in answer.content if getattr(block, "text", None)]
            failed = getattr(answer, "is_error", None) or getattr(answer, "isError", False)
            assert not failed, f"{name}: {' '.join(texts)}"
            structured = getattr(answer, "structured_content", None) or getattr(answer, "structuredContent", None)
            return read(structured, texts)

        seen = await exercise(way, [tool.name for tool in offered.tools], call)
        revision = getattr(welcome, "protocol_version", None) or getattr(welcome, "protocolVersion", "?")
        print(f"{way} ({revision}): {seen}")


asyncio.run(main(sys.argv[1], sys.argv[2:]))
