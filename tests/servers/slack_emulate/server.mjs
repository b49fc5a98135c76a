// The Slack of the npm package emulate, which others wrote, on loopback until standard input ends:
// `node server.mjs SEED`, in the folder that it is installed into, SEED being its `slack:` settings as JSON.
// Writes one line of JSON with its address.
//
// What it lacks is added: users.conversations (hands on its conversations.list), assistant.threads.setStatus
// (changes nothing), arguments in the address, where Python's slack_sdk puts them (Slack takes them there as
// well), `event_ts` in events, and that its events go, signed by itself, where POST /control/events says.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const part = (name) => import(pathToFileURL(join(process.cwd(), "node_modules", "emulate", "dist", name)));
const { slackPlugin } = await part("dist-6ZQHD4DN.js");
const { createEmulator } = await part("api.js");

const register = slackPlugin.register;
slackPlugin.register = (app, store, webhooks, baseUrl, ...more) => {
  const again = async (c, path) => {
    const url = new URL(c.req.url);
    const { authorization } = c.req.header();
    const body = new URLSearchParams([...url.searchParams, ...new URLSearchParams(await c.req.text())]);
    return fetch(`${baseUrl}${path}`, { method: "POST", headers: authorization ? { authorization } : {}, body });
  };
  const dispatch = webhooks.dispatch.bind(webhooks);
  webhooks.dispatch = (name, action, payload, ...others) => {
    payload.event.event_ts ??= (Date.now() / 1000).toFixed(6);
    return dispatch(name, action, payload, ...others);
  };
  app.post("/control/events", async (c) => {
    const { url } = await c.req.json();
    return c.json(webhooks.register({ url, events: ["*"], active: true, owner: "slack" }));
  });
  app.post("/api/users.conversations", async (c) => {
    const found = await (await again(c, "/api/conversations.list")).json();
    return c.json({ ...found, channels: (found.channels ?? []).filter((each) => each.is_member || each.is_im) });
  });
  app.post("/api/assistant.threads.setStatus", (c) => c.json({ ok: true }));
  app.use("*", (c, next) => (new URL(c.req.url).search ? again(c, c.req.path) : next()));
  register(app, store, webhooks, baseUrl, ...more);
};

const { url } = await createEmulator({ service: "slack", port: 0, seed: { slack: JSON.parse(process.argv[2]) } });
console.log(JSON.stringify({ address: url }));
process.stdin.resume().on("end", () => process.exit(0));
