// The screen inside a client: JSON-RPC over messages of the window that holds this one, as the extension io.modelcontextprotocol/ui has it.
// Whatever comes from a screen becomes text nodes and attribute values, never markup.
'use strict';

const PROTOCOL = '2026-01-26';
const LOOKS = 'get_screen_state';
const PRESSES = document.body.dataset.presses;
const $ = (id) => document.getElementById(id);

let last = 0;
let device; // what the call that opened the view named
const waiting = new Map();

const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const tell = (method, params = {}) => send({ method, params });

function ask(method, params) {
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send({ id, method, params });
  });
}

const call = (name, given) => ask('tools/call', { name, arguments: device === undefined ? given : { ...given, device } });

/** Runs something of the person's; what goes wrong is told. */
async function attempt(work) {
  $('look').disabled = true;
  try {
    await work();
  } catch (error) {
    $('said').textContent = error.message ?? String(error);
  } finally {
    $('look').disabled = false;
  }
}

/** The words of a reply; a refusal is an error with its own words. */
function words(reply) {
  const text = (reply.content ?? []).filter(({ type }) => type === 'text').map((part) => part.text).join('\n');
  if (reply.isError) throw new Error(text);
  return text;
}

function show(reply) {
  const [title, ...lines] = words(reply).split('\n');
  $('title').textContent = title;
  $('elements').replaceChildren(...lines.filter((line) => line !== '').map(row));
  const picture = (reply.content ?? []).find(({ type, mimeType }) => type === 'image' && mimeType === 'image/jpeg');
  $('picture').hidden = !picture;
  if (picture) $('picture').src = `data:image/jpeg;base64,${picture.data}`;
  $('said').textContent = '';
  tell('ui/notifications/size-changed', { width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight });
}

function row(line) {
  const item = document.createElement('li');
  const [, id, rest] = /^\s*(node_\w+) (.*)$/.exec(line) ?? [];
  const label = document.createElement('span');
  label.textContent = rest ?? line;
  item.append(label);
  if (id && PRESSES) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Click';
    button.setAttribute('aria-label', `Click ${rest}`);
    button.addEventListener('click', () => attempt(async () => {
      const said = words(await call(PRESSES, { element_id: id }));
      await look();
      $('said').textContent = said;
    }));
    item.append(button);
  }
  return item;
}

// A call of the view's own: its picture costs a model nothing.
const look = async () => show(await call(LOOKS, { format: 'lean', include_screenshot: true }));

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  if (data.method === undefined) {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) asked?.reject(data.error);
    else asked?.resolve(data.result);
  } else if (data.method === 'ui/notifications/tool-input') {
    device = data.params?.arguments?.device;
  } else if (data.method === 'ui/notifications/tool-result') {
    // It may be a table, or a page of one: the view looks for itself.
    attempt(look);
  } else if (data.id !== undefined) {
    const known = data.method === 'ping' || data.method === 'ui/resource-teardown';
    send(known ? { id: data.id, result: {} } : { id: data.id, error: { code: -32601, message: 'Unknown method' } });
  }
});

$('look').addEventListener('click', () => attempt(look));
attempt(async () => {
  await ask('ui/initialize', { protocolVersion: PROTOCOL, appInfo: { name: 'fingertip-screen', version: '1' }, appCapabilities: {} });
  tell('ui/notifications/initialized');
});
