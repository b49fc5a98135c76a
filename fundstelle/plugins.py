"""The protocols that plug-ins implement, and the types they use. `docs/plugins.md` says how they are
found."""

from core.domain.contact import Contact
from core.domain.messages import (
    Attachment,
    Capabilities,
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
from core.ports.embedding import Embedder
from core.ports.models import Reranker
from core.ports.plugins import ConverterPlugin, PluginContext
from core.ports.progress import Progress

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
