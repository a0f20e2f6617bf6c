// The official TypeScript client 2.x before a server that asks its user first, in both eras of the protocol.
//
// Usage: node confirm-2.mjs (legacy | auto) (URL | COMMAND ARGUMENT...)    token in FINGERTIP_TOKEN

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { check } from "./confirmations.mjs";

const [era, target, ...args] = process.argv.slice(2);

await check(era, async (answer) => {
  const transport = /^https?:/.test(target)
    ? new StreamableHTTPClientTransport(new URL(target), {
        requestInit: { headers: { Authorization: `Bearer ${process.env.FINGERTIP_TOKEN}` } },
      })
    : new StdioClientTransport({ command: target, args, env: process.env, stderr: "inherit" });
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const options = { capabilities, versionNegotiation: { mode: era } };
  const client = new Client({ name: "confirm", version: "1.0.0" }, options);
  if (answer) client.setRequestHandler("elicitation/create", answer);
  await client.connect(transport);
  return client;
});
