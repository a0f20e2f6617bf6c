// Devices that come and go while the page is open, and a server that does: what a person is told, and that nothing is touched that was
// not meant.
//
// usage: coming_and_going.mjs PROGRAM URL FIRST SECOND LATE_URL LATE [FOLDER]: a server of all phones with the serials of the two that
// adb is connected to, and one that waits for a phone that is on and that adb is not connected to.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Agent, Browser, text, treeItem, until } from './browser.mjs';

const [program, url, first, second, lateUrl, late, folder] = process.argv.slice(2);
const browser = await Browser.launch(program, folder);
const { open, ready, keep, accessible, link, test } = browser;
const agent = new Agent(url);
/** Milliseconds until a phone that restarted is used again: adb and the server try anew in longer and longer steps. */
const AFTER_RESTART = 40_000;
const device = (serial) => `android:${serial}`;
const adb = (...words) => execFileSync('adb', words, { encoding: 'utf8' });
const screenOf = async (serial) => text(await agent.mcp('get_screen_state', { format: 'lean', device: device(serial) }));

let page;

await test('of two phones the one that was chosen is shown and used, and calls say whose they are', async () => {
  for (const serial of [first, second]) await agent.done('press_home', { device: device(serial) });
  page = await open(link(url, '--control'));
  await ready(page);
  assert.equal(await page.locator('#target option').count(), 2);
  await page.locator('#target').selectOption(device(second));
  await agent.done('open_app', { app: 'com.android.calculator2', device: device(second) });
  await treeItem(page, '7').waitFor();
  await page.getByText(/open_app.*, ok/).waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  const row = page.locator('#calls li').first();
  await until('whose call it was', async () => (await row.textContent()).includes(device(second)));
  await page.getByRole('button', { name: 'Home', exact: true }).click();
  await until('its home screen', async () => /Calculator/.test(await screenOf(second)) && !/button "7"/.test(await screenOf(second)));
  await page.locator('#target').selectOption(device(first));
  await ready(page);
  await page.getByRole('tab', { name: 'Element' }).click();
  await page.getByText('Choose an element').waitFor();
  await keep(page, 'two-phones');
});

await test('a phone that is unplugged is said to be gone, no other takes its place, and it is shown again when it is back', async () => {
  await page.locator('#picture:visible').waitFor();
  adb('disconnect', first);
  await until('what is wrong', async () => /not attached any more/.test(await page.locator('#notice').textContent()));
  assert.equal(await page.locator('#target').inputValue(), device(first));
  await accessible(page, 'a phone that is gone');
  await keep(page, 'unplugged');
  const before = await screenOf(second);
  await page.getByRole('button', { name: 'Recents' }).click();
  await page.locator('#said', { hasText: 'not attached' }).or(page.locator('#hand-said', { hasText: 'not attached' })).first().waitFor();
  assert.equal(await screenOf(second), before, 'the other phone was touched');
  const old = await page.locator('#picture').getAttribute('src');
  adb('connect', first);
  await page.locator('#notice').waitFor({ state: 'hidden' });
  await until('a new picture', async () => await page.locator('#picture').getAttribute('src') !== old);
  await agent.done('open_app', { app: 'com.android.calculator2', device: device(first) });
  await treeItem(page, '7').waitFor();
});

await test('a phone that restarts is shown as it was, with what is wrong, until it is there again', async () => {
  adb('-s', first, 'shell', 'fingertip-sim fault reboot 3000');
  await page.locator('#notice:visible').waitFor();
  await keep(page, 'restarting');
  await until('adb has it again', () => { adb('connect', first); return adb('devices').includes(`${first}\tdevice`); }, AFTER_RESTART);
  await page.locator('#notice').waitFor({ state: 'hidden', timeout: AFTER_RESTART });
  await treeItem(page, 'Calculator').first().waitFor({ timeout: AFTER_RESTART });
  await page.context().close();
});

await test('a page without a device waits for one', async () => {
  const waiting = await open(link(lateUrl, '--control'));
  await waiting.getByText('No device is attached').waitFor();
  await accessible(waiting, 'no device');
  await keep(waiting, 'no-device');
  adb('connect', late);
  await ready(waiting);
  assert.equal(await waiting.locator('#target').inputValue(), device(late));
  await waiting.getByRole('tab', { name: 'Tools' }).click();
  await until('its tools', async () => await waiting.locator('#tool option').count() > 20);
  await waiting.context().close();
});

await test('a server that ends is missed, and the page comes back with the next link', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address();
  free.close();
  await once(free, 'close');
  const serve = async () => {
    const server = spawn(program, ['serve', '--target', 'demo', '--listen', `127.0.0.1:${port}`], { stdio: 'ignore' });
    await until('a link', () => { try { return link(`http://127.0.0.1:${port}/`); } catch { return false; } });
    return server;
  };
  let server = await serve();
  try {
    const viewer = await open(link(`http://127.0.0.1:${port}/`));
    await ready(viewer);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await viewer.getByText('Not connected').waitFor();
    await viewer.getByText('The server does not answer').first().waitFor();
    await accessible(viewer, 'a server that ended');
    await keep(viewer, 'lost');
    assert.throws(() => link(`http://127.0.0.1:${port}/`), /no server with a page runs/);
    server = await serve();
    await viewer.locator('#notice', { hasText: 'fingertip ui' }).waitFor();
    await accessible(viewer, 'a session that ended');
    await keep(viewer, 'closed');
    const next = await viewer.context().newPage();
    await next.goto(link(`http://127.0.0.1:${port}/`));
    await ready(next);
    await viewer.evaluate(() => dispatchEvent(new Event('focus')));
    await viewer.getByText('Agents may act').waitFor();
    await viewer.locator('#notice').waitFor({ state: 'hidden' });
    await viewer.context().close();
  } finally {
    server.kill();
  }
});

await browser.close();
