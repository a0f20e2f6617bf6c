// The official TypeScript client 2.x, in both eras of the protocol.
//
// Usage: node typescript-2.mjs (legacy | auto) (URL | COMMAND ARGUMENT...)
//        token in FINGERTIP_TOKEN, CA in NODE_EXTRA_CA_CERTS

import assert from "node:assert/strict";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { check } from "./checks.mjs";

const VERSIONS = { legacy: "2025-11-25", auto: "2026-07-28" };

const [era, target, ...args] = process.argv.slice(2);
const transport = /^https?:/.test(target)
  ? new StreamableHTTPClientTransport(new URL(target), {
      requestInit: { headers: { Authorization: `Bearer ${process.env.FINGERTIP_TOKEN}` } },
    })
  : new StdioClientTransport({ command: target, args, env: process.env, stderr: "inherit" });

const client = new Client({ name: "interop", version: "1.0.0" }, { versionNegotiation: { mode: era } });
await client.connect(transport);
assert.equal(client.getNegotiatedProtocolVersion(), VERSIONS[era]);
await check(client);
await client.close();
