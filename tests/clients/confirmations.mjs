// A user who agrees, declines and closes the question, and a client that cannot ask: what both generations of the
// TypeScript client must make of them.

import assert from "node:assert/strict";

/** The id of the search field, and what it holds now. */
async function field(client) {
  const found = await client.callTool({ name: "find_elements", arguments: { by: "resource_id", value: "search" } });
  const [element] = found.structuredContent.elements;
  return { id: element.id, text: element.text ?? "" };
}

/** `connect(answer)` gives a client whose user answers like that; without an answer it cannot ask. */
export async function check(era, connect) {
  for (const [number, action] of ["accept", "decline", "cancel", undefined].entries()) {
    const asked = [];
    const answer = action && ((request) => (asked.push(request.params.message), { action, content: {} }));
    const client = await connect(answer);
    const before = await field(client);
    const text = `typescript ${era} ${number}`;
    const result = await client.callTool({ name: "set_text", arguments: { element_id: before.id, text } });
    const after = await field(client);
    if (action === "accept") {
      assert.ok(!result.isError, result.content[0].text);
      assert.equal(after.text, text);
    } else {
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent.error_type, "refused");
      assert.equal(after.text, before.text);
    }
    assert.equal(asked.length, action ? 1 : 0);
    if (action) assert.match(asked[0], /set_text.*scripted/);
    await client.close();
  }
}
