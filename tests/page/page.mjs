// What a person sees and does on the page, in Chromium, with an agent at the other end that speaks MCP.
//
// usage: page.mjs PROGRAM LOG URL CONFIRM_URL PYTHON: the program, what its server printed, two servers, and a Python with the
// official client.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Agent, Browser, text, touch, treeItem, until } from './browser.mjs';

const [program, log, url, confirmUrl, python] = process.argv.slice(2);
const origin = (address) => new URL(address).origin;
const browser = await Browser.launch(program);
const { open, ready, link, test } = browser;
const agent = new Agent(url);
const { mcp, screen, launch, done } = agent;

let page;
const files = {}; // what the recording was exported as

await test('the link of the banner opens the page once', async () => {
  const [, first] = /^page: +(\S+)/m.exec(readFileSync(log, 'utf8'));
  const viewer = await open(first);
  assert.equal(viewer.url(), `${origin(url)}/ui/`);
  await ready(viewer);
  const again = await viewer.context().request.get(first);
  assert.equal(again.status(), 401, 'a second time');
  const stranger = await browser.stranger();
  for (const path of ['/ui/', '/ui/page.js', '/ui/api/state']) {
    assert.equal((await stranger.request.get(origin(url) + path)).status(), 401, path);
  }
  assert.equal(await viewer.locator('#hands').isVisible(), false, 'no hands without control');
  assert.equal(await viewer.evaluate(async () => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ tool: 'press_home', arguments: {} }) };
    return (await fetch('/ui/api/call', sent)).status;
  }), 403);
  assert.equal(await viewer.evaluate(() => document.cookie), '', 'the script cannot read the cookie');
  await viewer.context().close();
  await stranger.close();
});

await test('the calculator is seen as it is, in the picture, the tree and the text for a model', async () => {
  await launch('com.android.calculator2');
  page = await open(link(url, '--control'));
  await ready(page);
  await treeItem(page, '7').waitFor();
  await page.getByRole('tab', { name: 'Model' }).click();
  await until('the lean text', async () => (await page.locator('#text').textContent()).includes('button "7"'));
  assert.match(await page.locator('#tokens').textContent(), /about \d+ tokens/);
  await page.locator('#format').selectOption('table');
  assert.match(await page.locator('#text').textContent(), /node_/);
});

await test('an element is found by pointer, by search and by keyboard, with selectors that mean only it', async () => {
  await touch(page, '7');
  await until('the details', async () => (await page.locator('#element').textContent()).includes('button "7"'));
  assert.equal(await page.locator('#tree [aria-selected=true] .label').textContent(), '7');
  assert.equal(await page.locator('#chosen').isVisible(), true);
  const selector = await page.locator('#element dd code').nth(1).textContent();
  const found = await mcp('verify_state', { conditions: [{ element: selector, is: 'present' }] });
  assert.match(text(found), /satisfied/);
  assert.match(await page.locator('#element').textContent(), /Can be pressed\./);
  await page.locator('#search').fill('button 8');
  await until('the search', async () => await page.locator('#tree li').count() === 1);
  await page.locator('#search').fill('');
  await page.locator('#tree').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  assert.notEqual(await page.locator('#tree [aria-selected=true] .label').textContent(), '7');
  await touch(page, '7');
  await until('the details', async () => (await page.locator('#element').textContent()).includes('button "7"'));
});

