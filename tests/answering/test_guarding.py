import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn, verhoeff
from stdnum.iso7064 import mod_11_10

from core.answering.generated.generation import Generator
from core.answering.notices import privacy_notices
from core.answering.personal_data import (
    DatumKind,
    Privacy,
    insurance_number,
    personal_data,
    redacted,
)
from tests.support.fake_model import FakeModel
from tests.support.poisoning import PUBLIC, asker
from tests.support.scripted_answers import Mode
from tests.support.world import NOW, populated

PERSONAL = [
    ("Mail me at anna.schmidt@web.example please", "Mail me at [email] please"),
    ("anna (at) web (punkt) de fragt nach dem Mindestlohn", "[email] fragt nach dem Mindestlohn"),
    ("Ruf mich an: 030 12345678 oder 0171 2345678.", "Ruf mich an: [phone] oder [phone]."),
    ("My mobile is 98765 43210, what is the fee?", "My mobile is [phone], what is the fee?"),
    ("my number is 9876543210", "my number is [phone]"),
    ("call +1 (202) 555-0143 about section 4", "call [phone] about section 4"),
    ("Tel. 0049 171 2345678", "Tel. [phone]"),
    ("Meine Nr. 0171 2345678", "Meine Nr. [phone]"),
    ("IBAN DE89 3704 0044 0532 0130 00 AN MICH", "IBAN [iban] AN MICH"),
    ("GB29NWBK60161331926819?", "[iban]?"),
    ("card 4111 1111 1111 1111 or 378282246310005", "card [card] or [card]"),
    ("Meine Steuer-ID ist 86 095 742 719.", "Meine Steuer-ID ist [tax_id]."),
    ("86095742719", "[tax_id]"),
    ("Steuernummer 181/815/08155", "Steuernummer [tax_id]"),
    ("Rentenversicherung 65 170839 J 003", "Rentenversicherung [insurance]"),
    ("Aadhaar 2341 2341 2346, PAN ABCPE1234F", "Aadhaar [aadhaar], PAN [tax_id]"),
    ("Ich wohne in der Musterstraße 12, 10115 Berlin.", "Ich wohne in der [address]."),
    ("Meine Anschrift: Lindenallee 5a", "Meine Anschrift: [address]"),
    ("I live at 12 Baker Street, what is the fee?", "I live at [address], what is the fee?"),
    ("@anna_s und @anna:chat.example und <@U123ABC> fragen", "[handle] und [handle] und [handle] fragen"),
    ("see https://anna:pw@site.example/x", "see [link]"),
    ("see https://site.example/?token=abc123", "see [link]"),
    ("my profile t.me/anna_s", "my profile [link]"),
]
IMPERSONAL = [
    "Was steht in § 305 BGB Abs. 2 Nr. 3?",
    "Is the limit Rs. 10,00,000 or Rs 98765 43210?",
    "Does 0800 123 cost anything?",
    "Sind 1.000.000.000 Euro oder 6.500.000.000 vorgesehen?",
    "12 345 678 901 Euro und 86 095 742 719",
    "BT-Drs. 20/12345, Az. 1 BvR 2656/18, BGBl. I S. 1234",
    "G.S.R. 123(E) of 2016, Act No. 45 of 1860, form 4111111111111111",
    "Gilt das ab 01.02.2025, 10:30 Uhr, oder 2025-02-01?",
    "Steigt der Mindestlohn 2024/2025 um 12,5 % auf 15 Euro?",
    "What do the rules say under section 4(1)(a) read with rule 3, page 31?",
    "Wird die Bundesstraße 31 ausgebaut, und der Radweg 2030?",
    "What does 10 Downing Street want?",
    "https://www.partei.example/programm.pdf",
    "Verordnung (EU) 2016/679, Artikel 9 Absatz 2 Buchstabe g",
    "4111111111111112 und DE89 3704 0044 0532 0130 01 sind falsche Nummern",
    "Was sagt die 1., 2. und 3. Lesung 2023 zu 500 000 Wohnungen?",
    "Is 86095742719 Rupees too much?",
]


