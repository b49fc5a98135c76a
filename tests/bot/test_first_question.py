"""The first question finds everything loaded: what takes long to load holds up everybody's messages.

Looked at are modules that the loop's own thread loads, and dictionaries that any thread reads: which comes to
a word first differs from question to question. In a process of its own, nothing was used before.
"""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.repository import ROOT

CHILD = """
import asyncio, functools, gc, json, sys, threading
from pathlib import Path

from simplemma.strategies.dictionaries.stream_dictionary_factory import StreamDictionaryFactory, StreamMap

from tests.support.chats import conversation_over, say
from tests.support.world import populated

LOOP, found = threading.get_ident(), []


class OnLoop:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if threading.get_ident() == LOOP:
            found.append(f"module {name}")


plain = StreamMap.__init__


def read(self, language):
    found.append(f"dictionary {language}")
    plain(self, language)


def forget():
    # what the library's documents have loaded
    for each in gc.get_objects():
        if isinstance(each, StreamDictionaryFactory):
            each._get_dictionary.cache_clear()
        elif isinstance(each, functools._lru_cache_wrapper) and each.__module__.startswith("core."):
            each.cache_clear()


async def main():
    world = await populated()
    conversation = conversation_over(world.app, Path(sys.argv[1]))
    forget()
    await world.app.questions.warm_up()
    sys.meta_path.insert(0, OnLoop)
    StreamMap.__init__ = read
    for question in sys.argv[2:]:
        assert (await say(conversation, question)).blocks


asyncio.run(main())
print(json.dumps(found))
"""

QUESTIONS = (
    "Was sagt die Uferpartei zum Mindestlohn?",
    "What do the parties say about the minimum wage?",
    "Que disent les partis du salaire minimum ?",
    'Stimmt das: "Wir heben den gesetzlichen Mindestlohn auf fünfzehn Euro."?',
    "/help",
)


def test_nothing_is_loaded_while_it_is_answered(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CHILD, str(tmp_path), *QUESTIONS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []
