"""The protocols that plug-ins implement, and the types they use. `docs/plugins.md` says how they are
found."""

from core.domain.ingestion import Progress
from core.domain.messages import (
    Attachment,
    Capabilities,
    Contact,
    Exposure,
    Finding,
    IncomingMessage,
    MessageRef,
    Outgoing,
    Recovery,
)
from core.domain.rich_text import Block
from core.domain.search import Relevance, Vector
from core.ports.chat import ChatPlatform, Inbox
from core.ports.files import ConverterPlugin, PluginContext
from core.ports.models import Embedder, Reranker

__all__ = [
    "Attachment",
    "Block",
    "Capabilities",
    "ChatPlatform",
    "Contact",
    "ConverterPlugin",
    "Embedder",
    "Exposure",
    "Finding",
    "Inbox",
    "IncomingMessage",
    "MessageRef",
    "Outgoing",
    "PluginContext",
    "Progress",
    "Recovery",
    "Relevance",
    "Reranker",
    "Vector",
]
