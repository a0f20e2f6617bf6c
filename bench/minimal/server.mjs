// The least server on the official TypeScript SDK: one tool that answers with a text. The SDK is taken from tests/node_modules.
// Over stdio, or with a port over HTTP without sessions, as the SDK does that: a server for each request.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../tests/package.json", import.meta.url));
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { McpServer } = await load("server/mcp.js");
const { StdioServerTransport } = await load("server/stdio.js");
const { StreamableHTTPServerTransport } = await load("server/streamableHttp.js");

const minimal = () => {
  const server = new McpServer({ name: "minimal", version: "1" });
  server.registerTool("get_clipboard", { description: "Reads the text on the clipboard." }, async () => ({
    content: [{ type: "text", text: "nothing" }],
  }));
  return server;
};

const port = process.argv[2];
if (port === undefined) {
  await minimal().connect(new StdioServerTransport());
} else {
  const answer = async (request, response) => {
    const server = minimal();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
    response.on("close", () => server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  };
  const listener = createServer(answer);
  listener.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
}
