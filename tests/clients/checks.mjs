// What every client must see, in terms of the calls that both generations of the TypeScript client share.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const TOOLS = readFileSync(new URL("tools.txt", import.meta.url), "utf8").trim().split("\n");
const INVALID_PARAMS = -32602;

/** Lists the tools and calls one of each kind: text, image, JSON, failing, refused, unknown. */
export async function check(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), TOOLS);

  const call = (name, args = {}) => client.callTool({ name, arguments: args });

  const pressed = await call("press_back");
  assert.ok(!pressed.isError);
  assert.equal(pressed.content[0].text, "Back button press executed successfully");

  const screen = await call("get_screen_state", { include_screenshot: true });
  assert.ok(!screen.isError, screen.content[0].text);
  assert.ok(screen.content[0].text.startsWith("note:structural-only nodes are omitted from the tree\n"));
  assert.equal(screen.content[1].type, "image");
  assert.equal(screen.content[1].mimeType, "image/jpeg");
  assert.ok(screen.content[1].data.startsWith("/9j/"));

  const found = await call("find_elements", { by: "class_name", value: "Button" });
  assert.ok(!found.isError, found.content[0].text);
  assert.ok(found.structuredContent.elements.length > 0);
  assert.deepEqual(found.structuredContent, JSON.parse(found.content[0].text));

  const missing = await call("click_element", { element_id: "node_ffffffff" });
  assert.equal(missing.isError, true);
  assert.equal(missing.structuredContent.error_type, "element_not_found");

  const refused = await call("tap", { x: -1, y: 0 });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /\bx\b/);

  await assert.rejects(call("no_such_tool"), (error) => error.code === INVALID_PARAMS);
}
