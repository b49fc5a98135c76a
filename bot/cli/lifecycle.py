"""Commands about the life of documents: restore, publish, collect, diff, corrections."""

from typing import Annotated

import typer

from bot.app import App
from bot.cli.options import ConfigOption, DataOption, JsonOption
from bot.cli.output import print_json, say
from bot.cli.running import DONE, with_app
from bot.rendering import Json, full_document_json
from bot.scoping import find_document
from bot.settings import Loaded
from core.library.lifecycle import Collected

DocumentArgument = Annotated[str, typer.Argument(help="Id, title or file of a document.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("restore")(restore)
    app.command("publish")(publish)
    app.command("collect")(collect)


def restore(
    document: Annotated[
        str | None, typer.Argument(help="Id, title or file of a removed document; none: list them.")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Bring a removed document back within its term, or list those that can be."""

    async def work(app: App, _: Loaded) -> int:
        if document is None:
            return await _list_removed(app, json_output)
        back = await app.living.restore(document)
        if json_output:
            print_json({"restored": full_document_json(back)})
        else:
            say(f"restored {back.fields.title} ({back.file})")
        return DONE

    with_app(data, config, json_output, work)


async def _list_removed(app: App, json_output: bool) -> int:
    found = await app.living.lifecycle.withdrawn()
    if json_output:
        rows = [{**full_document_json(each), "until": until.isoformat()} for each, until in found]
        print_json({"removed": rows})
        return DONE
    for each, until in found:
        say(f"{until:%Y-%m-%d}  {each.fields.title} ({each.file}), {each.collection}: {each.id}")
    say(f"{len(found)} removed documents can be restored until the day shown")
    return DONE


def publish(
    document: DocumentArgument,
    collection: Annotated[str, typer.Option(help="Collection that gets the copy.")] = "public",
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Copy a document into another collection."""

    async def work(app: App, _: Loaded) -> int:
        known = await app.library.documents()
        found = find_document(document, [each for each in known if each.collection != collection] or known)
        copy = await app.publishing.publish(found, collection)
        if json_output:
            print_json({"published": full_document_json(copy)})
        else:
            say(f"published {copy.fields.title} in {collection}: {copy.id}")
        return DONE

    with_app(data, config, json_output, work)


def collect(
    optimise: Annotated[
        bool, typer.Option("--optimise", help="Build the indexes anew afterwards; gives space back.")
    ] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Delete for good what is over: removed documents, old versions, what interrupted work left behind."""

    async def work(app: App, _: Loaded) -> int:
        found = await app.living.collect()
        built = await app.living.lifecycle.optimise() if optimise else ()
        if json_output:
            print_json(collected_json(found, built))
            return DONE
        say(
            f"deleted: {len(found.documents)} removed documents, {found.superseded} old versions, "
            f"{found.unfinished} unfinished ones, {found.orphans} that only the index knew"
        )
        if built:
            say(f"built anew: the index of {', '.join(built)}")
        return DONE

    with_app(data, config, json_output, work)


def collected_json(found: Collected, optimised: tuple[str, ...]) -> Json:
    """What a collection took away."""
    return {
        "documents": [full_document_json(document) for document in found.documents],
        "superseded": found.superseded,
        "unfinished": found.unfinished,
        "orphans": found.orphans,
        "optimised": list(optimised),
    }
