"""Summaries as JSON-ready dictionaries."""

from bot.presentation.presenter import Presenter
from bot.presentation.result_json import Json, citation_json, document_json, missing_json, scope_json
from bot.presentation.summary_texts import ListedSummary, ShownSummary, SummaryPresenter, change_text
from core.answering.extractive.confidence import level
from core.domain.summaries import Summary, Topic


def summary_json(shown: ShownSummary, presenter: Presenter) -> Json:
    """Result of `summary new` and `summary show`."""
    summary = shown.summary
    kept = summary if isinstance(summary, Summary) else None
    texts = presenter.texts(summary.language)
    return {
        "id": kept.id if kept else None,
        "number": kept.number if kept else None,
        "topic": topic_json(summary.topic),
        "scope": scope_json(summary.scope),
        "made_at": summary.made_at.isoformat(),
        "stale": bool(shown.changes),
        "changes": [
            {
                "kind": each.kind.value,
                "document": document_json(each.document),
                "labels": list(each.labels),
                "text": change_text(each, texts),
            }
            for each in shown.changes
        ],
        "text": "\n\n".join(SummaryPresenter(presenter).blocks(shown, texts)),
        "claims": [{"text": claim.text, "labels": list(claim.labels)} for claim in summary.claims],
        "citations": [citation_json(item, shown.attached.get(item.label)) for item in summary.citations],
        "missing": missing_json(summary.missing),
        "confidence": round(summary.confidence, 3),
        "confidence_level": level(summary.confidence),
        "notices": [
            {"key": item.key, "text": presenter.notice(item, texts), "labels": list(item.labels)}
            for item in summary.notices
        ],
        "rejected": [{"what": item.what, "text": item.text, "why": item.why} for item in summary.rejected],
        "answerer": summary.answerer,
        "prompt": summary.prompt,
    }


def listed_json(item: ListedSummary) -> Json:
    """An entry of `summary list`."""
    entry = item.entry
    return {
        "id": entry.id,
        "number": entry.number,
        "topic": topic_json(entry.topic),
        "scope": scope_json(entry.scope),
        "made_at": entry.made_at.isoformat(),
        "answerer": entry.answerer,
        "versions": list(entry.versions),
        "stale": item.stale,
    }


def topic_json(topic: Topic) -> Json:
    """A topic: its name and the scope that it was given."""
    return {"name": topic.name, "scope": scope_json(topic.scope)}
