// The official TypeScript SDK 1.x.
//
// Usage: node typescript-1.mjs legacy (URL | COMMAND ARGUMENT...)      token in FINGERTIP_TOKEN, CA in NODE_EXTRA_CA_CERTS

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { check } from "./checks.mjs";

const [, target, ...args] = process.argv.slice(2);
const transport = /^https?:/.test(target)
  ? new StreamableHTTPClientTransport(new URL(target), {
      requestInit: { headers: { Authorization: `Bearer ${process.env.FINGERTIP_TOKEN}` } },
    })
  : new StdioClientTransport({ command: target, args, env: process.env, stderr: "inherit" });

const client = new Client({ name: "interop", version: "1.0.0" });
await client.connect(transport);
await check(client);
await client.close();
