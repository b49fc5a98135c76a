"""The tools' arguments, from which their JSON Schemas are made."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.library.scoping import ScopeOptions

LONGEST = 100_000
"""Maximum characters of a text; services bound questions and quotes further."""

MOST_HITS = 50

Words = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Name = Annotated[str, Field(min_length=1, max_length=300)]
Names = Annotated[tuple[Name, ...], Field(max_length=50)]


class Arguments(BaseModel):
    """Arguments of a tool; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Scoped(Arguments):
    """Arguments that narrow where the words may come from."""

    jurisdiction: Name | None = Field(None, description='place by name or code, such as "de-nw"')
    parties: Names = Field((), description="only documents of these parties")
    documents: Names = Field((), description="only these documents, by title, id or file name")
    type: Name | None = Field(None, description='only this type, such as "manifesto" or "act"')
    as_of: date | None = Field(None, description="what was valid on that day (YYYY-MM-DD)")

    def options(self, collections: tuple[str, ...]) -> ScopeOptions:
        """The scope within `collections`."""
        return ScopeOptions(
            jurisdiction=self.jurisdiction,
            parties=self.parties,
            collections=collections,
            documents=self.documents,
            doc_type=self.type,
            as_of=self.as_of,
            configured=True,
        )


class Search(Scoped):
    """Arguments of `search`."""

    question: Words = Field(description="a question or topic, in the language of the documents if possible")
    k: int = Field(10, ge=1, le=MOST_HITS, description="how many passages")


class Ask(Scoped):
    """Arguments of `ask`."""

    question: Words = Field(description="one whole question, as a person would ask it")


class Verify(Scoped):
    """Arguments of `verify`."""

    quote: Words = Field(description="the alleged quote, without the quotation marks round it")
    claimed_party: Name | None = Field(None, description="the party or place it is said to be from")
    claimed_document: Name | None = Field(None, description="the document it is said to stand in")
    claimed_page: int | None = Field(None, ge=1, le=1_000_000, description="the page it is said to be on")


class Page(Arguments):
    """Arguments of `page`."""

    document: Name = Field(description="id, title or file name, as in the other tools' results")
    page: int = Field(ge=1, le=1_000_000, description="PDF page, counted from 1")
    quote: Words | None = Field(None, description="words to highlight on it")
    form: Literal["picture", "pdf", "both"] = Field("picture", description="how the page comes")


class Compare(Arguments):
    """Arguments of `compare`."""

    question: Words = Field(description="the topic on which they are compared")
    parties: Names = Field((), description="parties to compare; none: all of one election")
    jurisdictions: Names = Field((), description="places to compare, or one place to narrow to")
    as_of: date | None = Field(None, description="what was valid on that day (YYYY-MM-DD)")


class Documents(Arguments):
    """Arguments of `documents`."""

    jurisdiction: Name | None = None
    parties: Names = ()
    type: Name | None = None
    as_of: date | None = None

    def options(self, collections: tuple[str, ...]) -> ScopeOptions:
        """The scope within `collections`."""
        narrowed = Scoped(
            jurisdiction=self.jurisdiction, parties=self.parties, type=self.type, as_of=self.as_of
        )
        return narrowed.options(collections)
