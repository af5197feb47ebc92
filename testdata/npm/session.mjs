// Holds one MCP session by the official SDK's client. The steps come as a JSON array
// on stdin, each {"call": method of the client, "with": its parameter}; what each gave
// goes to stdout as a JSON array: {"result", "progress"} or {"error": {"code", "message"}}.
//
//   node session.mjs stdio COMMAND ARGUMENT...
//   node session.mjs http URL        (the bearer token in PLUMBLINE_TOKEN)
//   node session.mjs sse URL
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const token = process.env.PLUMBLINE_TOKEN;
const requestInit = token ? { headers: { Authorization: `Bearer ${token}` } } : {};

const transports = {
  stdio: (command, ...args) => new StdioClientTransport({ command, args, stderr: "inherit" }),
  http: (url) => new StreamableHTTPClientTransport(new URL(url), { requestInit }),
  sse: (url) => new SSEClientTransport(new URL(url), { requestInit }),
};

const [kind, ...target] = process.argv.slice(2);
const client = new Client({ name: "plumbline-test", version: "1.0.0" });
const steps = JSON.parse(await text(process.stdin));
const answers = [];

await client.connect(transports[kind](...target));
for (const step of steps) {
  const progress = [];
  try {
    // callTool takes its options third, the other methods second.
    const options = { onprogress: (p) => progress.push(p) };
    const result = step.call === "callTool"
      ? await client.callTool(step.with, undefined, options)
      : await client[step.call](...(step.with === undefined ? [] : [step.with]));
    answers.push({ result, progress });
  } catch (error) {
    answers.push({ error: { code: error.code, message: error.message } });
  }
}
await client.close();
process.stdout.write(JSON.stringify({ server: client.getServerVersion(), answers }));
