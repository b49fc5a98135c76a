"""`fundstelle mcp` as a process that does the work itself, on the example library."""

from pathlib import Path

from mcp import Client, StdioServerParameters

from tests.support.calls import environment
from tests.support.served import FUNDSTELLE


async def test_an_assistant_quotes_and_checks(data: Path) -> None:
    command = StdioServerParameters(
        command=str(FUNDSTELLE), args=["mcp", "--data", str(data)], env=environment()
    )
    async with Client(command, read_timeout_seconds=110) as client:
        asked = await client.call_tool("ask", {"question": "Was fordert die Uferpartei zum Mindestlohn?"})
        quote = asked.structured_content["citations"][0]["quote"]
        assert f'verbatim: "{quote}"' in asked.content[0].text
        checked = await client.call_tool("verify", {"quote": quote, "claimed_party": "Uferpartei"})
        assert checked.structured_content["verdict"] == "verbatim"
