// The npm package telegram-test-api on a port of loopback, until standard input ends: node server.js PORT,
// in the folder that it is installed into. What was said is kept for as long as it runs.

const TelegramServer = require(require.resolve("telegram-test-api", { paths: [process.cwd()] }));
const server = new TelegramServer({ host: "127.0.0.1", port: Number(process.argv[2]), storeTimeout: 86400 });

server.start().then(() => console.log("ready"));
process.stdin.resume().on("end", () => process.exit(0));