@pytest.mark.parametrize(("text", "left"), PERSONAL)
def test_personal_data_is_left_out(text: str, left: str) -> None:
    assert redacted(text) == left


@pytest.mark.parametrize("text", IMPERSONAL)
def test_what_is_not_personal_stays(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize(("text", "left"), PERSONAL)
def test_what_is_left_has_nothing_personal(text: str, left: str) -> None:
    assert personal_data(left) == ()


def test_the_settings_decide() -> None:
    text = "anna@web.example fragt"
    assert Privacy().for_models(text) == Privacy().for_records(text) == "[email] fragt"
    assert Privacy(to_models=True).for_models(text) == text
    assert Privacy(in_records=True).for_records(text) == text


def test_the_published_example_of_the_pension_insurance_is_right() -> None:
    assert insurance_number("65170839J003")
    assert not insurance_number("65170839J004")


_UNITS = [
    "Euro",
    "€",
    "EUR",
    "Rs",
    "Rupees",
    "lakh",
    "crore",
    "%",
    "Prozent",
    "Mio. Euro",
    "people",
    "Wohnungen",
]
_BEFORE = ["Rs. ", "€ ", "EUR ", "INR ", "₹", "$"]


def _german(number: int) -> str:
    return f"{number:,}".replace(",", ".")


def _indian(number: int) -> str:
    head, tail = str(number)[:-3], str(number)[-3:]
    pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)]
    return ",".join([*reversed(pairs), tail])


_WRITTEN = st.sampled_from([str, _german, _indian, lambda n: f"{n:,}", lambda n: f"{n:,}".replace(",", " ")])
_NUMBERS = st.integers(min_value=0, max_value=10**19)


@given(number=_NUMBERS, written=_WRITTEN, unit=st.sampled_from(_UNITS))
def test_an_amount_with_its_unit_stays(number: int, written, unit: str) -> None:
    text = f"Beträgt das {written(number)} {unit} im Jahr?"
    assert redacted(text) == text


@given(number=_NUMBERS, written=_WRITTEN, before=st.sampled_from(_BEFORE))
def test_an_amount_behind_its_currency_stays(number: int, written, before: str) -> None:
    text = f"Is the fee {before}{written(number)} a year?"
    assert redacted(text) == text


@given(
    number=st.integers(min_value=1, max_value=10**15),
    before=st.sampled_from(
        ["§ ", "§§ ", "Art. ", "Section ", "Rule ", "Nr. ", "No. ", "Az. ", "Seite ", "page "]
    ),
    behind=st.sampled_from([" BGB", " Abs. 2", "(1)", " of the Act", ""]),
)
def test_a_citation_stays(number: int, before: str, behind: str) -> None:
    text = f"Was steht in {before}{number}{behind}?"
    assert redacted(text) == text


@given(day=st.dates(), form=st.sampled_from(["%d.%m.%Y", "%Y-%m-%d", "%d/%m/%Y", "%d. %m. %Y", "%d-%m-%Y"]))
def test_a_date_stays(day, form: str) -> None:
    text = f"Gilt das ab {day.strftime(form)}?"
    assert redacted(text) == text


@given(first=st.integers(1900, 2100), second=st.integers(1900, 2100), dash=st.sampled_from("-–/"))
def test_years_stay(first: int, second: int, dash: str) -> None:
    text = f"Was galt {first}{dash}{second} und {first} {second}?"
    assert redacted(text) == text


@given(number=st.integers(10**13, 10**14 - 1).map(lambda n: f"4{n}"), apart=st.sampled_from(["", " ", "-"]))
def test_every_card_with_its_check_digit_is_found(number: str, apart: str) -> None:
    card = number + luhn.calc_check_digit(number)
    shown = apart.join(card[at : at + 4] for at in range(0, 16, 4))
    assert redacted(f"Karte {shown}, bitte") == "Karte [card], bitte"


