// The official TypeScript client 1.x before a server that asks its user first.
//
// Usage: node confirm-1.mjs legacy (URL | COMMAND ARGUMENT...)    token in FINGERTIP_TOKEN

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { check } from "./confirmations.mjs";

const [era, target, ...args] = process.argv.slice(2);

await check(era, async (answer) => {
  const transport = /^https?:/.test(target)
    ? new StreamableHTTPClientTransport(new URL(target), {
        requestInit: { headers: { Authorization: `Bearer ${process.env.FINGERTIP_TOKEN}` } },
      })
    : new StdioClientTransport({ command: target, args, env: process.env, stderr: "inherit" });
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: "confirm", version: "1.0.0" }, { capabilities });
  if (answer) client.setRequestHandler(ElicitRequestSchema, answer);
  await client.connect(transport);
  return client;
});
