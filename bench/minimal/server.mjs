// The least server on the official TypeScript SDK: one tool that answers with a text. The SDK is taken from tests/node_modules.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../tests/package.json", import.meta.url));
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { McpServer } = await load("server/mcp.js");
const { StdioServerTransport } = await load("server/stdio.js");

const server = new McpServer({ name: "minimal", version: "1" });
server.registerTool("get_clipboard", { description: "Reads the text on the clipboard." }, async () => ({
  content: [{ type: "text", text: "nothing" }],
}));
await server.connect(new StdioServerTransport());