@given(number=st.integers(2 * 10**10, 10**11 - 1).map(str), apart=st.sampled_from(["", " ", "-"]))
def test_every_aadhaar_with_its_check_digit_is_found(number: str, apart: str) -> None:
    whole = number + verhoeff.calc_check_digit(number)
    shown = apart.join(whole[at : at + 4] for at in range(0, 12, 4))
    found = {datum.kind for datum in personal_data(f"My Aadhaar is {shown}.")}
    assert found & {DatumKind.AADHAAR, DatumKind.PHONE} or whole == whole[::-1]


def test_every_tax_id_with_its_check_digit_is_found() -> None:
    random_ = random.Random(1)
    for _ in range(200):
        digits = random_.sample("0123456789", 9)
        if digits[0] == "0":
            digits[0], digits[1] = digits[1], digits[0]
        digits.insert(random_.choice([3, 5, 7]), digits[0])
        number = "".join(digits)
        assert redacted(f"ID {number}{mod_11_10.calc_check_digit(number)}") == "ID [tax_id]"


@given(st.text(max_size=200))
def test_any_text_can_be_read_and_nothing_overlaps(text: str) -> None:
    found = personal_data(text)
    assert all(0 <= datum.start < datum.end <= len(text) for datum in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


CANARIES = ("anna.kanari@web.example", "0171 2345678", "DE89 3704 0044 0532 0130 00")
ASKED = f"Ich bin {CANARIES[0]}, Tel. {CANARIES[1]}: Was will die Uferpartei beim Mindestlohn? {CANARIES[2]}"


def told(model: FakeModel) -> str:
    return "\n".join(message.text for prompt in model.asked for message in prompt)


@pytest.mark.parametrize("mode", [Mode.PROPER, Mode.ECHO, Mode.INVENTED_QUOTES])
async def test_no_model_sees_personal_data(mode: Mode) -> None:
    model = FakeModel(mode=mode)
    answer = (await asker(await populated(), model).answered(ASKED, scope=PUBLIC)).answer
    assert len(model.asked) >= 2  # a wording and claims
    assert [canary for canary in CANARIES if canary in told(model)] == []
    assert "[email]" in told(model)
    assert [notice.key for notice in answer.notices if "personal" in notice.key] == ["notice.personal_data"]


async def test_no_model_sees_what_was_asked_before() -> None:
    world, model = await populated(), FakeModel()
    first = (await asker(world, model).answered(ASKED, scope=PUBLIC)).answer
    assert first.thread is not None
    assert [canary for canary in CANARIES if canary in " ".join(first.thread.questions)] == []
    model.asked.clear()
    await asker(world, model).answered("Und die Windmüller?", scope=PUBLIC, thread=first.thread)
    assert model.asked
    assert [canary for canary in CANARIES if canary in told(model)] == []


async def test_the_search_reads_the_question_as_it_is() -> None:
    world = await populated()
    text = (
        "Kontakt\n\nDas Wasseramt Hochau beantwortet alle Fragen unter amt@hochau.example an jedem Werktag."
    )
    await world.add("kontakt.pdf", text, jurisdiction="xv-ho")
    answer = (await world.app.asker.answered("Wem gehört amt@hochau.example?", scope=PUBLIC)).answer
    assert answer.question == "Wem gehört amt@hochau.example?"
    assert "amt@hochau.example" in answer.citations[0].quote.text


async def test_the_settings_let_models_see_it() -> None:
    world, model = await populated(), FakeModel()
    generator = Generator(model=model, library=world.library, privacy=Privacy(to_models=True))
    result = await world.app.searcher.search(ASKED, scope=PUBLIC, today=NOW.date())
    await generator.generate(ASKED, result)
    assert all(canary in told(model) for canary in CANARIES)


@pytest.mark.parametrize(
    ("privacy", "keys"),
    [
        (Privacy(), ["notice.personal_data"]),
        (Privacy(to_models=True), ["notice.personal_data.records"]),
        (Privacy(in_records=True), ["notice.personal_data.models"]),
        (Privacy(to_models=True, in_records=True), []),
    ],
)
def test_what_is_left_out_is_said(privacy: Privacy, keys: list[str]) -> None:
    assert [notice.key for notice in privacy_notices(ASKED, privacy)] == keys
    assert privacy_notices("Was kostet das 2025?", privacy) == ()
