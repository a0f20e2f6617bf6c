// Every view of the page, in light and dark, from 320 pixels to 4K: axe finds nothing, nothing is wider than the window, and the
// keyboard alone reaches all of it.
//
// usage: views.mjs PROGRAM URL CONFIRM_URL LOOKING_URL [FOLDER]: a server on the demo phone, one that asks before a tap, and one
// that only looks. With FOLDER each view is kept there as a picture.

import assert from 'node:assert/strict';
import { Agent, Browser, text, treeItem, until } from './browser.mjs';

const [program, url, confirmUrl, lookingUrl, folder] = process.argv.slice(2);
const browser = await Browser.launch(program, folder);
const { open, ready, keep, accessible, link, test } = browser;
const { done, mcp } = new Agent(url);

const SIZES = [[320, 640], [768, 1024], [1440, 900], [3840, 2160]];
/** The narrowest and the usual one, for what has the same place at every size. */
const FEW = [[320, 640], [1440, 900]];

/** Looks at what is open now as everybody would see it. */
async function everywhere(page, name, sizes = SIZES) {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await accessible(page, `${name}, ${colorScheme}, ${width}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${name}: ${wide} pixels in a window of ${width}`);
      await keep(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The key of the calculator; what its display says comes before it. */
const seven = () => treeItem(page, '7').last();
const tab = (page, name) => page.getByRole('tab', { name }).click();

/** What takes the keyboard and is not reached by Tab alone, from the start of the page on. */
async function unreached(page) {
  const count = await page.evaluate(() => {
    document.activeElement?.blur();
    const focusable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';
    const seen = [...document.querySelectorAll(focusable)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
    // Of tabs that belong together only the open one is reached by Tab, the others by arrows.
    globalThis.expected = new Set(seen.filter((one) => one.tabIndex >= 0));
    return globalThis.expected.size;
  });
  assert.ok(count > 8, `${count} controls`);
  // Panes that scroll are reached as well.
  for (let press = 0; press < count + 20; press += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => globalThis.expected.delete(document.activeElement));
  }
  return page.evaluate(() => [...globalThis.expected].map((one) => one.outerHTML.slice(0, 90)));
}

let page;

await test('what nobody has used yet is told', async () => {
  const first = await open(link(lookingUrl));
  await ready(first);
  await first.getByText('Nothing yet.').waitFor();
  await first.getByText('This server only looks').waitFor();
  await everywhere(first, 'first', FEW);
  await tab(first, 'Element');
  await first.getByText('Choose an element').waitFor();
  await everywhere(first, 'no-element', FEW);
  await first.locator('#search').fill('what nobody is called');
  await first.getByText('Nothing here is called that.').waitFor();
  await everywhere(first, 'no-match', FEW);
  await first.context().close();
  const used = link(url);
  const viewer = await open(used);
  await ready(viewer);
  await viewer.getByText('fingertip ui --control').waitFor();
  await viewer.context().close();
  const late = await open(used);
  await late.getByText('this link was used before').waitFor();
  await everywhere(late, 'used-link', FEW);
  await late.context().close();
});

await test('each tab', async () => {
  page = await open(link(url, '--control'));
  await ready(page);
  await done('open_app', { app: 'com.android.calculator2' });
  await seven().waitFor();
  await done('click_element', { element_id: 'button "7"', see: 'changes' });
  await mcp('click_element', { element_id: 'button "no such button"' });
  await tab(page, 'Log');
  const row = page.locator('#calls li', { has: page.locator('summary') }).first();
  await row.locator('summary').click();
  await until('the picture of before', () => page.evaluate(() => document.querySelector('#calls details img')?.naturalWidth > 100));
  await everywhere(page, 'log');
  await seven().click();
  await page.getByText('Can be pressed.').waitFor();
  await everywhere(page, 'element');
  await tab(page, 'Model');
  await everywhere(page, 'model');
  await tab(page, 'Tools');
  await page.locator('#tool').selectOption('find_elements');
  await page.locator('#field-by').selectOption('text');
  await page.locator('#field-value').fill('7');
  await page.getByRole('button', { name: 'Call find_elements' }).click();
  await until('the reply', async () => /node_/.test(await page.locator('#reply').textContent()));
  await everywhere(page, 'tools');
  await tab(page, 'Record');
  await everywhere(page, 'record');
});

await test('a log of which nothing acted', async () => {
  const first = await open(link(lookingUrl));
  await ready(first);
  await new Agent(lookingUrl).done('get_screen_state', {});
  await first.locator('#calls li').first().waitFor();
  await first.locator('#only-acts').check();
  await first.getByText('Nothing acted yet.').waitFor();
  await everywhere(first, 'nothing-acted', FEW);
  await first.context().close();
});

await test('an element that changes and goes while it is chosen', async () => {
  await seven().click();
  await page.getByText('Can be pressed.').waitFor();
  await done('press_home', {});
  await page.getByText('it is not on the screen any more').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Click', exact: true }).isEnabled(), false);
  await everywhere(page, 'gone-element', FEW);
  await done('open_app', { app: 'com.android.calculator2' });
  await page.getByText('Can be pressed.').waitFor();
  await done('open_app', { app: 'com.fingertip.demo.notes' });
});

await test('what is being written outlasts a change of its element', async () => {
  const { text: lean } = (await done('get_screen_state', { format: 'lean' })).content[0];
  if (!/text_field/.test(lean)) await done('click_element', { element_id: /button "((?:New|Add)[^"]*)"/i.exec(lean)[0] });
  const field = page.locator('#tree li', { hasText: 'text_field' }).first();
  await field.waitFor();
  await field.click();
  const written = page.getByRole('textbox', { name: 'New text' });
  await written.fill('half a sen');
  await done('set_text', { element_id: await field.getAttribute('data-id'), text: 'by an agent' });
  await until('the new words', async () => (await page.locator('#element').textContent()).includes('by an agent'));
  assert.equal(await written.inputValue(), 'half a sen');
  assert.equal(await written.evaluate((input) => input === document.activeElement), true);
});

await test('recording: under way, stopped, refused', async () => {
  await done('open_app', { app: 'com.android.calculator2' });
  await seven().waitFor();
  await tab(page, 'Record');
  // What was recorded on this server before.
  const forget = page.getByRole('button', { name: 'Forget' });
  if (await forget.isVisible()) await forget.click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Recording on demo').waitFor();
  for (const [index, key] of ['button ~"clear"', 'button "7"'].entries()) {
    await done('click_element', { element_id: key });
    await page.locator('#steps li').nth(index).waitFor();
  }
  await everywhere(page, 'recording', FEW);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await done('press_home', {});
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('The replay stopped').waitFor();
  assert.equal(await page.locator('#downloads').isVisible(), false, 'only what works is offered');
  await everywhere(page, 'replay-stopped', FEW);
  await done('open_app', { app: 'com.android.calculator2' });
  await seven().waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Replayed to the end').waitFor();
  assert.deepEqual(await unreached(page), []);
  await everywhere(page, 'replayed');
  await page.getByRole('button', { name: 'Forget' }).click();
  await until('a clean slate', async () => await page.locator('#steps li').count() === 0);
});

await test('each way an agent is held back', async () => {
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Agents are paused').waitFor();
  await everywhere(page, 'paused', FEW);
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByText('You have taken over').waitFor();
  await everywhere(page, 'taken-over', FEW);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Everything is stopped').waitFor();
  await everywhere(page, 'stopped', FEW);
  assert.match(await page.title(), /Everything is stopped/);
  // What is refused is told.
  await page.locator('#typed').fill('a');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#hand-said:not(:empty)').waitFor();
  await everywhere(page, 'refused', FEW);
  const viewer = await open(link(url));
  await ready(viewer);
  await viewer.getByText('to let them go on: fingertip ui --control').waitFor();
  await everywhere(viewer, 'stopped-viewer', FEW);
  await viewer.context().close();
  await page.getByRole('button', { name: 'Release' }).click();
  await page.getByText('Agents may act').waitFor();
});

await test('a question, to who can answer and to who cannot', async () => {
  const asked = await open(link(confirmUrl, '--control'));
  const viewer = await open(link(confirmUrl));
  for (const one of [asked, viewer]) await ready(one);
  const reply = new Agent(confirmUrl).mcp('tap', { x: 500, y: 1200 });
  for (const one of [asked, viewer]) await one.getByText('Allow it?').waitFor();
  assert.match(await asked.title(), /A question/);
  assert.equal(await viewer.getByRole('button', { name: 'Allow' }).count(), 0);
  await everywhere(asked, 'question');
  await everywhere(viewer, 'question-viewer', FEW);
  assert.deepEqual(await unreached(asked), []);
  await asked.getByRole('button', { name: 'Refuse' }).click();
  assert.equal((await reply).isError, true, text(await reply));
  await until('no question', async () => /Agents may act/.test(await asked.title()));
  for (const one of [asked, viewer]) await one.context().close();
});

await test('the keyboard alone reaches everything', async () => {
  await done('open_app', { app: 'com.android.calculator2' });
  await seven().waitFor();
  await seven().click();
  for (const name of ['Log', 'Element', 'Model', 'Tools', 'Record']) {
    await tab(page, name);
    assert.deepEqual(await unreached(page), [], name);
  }
  // The tabs and the elements by arrows.
  await tab(page, 'Log');
  for (const name of ['Log', 'Element', 'Model', 'Tools', 'Record', 'Log']) {
    assert.equal(await page.locator('[role=tab][aria-selected=true]').textContent(), name);
    await page.keyboard.press('ArrowRight');
  }
  const ids = await page.locator('#tree li').evaluateAll((rows) => rows.map((row) => row.dataset.id));
  await page.locator('#tree').focus();
  await page.keyboard.press('Home');
  for (const id of ids) {
    assert.equal(await page.locator('#tree [aria-selected=true]').getAttribute('data-id'), id);
    await page.keyboard.press('ArrowDown');
  }
  // A button of the calculator is pressed without a pointer.
  await done('click_element', { element_id: 'button ~"clear"' });
  await page.locator('#search').fill('button 8');
  await page.locator('#search').press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.getByText('Can be pressed.').waitFor();
  await page.getByRole('button', { name: 'Click', exact: true }).focus();
  await page.keyboard.press('Enter');
  await until('its effect', async () => /text "8"/.test(text(await mcp('get_screen_state', { format: 'lean' }))));
});

await browser.close();