await test("an agent's call is in the log at once, with its change", async () => {
  await page.getByRole('tab', { name: 'Log' }).click();
  const before = await page.locator('#calls li').count();
  const shown = page.evaluate((known) => new Promise((resolve) => {
    const seen = () => document.querySelectorAll('#calls li').length > known && /changed/.test(document.querySelector('#calls li').textContent);
    const timer = setInterval(() => { if (seen()) { clearInterval(timer); resolve(Date.now()); } }, 5);
  }), before);
  await mcp('click_element', { element_id: 'button "4"', see: 'changes' });
  const answered = Date.now();
  const late = await shown - answered;
  assert.ok(late < 200, `${late} ms`);
  const row = await page.locator('#calls li').first().textContent();
  assert.match(row, /click_element/);
  assert.match(row, /changed \(\d+ (new|different)/);
  assert.doesNotMatch(row, /button "4"/, 'selectors are masked as in the audit log');
  await until('the pictures', async () => await page.locator('#calls li').first().locator('details').count() === 1);
  await page.locator('#calls li').first().locator('summary').click();
  await until('the picture of before', () => page.evaluate(() => document.querySelector('#calls details img')?.naturalWidth > 100));
});

await test('a pause holds the next tap until agents may go on', async () => {
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Agents are paused').waitFor();
  const held = mcp('click_element', { element_id: 'button "5"' });
  await until('the call that waits', async () => /running/.test(await page.locator('#calls li').first().textContent()));
  assert.doesNotMatch(await screen(), /text "45"/);
  await page.getByRole('button', { name: 'Let agents go on' }).click();
  assert.equal((await held).isError ?? false, false);
  await until('its effect', async () => /"45"/.test(await screen()));
});

await test('a person takes over and taps 7 + 3 =, recorded and replayed', async () => {
  await page.getByRole('button', { name: 'Take over' }).click();
  const refused = await mcp('click_element', { element_id: 'button "1"' });
  assert.match(text(refused), /taken over/);
  await mcp('get_screen_state', {});
  await page.getByRole('tab', { name: 'Record' }).click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Recording on demo').waitFor();
  for (const [index, label] of ['C', '7', '+', '3', '='].entries()) {
    await touch(page, label);
    await page.locator('#steps li').nth(index).waitFor();
  }
  await until('the sum', async () => /"10"/.test(await screen()));
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Replayed to the end').waitFor();
  for (const [form, expected] of [['steps', /"click_element"/], ['maestro', /tapOn: "7"/], ['python', /run_steps/], ['typescript', /run_steps/]]) {
    files[form] = await page.evaluate(async (as) => (await fetch(`/ui/api/recording?as=${as}`)).text(), form);
    assert.match(files[form], expected);
  }
  await page.getByRole('button', { name: 'Give back' }).click();
  await page.getByText('Agents may act').waitFor();
});

await test('the exported scripts do it again', async () => {
  // Beside this file, where the packages of the script are found.
  const scripts = mkdtempSync(new URL('exported-', import.meta.url).pathname);
  try {
    for (const [form, interpreter, name] of [['python', python, 'replay.py'], ['typescript', process.execPath, 'replay.mts']]) {
      await done('click_element', { element_id: 'button ~"clear"' });
      await until('a cleared display', async () => !/text "10"/.test(await screen()));
      writeFileSync(`${scripts}/${name}`, files[form]);
      await promisify(execFile)(interpreter, [`${scripts}/${name}`, url], { timeout: 60_000 });
      await until('the sum', async () => /"10"/.test(await screen()));
    }
  } finally {
    rmSync(scripts, { recursive: true });
  }
});

await test('a form is made from the schema of a tool', async () => {
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.locator('#tool').selectOption('find_elements');
  await page.locator('#field-by').selectOption('text');
  await page.locator('#field-value').fill('7');
  await page.getByRole('button', { name: 'Call find_elements' }).click();
  await until('the reply', async () => /node_/.test(await page.locator('#reply').textContent()));
});

await test('words of the screen stay words', async () => {
  const evil = '<img src=x onerror="globalThis.caught=1">';
  await launch('com.fingertip.demo.notes');
  await until('notes', async () => /notes/i.test(await screen()));
  if (!/text_field/.test(await screen())) await mcp('click_element', { element_id: /button "((?:New|Add)[^"]*)"/i.exec(await screen())?.[0] ?? 'button' });
  const field = await until('a field', async () => /(node_\w+) text_field/.exec(await screen())?.[1]);
  await mcp('set_text', { element_id: field, text: evil });
  await treeItem(page, evil).waitFor();
  assert.equal(await page.evaluate(() => globalThis.caught), undefined);
  assert.equal(await page.evaluate(() => document.querySelectorAll('#tree img').length), 0);
  await treeItem(page, evil).click();
  await until('its details', async () => (await page.locator('#element').textContent()).includes(evil));
  await page.getByRole('tab', { name: 'Log' }).click();
  assert.doesNotMatch(await page.locator('#calls').textContent(), /onerror/, 'no text of a call is in the log');
});

await test('two viewers and a dead one', async () => {
  const second = await open(link(url));
  await ready(second);
  const dead = await open(link(url));
  await ready(dead);
  await dead.context().setOffline(true);
  await launch('com.android.calculator2');
  for (const viewer of [page, second]) await treeItem(viewer, '7').waitFor();
  await second.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Agents are paused').waitFor();
  assert.match(await second.locator('#mode').textContent(), /fingertip ui --control/);
  await page.getByRole('button', { name: 'Let agents go on' }).click();
  await second.getByText('Agents may act').waitFor();
  await second.context().close();
  await dead.context().close();
});

await test('a question is answered on the page', async () => {
  const asked = await open(link(confirmUrl, '--control'));
  await ready(asked);
  for (const [answer, failed] of [['Refuse', true], ['Allow', false]]) {
    const reply = new Agent(confirmUrl).mcp('tap', { x: 500, y: 1200 });
    await asked.getByText('Allow it?').waitFor();
    await asked.getByRole('button', { name: answer }).click();
    assert.equal((await reply).isError ?? false, failed, text(await reply));
  }
  await asked.context().close();
});

await test('stop ends what is under way, and only control lets go', async () => {
  const long = mcp('long_press', { x: 500, y: 1200, duration: 10_000 });
  await until('the press under way', async () => /running/.test(await page.locator('#calls li').first().textContent()));
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  assert.match(text(await long), /stopped/);
  assert.match(text(await mcp('tap', { x: 500, y: 1200 })), /stopped all actions/);
  await page.getByRole('button', { name: 'Release' }).click();
  assert.equal((await mcp('press_home', {})).isError ?? false, false);
});

await browser.close();
