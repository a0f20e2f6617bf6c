// What the scenarios of the page share: Chromium as a person has it, and an agent at the other end that speaks MCP.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Milliseconds that something on a page may take to appear. */
const PATIENCE = 15_000;

export const text = (reply) => reply.content?.map((part) => part.text).join('\n') ?? JSON.stringify(reply);

/** An agent that calls tools of a server. */
export class Agent {
  #calls = 0;

  constructor(url) { this.url = url; }

  mcp = async (tool, given) => {
    this.#calls += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#calls, method: 'tools/call', params: { name: tool, arguments: given } });
    const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${process.env.FINGERTIP_TOKEN}` };
    const reply = await (await fetch(this.url, { method: 'POST', headers, body })).json();
    return reply.result ?? reply;
  };

  /** A call that must succeed. */
  done = async (tool, given) => {
    const reply = await this.mcp(tool, given);
    assert.equal(reply.isError ?? false, false, `${tool}: ${text(reply)}`);
    return reply;
  };

  screen = async () => text(await this.mcp('get_screen_state', { format: 'lean' }));

  launch = (app) => this.done('open_app', { app });
}

/** Waits until something is so. */
export async function until(what, check, limit = PATIENCE) {
  const began = Date.now();
  for (;;) {
    const seen = await check();
    if (seen) return seen;
    assert.ok(Date.now() - began < limit, `in time: ${what}`);
    await new Promise((resolve) => { setTimeout(resolve, 25); });
  }
}

export const treeItem = (page, label) => page.locator('#tree [role=treeitem]', { has: page.getByText(label, { exact: true }) });

/** Where the picture shows the element that has this label in the tree, and this role where several have it: the box of its mark. */
export function boxOf(page, label, role) {
  return page.evaluate(([wanted, kind]) => {
    const is = (row, part, value) => row.querySelector(`.${part}`)?.textContent === value;
    const row = [...document.querySelectorAll('#tree li')].find((one) => is(one, 'label', wanted) && (!kind || is(one, 'role', kind)));
    row.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    const { left, top, width, height } = document.getElementById('hover').getBoundingClientRect();
    return { left, top, width, height, x: left + width / 2, y: top + height / 2 };
  }, [label, role]);
}

/** Presses a place of the picture where the tree says that an element is. */
export async function touch(page, label, role) {
  const box = await boxOf(page, label, role);
  await page.mouse.click(box.x, box.y);
}

/** Debian's Chromium. Whatever goes wrong on a page of it fails the test that runs. */
export class Browser {
  #chromium;
  #problems = [];

  /** `folder`, where there is one, is given a picture of each view. */
  static async launch(program, folder) {
    const browser = new Browser();
    // No part of a desktop that it shows, or what changes on the page would be an event of that desktop.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/DISPLAY|BUS_ADDRESS/.test(name)));
    browser.#chromium = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'], env });
    browser.program = program;
    browser.folder = folder;
    return browser;
  }

  /** Somebody without a link. */
  stranger = () => this.#chromium.newContext();

  /** A link from the command line. */
  link = (address, ...more) => {
    const { port } = new URL(address);
    return execFileSync(this.program, ['ui', '--port', port, ...more], { encoding: 'utf8', stdio: 'pipe' }).trim();
  };

  /** Opens an address in a session of its own. */
  open = async (address, options = {}) => {
    const context = await this.#chromium.newContext({ viewport: { width: 1440, height: 900 }, permissions: ['clipboard-write'], ...options });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.#problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && !/401|Failed to load resource/.test(message.text()) && this.#problems.push(message.text()));
    await page.goto(address);
    return page;
  };

  ready = async (page) => {
    await page.locator('#picture:visible').waitFor();
    await page.locator('#tree [role=treeitem]').first().waitFor();
  };

  keep = async (page, name) => {
    if (this.folder) await page.screenshot({ path: `${this.folder}/${name}.png` });
  };

  accessible = async (page, name) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`), [], `axe, ${name}`);
  };

  test = async (name, body) => {
    const began = Date.now();
    await body();
    assert.deepEqual(this.#problems, [], name);
    console.log(`ok ${name} (${Date.now() - began} ms)`);
  };

  close = () => this.#chromium.close();
}
