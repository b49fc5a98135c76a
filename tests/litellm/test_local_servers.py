"""The names of local servers in the operators' page are names that LiteLLM knows."""

import re
from pathlib import Path

import pytest

from adapters.litellm.package import load

PAGE = Path(__file__).parents[2] / "docs" / "operators" / "connect.md"
ROW = re.compile(r"^\| (llama\.cpp|Ollama|vLLM) \|[^|]*\|[^|`]*`([a-z_]+)/", re.MULTILINE)


@pytest.mark.parametrize("server", ["llama.cpp", "Ollama", "vLLM"])
def test_the_provider_is_known_and_takes_a_schema(server: str) -> None:
    provider = dict(ROW.findall(PAGE.read_text(encoding="utf-8")))[server]
    litellm = load()
    assert litellm.get_llm_provider(f"{provider}/x", api_base="http://127.0.0.1:1")[1] == provider
    known = litellm.get_supported_openai_params(model="x", custom_llm_provider=provider)
    assert "response_format" in known
