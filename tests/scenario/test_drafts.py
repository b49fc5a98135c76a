"""`fundstelle check` on the example library: drafts in every format, with right and wrong quotations."""

import io
import zipfile
from pathlib import Path

import docx
import pymupdf
import pytest

from tests.scenario.conftest import Run, run

ARTICLE = """# Was Parteien versprechen

Schon 2021 schrieb die Uferpartei auf Seite 1: „Beifall allein bezahlt keine Miete.“ Das „Respektgeld“ war das
noch nicht. Weiter heißt es: „Die Grundsicherung für Kinder fassen wir aus sieben verschiedenen Leistungen zu
einer zusammen.“

„Den Ausstieg aus der Kohle wollen wir bis 2038 schaffen“, sagt die Uferpartei (Programm 2021, S. 2).

Die Windmüller versprechen: „Valdorien soll bis 2045 klimaneutral werden.“

Im Programm „Neue Ufer“ heißt es:

> Plastiktüten verschwinden aus dem Handel, Mehrwegbecher werden Pflicht.

Auf Seite 9 des Programms der Uferpartei von 2021 steht, dass Mehrwegbecher Pflicht werden.
"""

VERDICTS = ["verbatim", "verbatim", "altered", "misattributed", "verbatim"]


def verdicts(document: dict) -> list[str | None]:  # type: ignore[type-arg]
    return [item["verdict"] for item in document["items"]]


def test_a_text(command: Run, tmp_path: Path) -> None:
    file, out = tmp_path / "article.md", tmp_path / "report.md"
    file.write_text(ARTICLE, encoding="utf-8")
    status, found = command("check", str(file), "--out", str(out))
    assert (status, verdicts(found)[:5]) == (1, VERDICTS)
    assert [item["kind"] for item in found["items"]] == ["quotation"] * 5 + ["statement"]
    assert (found["stands"], found["omitted"], found["annotated"]) == (False, 0, str(out))
    assert found["items"][3]["check"]["claimed"]["parties"] == ["Bund der Windmüller"]
    report = out.read_text(encoding="utf-8")
    assert report.index("Beifall allein") < report.index("bis 2038 schaffen") < report.index("Plastiktüten")
    assert "2038 → 2034" in report


def test_standard_input_with_right_quotations_only(data: Path) -> None:
    text = "Die Uferpartei schreibt: „Beifall allein bezahlt keine Miete.“ Das „Respektgeld“ fehlt."
    status, said, _ = run(data, "check", "-", stdin=text)
    assert status == 0
    assert "Beifall allein bezahlt keine Miete." in said


def test_a_word_file_gets_comments(command: Run, tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Schon 2021 schrieb die Uferpartei: ")
    paragraph.add_run("„Beifall allein ").bold = True
    paragraph.add_run("bezahlt keine Miete.“ Gut.")
    document.add_paragraph("Weiter heißt es im Programm der Uferpartei von 2021:")
    document.add_paragraph("Plastiktüten bleiben im Handel, Mehrwegbecher werden Pflicht.", style="Quote")
    file, out = tmp_path / "rede.docx", tmp_path / "out.docx"
    document.save(str(file))
    _, found = command("check", str(file), "--out", str(out))
    assert verdicts(found) == ["verbatim", "altered"]
    made = docx.Document(str(out))
    assert [comment.author for comment in made.comments] == ["Fundstelle", "Fundstelle"]
    first, second = made.comments
    assert "bleiben im Handel" not in first.text
    assert "verschwinden aus dem" in second.text
    assert [each.text for each in made.paragraphs] == [each.text for each in document.paragraphs]
    body = zipfile.ZipFile(io.BytesIO(out.read_bytes())).read("word/document.xml").decode()
    begins, ends = body.index('commentRangeStart w:id="0"'), body.index('commentRangeEnd w:id="0"')
    assert "Beifall allein" in body[begins:ends]
    assert "Gut." not in body[begins:ends]
    assert "<w:b/>" in body[begins:ends]  # the run that was cut keeps its look


def test_a_pdf_gets_notes(command: Run, tmp_path: Path) -> None:
    file, out = tmp_path / "rede.pdf", tmp_path / "out.pdf"
    story = pymupdf.Story(
        "<p>Die Uferpartei schreibt: „Beifall allein bezahlt keine Miete.“ Dann aber: „Den Ausstieg aus der "
        "Kohle wollen wir bis 2038 schaffen.“</p>"
    )
    writer = pymupdf.DocumentWriter(str(file))
    device = writer.begin_page(pymupdf.paper_rect("a5"))
    story.place(pymupdf.Rect(40, 40, 380, 500))
    story.draw(device)
    writer.end_page()
    writer.close()
    _, found = command("check", str(file), "--out", str(out))
    assert verdicts(found) == ["verbatim", "altered"]
    with pymupdf.open(out) as made:
        page = made[0]
        notes = list(page.annots())
        assert [note.type[1] for note in notes] == ["Highlight", "Highlight"]
        assert "2038 → 2034" in notes[1].info["content"]
        assert notes[0].colors != notes[1].colors
        assert "Beifall" in page.get_textbox(notes[0].rect)


@pytest.mark.parametrize("name", ["missing.md", "empty.md", "noise.pdf"])
def test_what_cannot_be_read(command: Run, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    if name != "missing.md":
        file.write_bytes(b"" if name == "empty.md" else b"%PDF-1.7 noise")
    status, found = command("check", str(file))
    assert status in (1, 2)
    assert found["error"]["message"]


def test_what_is_written_replaces_no_text_and_is_what_its_name_says(command: Run, tmp_path: Path) -> None:
    file, link = tmp_path / "rede.md", tmp_path / "link.md"
    file.write_text(ARTICLE, encoding="utf-8")
    link.symlink_to(file)
    for out in (file, link, tmp_path / "rede.docx"):
        status, found = command("check", str(file), "--out", str(out))
        assert (status, found["error"]["code"]) == (3, "out.unwritable")
    assert file.read_text(encoding="utf-8") == ARTICLE


def test_staff_send_a_file_beside_the_command(data: Path, tmp_path: Path) -> None:
    settings, file, out = tmp_path / "settings.toml", tmp_path / "rede.md", tmp_path / "out"
    settings.write_text(
        '[[chat]]\nplatform = "console"\nid = "staff"\naudience = "staff"\ncollections = ["public"]\n'
        'upload_to = "public"\n[[role]]\nplatform = "console"\nuser = "console"\nrole = "staff"\n',
        encoding="utf-8",
    )
    file.write_text("Die Uferpartei schreibt: „Beifall allein bezahlt keine Miete.“", encoding="utf-8")
    options = ("chat", "--chat", "staff", "--config", str(settings), "--out", str(out))
    _, said, _ = run(data, *options, stdin=f"/upload {file} /check\n/documents\n/quit\n")
    assert "Neue Ufer" in said.partition("rede-checked.md")[0]
    assert "rede.md" not in said.replace("rede-checked.md", "")
    (report,) = out.rglob("*.md")
    assert "Beifall allein" in report.read_text(encoding="utf-8")
