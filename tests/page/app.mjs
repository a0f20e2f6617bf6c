// The screen as an MCP App: the extension's own host classes and the official client, with the view in Chromium's sandbox.
//
// usage: app.mjs URL READ_ONLY_URL

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import { chromium } from 'playwright-core';

const [url, readOnlyUrl] = process.argv.slice(2);
const MIME = 'text/html;profile=mcp-app';
const VIEW = 'ui://fingertip/screen';
/** What the extension demands of a host for a view that names no domains. */
const HOST_POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

async function connect(address, extensions) {
  const headers = { Authorization: `Bearer ${process.env.FINGERTIP_TOKEN}` };
  const client = new Client({ name: 'host', version: '1' }, { capabilities: { extensions } });
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
  return client;
}
const able = { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME] } };
const linked = async (client) => (await client.listTools()).tools.filter((tool) => tool._meta?.ui).map((tool) => [tool.name, tool._meta.ui.resourceUri]);

const client = await connect(url, able);
const plain = await connect(url, {});
assert.deepEqual(await linked(client), [['get_screen_state', VIEW]]);
assert.deepEqual((await client.listResources()).resources.map(({ uri, mimeType }) => [uri, mimeType]), [[VIEW, MIME]]);
assert.deepEqual(await linked(plain), []);
assert.equal(plain.getServerCapabilities().resources, undefined);
await assert.rejects(plain.readResource({ uri: VIEW }));
console.log('ok only a client that shows views is offered one');

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Shows the view as a host would: in a sandbox, under the extension's policy, with the extension's own bridge. */
async function host(connected) {
  const { contents: [{ text, mimeType, _meta }] } = await connected.readResource({ uri: VIEW });
  assert.equal(mimeType, MIME);
  assert.deepEqual(_meta.ui.csp, { connectDomains: [], resourceDomains: [] });
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const transport = {
    start: async () => {},
    close: async () => {},
    send: (message) => page.evaluate((sent) => document.querySelector('iframe').contentWindow.postMessage(sent, '*'), message),
  };
  await page.exposeFunction('toHost', (message) => transport.onmessage?.(message));
  await page.route('http://host.test/**', (route) => (route.request().url().endsWith('/view')
    ? route.fulfill({ contentType: 'text/html', headers: { 'content-security-policy': HOST_POLICY }, body: text })
    : route.fulfill({ contentType: 'text/html', body: '<!doctype html><iframe sandbox="allow-scripts" width="900" height="900"></iframe>' })));
  await page.goto('http://host.test/');
  const bridge = new AppBridge(connected, { name: 'host', version: '1' }, { serverTools: {} });
  const initialized = new Promise((resolve) => { bridge.oninitialized = resolve; });
  await bridge.connect(transport);
  await page.evaluate(() => {
    const frame = document.querySelector('iframe');
    addEventListener('message', (event) => event.source === frame.contentWindow && globalThis.toHost(event.data));
    frame.src = '/view';
  });
  await initialized;
  const call = { name: 'get_screen_state', arguments: {} };
  await bridge.sendToolInput({ arguments: call.arguments });
  await bridge.sendToolResult(await connected.callTool(call));
  return { page, view: page.frameLocator('iframe'), problems };
}

const act = async (name, given) => {
  const reply = await client.callTool({ name, arguments: given });
  assert.ok(!reply.isError, JSON.stringify(reply.content));
  return reply.content.map((part) => part.text).join('\n');
};

await act('open_app', { app: 'com.android.calculator2', see: 'screen' });
const { page, view, problems } = await host(client);
await view.locator('#picture:visible').waitFor();
await view.getByRole('button', { name: 'Click button "7"' }).click();
await view.locator('#elements li', { hasText: /text.* "7"/ }).first().waitFor();
assert.match(await act('get_screen_state', { format: 'lean' }), /text[^\n]* "7"/);
console.log('ok the view shows the screen and presses a key of it');

const evil = '<img src=x onerror="parent.caught=1">';
await act('open_app', { app: 'com.fingertip.demo.notes', see: 'screen' });
const shown = await act('get_screen_state', { format: 'lean' });
if (!/text_field/.test(shown)) await act('click_element', { element_id: /(node_\w+) button "(?:New|Add)/i.exec(shown)[1], see: 'screen' });
await act('set_text', { element_id: /(node_\w+) text_field/.exec(await act('get_screen_state', { format: 'lean' }))[1], text: evil });
await view.getByRole('button', { name: 'Look again' }).click();
await view.locator('#elements li', { hasText: '<img src=x' }).first().waitFor();
assert.equal(await view.locator('#elements img').count(), 0);
assert.deepEqual(problems, []);
await page.close();
console.log('ok words of the screen stay words in the view');

const looker = await connect(readOnlyUrl, able);
const looked = await host(looker);
await looked.view.locator('#elements li').first().waitFor();
assert.equal(await looked.view.locator('#elements button').count(), 0);
await assert.rejects(looker.callTool({ name: 'click_element', arguments: { element_id: 'item "Calculator"' } }));
console.log('ok the view of a server that only looks cannot act');

await browser.close();
for (const one of [client, plain, looker]) await one.close();
