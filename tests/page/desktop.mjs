// The page over a Linux desktop: windows of GTK 3 that a person sees and uses in Chromium. What came of it is told by the application
// itself, on its standard output, and by pyatspi.
//
// usage: desktop.mjs PROGRAM URL FORM_PID FORM_LOG CHOICES_LOG [FOLDER]: a server for the desktop, and two windows with what they
// say.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, Browser, boxOf, text, touch, treeItem, until } from './browser.mjs';

const [program, url, formPid, formLog, choicesLog, folder] = process.argv.slice(2);
const browser = await Browser.launch(program, folder);
const { open, ready, keep, accessible, link, test } = browser;
const { mcp, done } = new Agent(url);

/** What an application has said of such events. */
function said(log, event) {
  const lines = readFileSync(log, 'utf8').split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  return lines.filter((line) => line.event === event).map(({ value }) => value);
}
const says = (log, event, value) => until(`${event}: ${value}`, () => said(log, event).at(-1) === value);
/** What pyatspi reads of the element of this role and name in the form. */
const read = (role, name) => JSON.parse(execFileSync('/usr/bin/python3', ['../desktop/pyatspi_look.py', 'find', formPid, role, name], { encoding: 'utf8' }).trim() || 'null');
/** Brings a window to the front, as a person would by its bar. */
const raise = (title) => until(`${title} in front`, () => {
  try {
    return execFileSync('xdotool', ['search', '--sync', '--onlyvisible', '--name', title, 'windowactivate', '--sync'], { stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return false; // a window that went away while it was looked for
  }
});
const place = (title, x, y) => execFileSync('xdotool', ['search', '--sync', '--onlyvisible', '--name', title, 'windowmove', '--sync', String(x), String(y)]);

place('Form GTK3', 100, 100);
place('Choices GTK3', 900, 100);
await raise('Form GTK3');
const page = await open(link(url, '--control'));
const detail = () => page.locator('#element').textContent();

await test('the window in front is seen in the picture, the tree and the text for a model', async () => {
  await ready(page);
  await treeItem(page, 'Greet').waitFor();
  const [width, height] = await page.locator('#picture').evaluate(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight]);
  assert.equal((width / height).toFixed(2), (1920 / 1080).toFixed(2));
  await page.getByRole('tab', { name: 'Model' }).click();
  assert.match(await page.locator('#text').textContent(), /button "Greet"/);
  assert.match(await page.locator('#tokens').textContent(), /about \d+ tokens/);
  assert.equal(await page.getByRole('button', { name: 'Home', exact: true }).isVisible(), false, 'a desktop has no home key');
});

await test('the tree follows the window that comes to the front', async () => {
  await raise('Choices GTK3');
  await treeItem(page, 'Take me').waitFor();
  assert.equal(await treeItem(page, 'Greet').count(), 0);
});

await test('what lies under a dialog says so, and the dialog is found there', async () => {
  await done('select_menu', { path: 'File > Rename...' });
  await says(choicesLog, 'dialog', 'open');
  place('^Rename$', 900, 140);
  await treeItem(page, 'Done').waitFor();
  await until('why not', async () => {
    await treeItem(page, 'Network').click();
    return /Cannot be pressed: it /.test(await detail());
  });
  await touch(page, 'Done', 'button');
  await until('the one above', async () => /button "Done"/.test(await detail()));
  await keep(page, 'desktop-dialog');
  await page.getByRole('button', { name: 'Click', exact: true }).click();
  await says(choicesLog, 'dialog', '');
  await raise('Form GTK3');
  await treeItem(page, 'Greet').waitFor();
});

await test('an element is under the pointer, and a click shows it', async () => {
  const box = await boxOf(page, 'Greet', 'button');
  await page.mouse.move(box.x, box.y);
  await until('what is under the pointer', async () => (await page.locator('#under').textContent()).startsWith('button “Greet”'));
  await page.mouse.click(box.x, box.y);
  await until('the details', async () => (await detail()).includes('button "Greet"'));
  assert.match(await detail(), /Can be pressed\./);
  assert.equal(await page.locator('#tree [aria-selected=true] .label').textContent(), 'Greet');
  const selector = await page.locator('#element dd code').nth(1).textContent();
  assert.match(text(await mcp('verify_state', { conditions: [{ element: selector, is: 'present' }] })), /satisfied/);
  assert.deepEqual(said(formLog, 'greeted'), [], 'looking presses nothing');
});

await test('a person writes into the picture and presses a button of it', async () => {
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByText('You have taken over').waitFor();
  assert.match(text(await mcp('click_element', { element_id: 'button "Greet"' })), /taken over/);
  await touch(page, 'Name', 'text_field');
  await page.locator('#hand-said:not(:empty)').waitFor();
  await page.locator('#typed').fill('Ada');
  await page.getByRole('button', { name: 'Send' }).click();
  await until('the name, by pyatspi', () => read('text', 'Name')?.text === 'Ada');
  await touch(page, 'Greet', 'button');
  await says(formLog, 'greeted', 'Ada');
  await until('by pyatspi', () => read('label', 'Hello Ada'));
  await treeItem(page, 'Hello Ada').waitFor();
  await keep(page, 'desktop-hands');
});

await test('a drag on the picture moves a slider', async () => {
  const { left, width, y } = await boxOf(page, 'Volume', 'slider');
  await page.mouse.move(left + 8, y);
  await page.mouse.down();
  await page.mouse.move(left + width * 0.6, y, { steps: 8 });
  await page.mouse.up();
  await until('the volume', () => said(formLog, 'volume').at(-1) > 20);
});

await test('what a person does at the desk is seen, without a call', async () => {
  const calls = await page.locator('#calls li').count();
  const [left, top, width, height] = read('text', 'Name').bounds;
  const before = await page.locator('#picture').getAttribute('src');
  execFileSync('xdotool', ['mousemove', String(left + Math.round(width / 2)), String(top + Math.round(height / 2)), 'click', '1']);
  await until('the focus', () => read('text', 'Name').states.includes('focused'));
  execFileSync('xdotool', ['type', 'Lovelace']);
  await until('another picture', async () => await page.locator('#picture').getAttribute('src') !== before);
  await page.getByRole('tab', { name: 'Model' }).click();
  await until('the text', async () => /Lovelace/.test(await page.locator('#text').textContent()));
  assert.equal(await page.locator('#calls li').count(), calls);
});

await test("an agent's call has its row, with pictures of before and after", async () => {
  await page.getByRole('button', { name: 'Give back' }).click();
  await page.getByText('Agents may act').waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await done('click_element', { element_id: 'check_box "Agree"', see: 'changes' });
  await says(formLog, 'agreed', true);
  const row = page.locator('#calls li').first();
  await until('the row', async () => /click_element.*ok/s.test(await row.textContent()));
  await until('the pictures', async () => await row.locator('details').count() === 1);
  await row.locator('summary').click();
  await until('the picture of before', () => page.evaluate(() => document.querySelector('#calls details img')?.naturalWidth > 100));
});

await test('what is recorded on a desktop is replayed', async () => {
  await page.getByRole('tab', { name: 'Record' }).click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Recording on').waitFor();
  await page.locator('#touch').check();
  await touch(page, 'Agree', 'check_box');
  await says(formLog, 'agreed', false);
  await page.locator('#steps li').first().waitFor();
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Replayed to the end').waitFor();
  await says(formLog, 'agreed', true);
});

await test('axe finds nothing over a desktop, in light and dark, from 320 pixels to 4K', async () => {
  await treeItem(page, 'Greet').click();
  for (const [width, height] of [[320, 640], [1440, 900], [3840, 2160]]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      for (const tab of width === 1440 ? ['Element', 'Model', 'Log', 'Tools', 'Record'] : ['Element', 'Log']) {
        await page.getByRole('tab', { name: tab }).click();
        await accessible(page, `${tab} of a desktop, ${colorScheme}, ${width}`);
      }
      await page.getByRole('tab', { name: 'Element' }).click();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} pixels in a window of ${width}`);
      await keep(page, `desktop-${width}-${colorScheme}`);
    }
  }
});

await browser.close();
