// The page of a Fingertip server. One module, no dependencies, in the order in which a person meets it: connection, picture, tree,
// element, texts for a model, log, hands, tools, recording.
//
// Whatever comes from a screen is data: it becomes text nodes and attribute values, never markup. The server's policy refuses
// anything else.

const $ = (id) => document.getElementById(id);

/** The least time between two looks at the tree, in milliseconds. */
const LOOK_EVERY = 400;
/** A press longer than this is a long press, one that moves further than this many pixels a swipe. */
const LONG_PRESS = 500;
const MOVED = 8;

const state = {
  control: false,
  targets: [],
  target: null,
  mode: 'running',
  questions: 0, // how many wait for an answer
  screen: null, // what the last look saw
  chosen: null, // the id of the chosen element
  element: null, // all that is known of it
  tools: null,
  stream: null,
  version: null, // of the server
  lost: null, // why nothing new is told
  over: false, // whether it is told again only to who asks anew
  problem: null, // why there is no newer picture
};

// ---------------------------------------------------------------------------------------------------------------- helpers

/** Makes an element; children are elements or texts. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') element.className = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Asks the server; what it refuses is an error with its own words. */
async function ask(path, sent) {
  const options = sent === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) };
  const response = await fetch(path, options).catch(() => { throw new Error('The server does not answer.'); });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message ?? response.statusText);
  return answer;
}

let silence;
function say(text) {
  $('said').textContent = text;
  clearTimeout(silence);
  silence = setTimeout(() => { $('said').textContent = ''; }, 6000);
}

/** Runs something of the person's; what goes wrong is told. */
function attempt(work) {
  return (...given) => Promise.resolve(work(...given)).catch((error) => say(error.message));
}

const about = (target) => `target=${encodeURIComponent(target)}`;

// ------------------------------------------------------------------------------------------------------------- connection

async function load() {
  const now = await ask('/ui/api/state');
  // Another program answers than the one that this script is from.
  if (state.version && state.version !== now.version) { location.reload(); return; }
  state.version = now.version;
  state.control = now.control;
  state.lost = null;
  state.over = false;
  showTargets(now.targets);
  showMode(now.mode);
  showQuestions(now.questions);
  showRecording(now.recording);
  const log = await ask('/ui/api/log');
  showLog(log);
  const acts = state.control && !now.read_only;
  for (const id of ['tab-tools', 'tab-record', 'hands']) $(id).hidden = !acts;
  $('looks').hidden = acts;
  $('looks').textContent = now.read_only ? 'This server only looks (--read-only).' : 'You are looking on. To act here, open a link of: fingertip ui --control';
  await loadTools();
}

/** Says that what is shown may be old. */
function lose(why, over) {
  Object.assign(state, { lost: why, over });
  $('mode').dataset.mode = 'lost';
  $('mode').textContent = 'Not connected';
  showNotice();
}

function connect() {
  state.stream?.close();
  const stream = new EventSource(`/ui/api/events?${about(state.target ?? '')}`);
  state.stream = stream;
  const on = (name, act) => stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
  stream.addEventListener('open', attempt(() => { shown = 0; return load(); }));
  stream.addEventListener('error', async () => {
    if (stream !== state.stream) return;
    if (stream.readyState !== EventSource.CLOSED) { lose('The server does not answer; this is what was seen last.', false); return; }
    // Refused: by the door, which says why, or because there are too many already.
    const why = await ask('/ui/api/state').then(() => 'Too many pages are open. Close one, then come back to this one.', ({ message }) => `Not connected: ${message}`);
    lose(why, true);
  });
  on('frame', showFrame);
  on('call', showCall);
  on('mode', showMode);
  on('questions', showQuestions);
  on('recording', showRecording);
  on('reload', attempt(load));
  // A device that came back counts its pictures anew.
  on('targets', attempt(async (targets) => { shown = 0; showTargets(targets); look(); await loadTools(); }));
}

// A new link opened in this browser, or another page closed, lets this one in again.
addEventListener('focus', () => { if (state.over) connect(); });

const isAttached = () => state.targets.some(({ name }) => name === state.target);

function showTargets(targets) {
  state.targets = targets;
  const label = (target) => `${target.name}${target.label && target.label !== target.name ? ` (${target.label})` : ''}${target.state === 'ready' ? '' : `, ${target.state}`}`;
  const options = targets.map((target) => make('option', { value: target.name }, label(target)));
  // Whoever watches a device is never shown another one instead, which the next touch would go to.
  if (state.target && !isAttached()) options.push(make('option', { value: state.target }, `${state.target}, not attached`));
  $('target').replaceChildren(...options);
  $('target').value = state.target ?? targets[0]?.name ?? '';
  if (!state.target && (targets.length > 0 || !state.stream)) watch(targets[0]?.name ?? null);
  showNotice();
}

function watch(target) {
  Object.assign(state, { target, screen: null, chosen: null, element: null, problem: null });
  wanted = 0;
  shown = 0;
  $('picture').hidden = true;
  $('no-picture').hidden = false;
  $('element').replaceChildren(make('p', { class: 'empty' }, 'Choose an element in the picture or in the list.'));
  showScreen();
  connect();
}

/** Why what is shown is not what is there now. */
function showNotice() {
  const gone = state.target && !isAttached() && `${state.target} is not attached any more.`;
  const why = state.lost || gone || state.problem;
  const seen = !$('picture').hidden;
  $('notice').hidden = !why || !seen;
  $('notice').textContent = why || '';
  $('stage').classList.toggle('old', Boolean(why));
  $('no-picture').textContent = why || (state.target ? 'Waiting for a picture' : 'No device is attached');
}

const MODES = { running: 'Agents may act', paused: 'Agents are paused', 'taken over': 'You have taken over', stopped: 'Everything is stopped' };

function showMode(mode) {
  state.mode = mode;
  $('mode').dataset.mode = mode;
  $('mode').textContent = MODES[mode];
  if (mode !== 'running' && !state.control) $('mode').textContent += '; to let them go on: fingertip ui --control';
  $('pause').hidden = mode !== 'running';
  $('take-over').hidden = !state.control || mode === 'taken over' || mode === 'stopped';
  $('resume').hidden = !state.control || mode === 'running';
  $('resume').textContent = mode === 'taken over' ? 'Give back' : mode === 'stopped' ? 'Release' : 'Let agents go on';
  $('stop').hidden = mode === 'stopped';
  showTitle();
}

/** What a person sees who has the page behind others. */
function showTitle() {
  document.title = `${state.questions ? 'A question' : MODES[state.mode]} · Fingertip`;
}

const steer = (to) => attempt(async () => showMode((await ask('/ui/api/steer', { to })).mode));

function showQuestions(questions) {
  state.questions = questions.length;
  showTitle();
  const answer = (question, yes) => attempt(() => ask('/ui/api/answer', { question, yes }));
  $('questions').hidden = questions.length === 0;
  $('questions').replaceChildren(...questions.map(({ number, text }) => make('div', { class: 'question' },
    make('p', {}, text),
    ...(state.control
      ? [make('button', { type: 'button', class: 'primary', onclick: answer(number, true) }, 'Allow'), make('button', { type: 'button', onclick: answer(number, false) }, 'Refuse')]
      : [make('span', { class: 'quiet' }, 'To answer: fingertip ui --control')]))));
}

// ---------------------------------------------------------------------------------------------------------------- picture

let fetching = false;
let wanted = 0; // the newest picture there is
let shown = 0; // the one that is shown

function showFrame({ frame, problem }) {
  state.problem = problem && `No new picture: ${problem}`;
  showNotice();
  // What cannot be pictured anew may be another screen all the same.
  if (!frame || frame[0] === shown) {
    look();
    return;
  }
  [wanted] = frame;
  fetchFrame();
}

/** One picture at a time: whoever is slow skips those between. */
async function fetchFrame() {
  if (fetching) return;
  fetching = true;
  const target = state.target;
  try {
    const response = await fetch(`/ui/api/frame?${about(target)}`);
    if (response.ok && target === state.target) {
      const url = URL.createObjectURL(await response.blob());
      const old = $('picture').src;
      $('picture').src = url;
      await $('picture').decode().catch(() => {});
      if (old) URL.revokeObjectURL(old);
      shown = Number(response.headers.get('x-frame'));
      $('picture').hidden = false;
      $('no-picture').hidden = true;
      $('picture').alt = `Screen of ${target}`;
      showNotice();
      place();
      look();
    }
  } catch {
    // The stream says when the server is back.
  } finally {
    fetching = false;
  }
  if (wanted > shown && target === state.target && !$('picture').hidden) setTimeout(fetchFrame, 50);
}

let looking = false;
let lookAgain = false;

/** Reads the tree anew, not more often than makes sense. */
async function look() {
  if (looking) { lookAgain = true; return; }
  looking = true;
  const target = state.target;
  try {
    const screen = await ask(`/ui/api/screen?${about(target)}`);
    if (target === state.target) {
      state.screen = screen;
      showScreen();
      await keepElement();
    }
  } catch (error) {
    // The next change brings the next look.
    if (!state.screen) $('no-elements').textContent = error.message;
  }
  setTimeout(() => { looking = false; if (lookAgain) { lookAgain = false; look(); } }, LOOK_EVERY);
}

/** A point of the picture in pixels of the device. */
function point(event) {
  const box = $('picture').getBoundingClientRect();
  const { width, height } = state.screen ?? {};
  if (!width || !box.width) return null;
  return { x: Math.round((event.clientX - box.left) / box.width * width), y: Math.round((event.clientY - box.top) / box.height * height) };
}

/** The smallest thing at a point, in the topmost window there. */
function under({ x, y }) {
  let best = null;
  const area = ({ bounds: [left, top, right, bottom] }) => (right - left) * (bottom - top);
  for (const node of state.screen?.nodes ?? []) {
    const [left, top, right, bottom] = node.bounds;
    if (!node.shown || x < left || x >= right || y < top || y >= bottom) continue;
    if (!best || node.layer > best.layer || (node.layer === best.layer && area(node) <= area(best))) best = node;
  }
  return best;
}

function outline(mark, node) {
  const picture = $('picture');
  mark.hidden = !node?.shown || picture.hidden;
  if (mark.hidden) return;
  const { width, height } = state.screen;
  const [left, top, right, bottom] = node.bounds;
  const across = picture.clientWidth / width;
  const down = picture.clientHeight / height;
  mark.style.left = `${left * across}px`;
  mark.style.top = `${top * down}px`;
  mark.style.width = `${(right - left) * across}px`;
  mark.style.height = `${(bottom - top) * down}px`;
}

const find = (id) => state.screen?.nodes.find((node) => node.id === id);

/** Puts the marks where their elements are now. */
function place() {
  outline($('chosen'), find(state.chosen));
}

function hover(node) {
  outline($('hover'), node);
  $('under').textContent = node ? `${node.role} ${node.label ? `“${node.label}”` : ''} ${node.id ?? ''}` : '\u00a0';
  $('tree').querySelector('.hovered')?.classList.remove('hovered');
  if (node?.id) $(rowId(node.id))?.classList.add('hovered');
}

$('stage').addEventListener('pointermove', (event) => {
  const at = point(event);
  hover(at && under(at));
});
$('stage').addEventListener('pointerleave', () => hover(null));
addEventListener('resize', place);

// ------------------------------------------------------------------------------------------------------------------- tree

const rowId = (id) => `row-${id}`;

function showScreen() {
  const nodes = state.screen?.nodes ?? [];
  const sought = $('search').value.trim().toLowerCase();
  const fits = (node) => !sought || (sought.startsWith('node_') ? node.id.startsWith(sought) : `${node.role} ${node.label ?? ''}`.toLowerCase().includes(sought));
  const listed = nodes.filter((node) => node.id && fits(node));
  $('count').textContent = nodes.length ? `${listed.length} of ${nodes.length + state.screen.left_out}` : '';
  $('no-elements').textContent = !state.screen ? 'Waiting for the elements' : sought ? 'Nothing here is called that.' : 'This screen tells of no elements.';
  const signature = JSON.stringify(listed.map(({ id, depth, role, label, shown: seen }) => [id, depth, role, label, seen]));
  if (signature !== $('tree').dataset.signature) {
    $('tree').dataset.signature = signature;
    $('tree').hidden = listed.length === 0;
    $('no-elements').hidden = listed.length > 0;
    $('tree').replaceChildren(...listed.map((node) => {
      const row = make('li', { role: 'treeitem', id: rowId(node.id), 'aria-level': node.depth + 1, 'aria-selected': 'false', class: node.shown ? '' : 'off' },
        make('span', { class: 'role' }, node.role), node.label && make('span', { class: 'label' }, node.label));
      row.style.setProperty('--depth', sought ? 0 : node.depth);
      row.dataset.id = node.id;
      return row;
    }));
  }
  markRow();
  place();
  showText();
}

function markRow() {
  for (const row of $('tree').querySelectorAll('[aria-selected="true"]')) row.setAttribute('aria-selected', 'false');
  const row = state.chosen && $(rowId(state.chosen));
  $('tree').setAttribute('aria-activedescendant', row ? row.id : '');
  row?.setAttribute('aria-selected', 'true');
}

function choose(id) {
  state.chosen = id;
  markRow();
  place();
  $(rowId(id))?.scrollIntoView({ block: 'nearest' });
  openTab('element');
  return showElement(id);
}

$('search').addEventListener('input', showScreen);
$('tree').addEventListener('click', attempt((event) => {
  const row = event.target.closest('li');
  if (row) return choose(row.dataset.id);
}));
$('tree').addEventListener('pointerover', (event) => hover(find(event.target.closest('li')?.dataset.id)));
$('tree').addEventListener('pointerleave', () => hover(null));
$('tree').addEventListener('keydown', attempt((event) => {
  const rows = [...$('tree').children];
  const at = rows.findIndex((row) => row.dataset.id === state.chosen);
  const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const row = rows[Math.max(0, Math.min(rows.length - 1, next))];
  if (row) return choose(row.dataset.id);
}));

// ---------------------------------------------------------------------------------------------------------------- element

function copied(text) {
  return make('div', { class: 'copy' }, make('code', {}, text),
    make('button', { type: 'button', 'aria-label': `Copy ${text}`, onclick: attempt(async () => { await navigator.clipboard.writeText(text); say('Copied'); }) }, 'Copy'));
}

async function showElement(id) {
  const element = await ask(`/ui/api/element?${about(state.target)}&id=${encodeURIComponent(id)}`);
  if (id === state.chosen) drawElement(element);
}

/** Keeps the chosen element as it is now. */
async function keepElement() {
  if (!state.chosen || !state.element) return;
  if (find(state.chosen)) await showElement(state.chosen);
  else drawElement({ ...state.element, obstacle: 'it is not on the screen any more' });
}

function drawElement(element) {
  const was = state.element;
  if (JSON.stringify(was) === JSON.stringify(element)) return;
  state.element = element;
  const facts = make('dl');
  const fact = (name, ...values) => facts.append(make('dt', {}, name), make('dd', {}, ...values));
  fact('id', copied(element.id));
  fact('selectors', ...(element.selectors.length ? element.selectors.map(copied) : ['none that means only this']));
  fact('path', copied(element.path));
  for (const [name, value] of Object.entries(element.attributes)) fact(name, value);
  const pressable = element.obstacle
    ? make('p', { class: 'cannot' }, `Cannot be pressed: ${element.obstacle}.`)
    : make('p', { class: 'can' }, 'Can be pressed.');
  // What a person is about to write, and where the keyboard is, outlast a change of the element.
  const controls = () => [...$('element').querySelectorAll('button, input')];
  const same = was?.id === element.id;
  const at = same ? controls().indexOf(document.activeElement) : -1;
  const press = (tool) => attempt(async () => hand(tool, { element_id: element.id }));
  const field = make('input', { 'aria-label': 'New text', autocomplete: 'off', spellcheck: 'false' });
  if (same) field.value = $('element').querySelector('input')?.value ?? '';
  const editable = element.attributes.state.includes('editable');
  const hands = state.control && !$('hands').hidden && make('div', { class: 'row', role: 'group', 'aria-label': 'Act on this element' },
    make('button', { type: 'button', onclick: press('click_element'), disabled: Boolean(element.obstacle) }, 'Click'),
    make('button', { type: 'button', onclick: press('long_click_element'), disabled: Boolean(element.obstacle) }, 'Long click'),
    ...(editable ? [field, make('button', { type: 'button', onclick: attempt(() => hand('set_text', { element_id: element.id, text: field.value })) }, 'Set text')] : []));
  $('element').replaceChildren(make('p', {}, make('code', {}, element.line)), pressable, ...(hands ? [hands] : []), facts);
  if (at >= 0) controls()[at]?.focus();
}

// ---------------------------------------------------------------------------------------------------- what a model reads

function showText() {
  const page = state.screen?.[$('format').value];
  $('text').textContent = page?.text ?? '';
  $('tokens').textContent = page ? `about ${page.tokens} tokens` : '';
}
$('format').addEventListener('change', showText);

// -------------------------------------------------------------------------------------------------------------------- log

const rows = new Map();
let mostRows = 500;
let latest = 0; // the number of the newest call

function showLog({ kept, most, calls }) {
  mostRows = most;
  rows.clear();
  latest = 0;
  $('doing').className = 'doing';
  $('doing').textContent = 'No calls yet';
  $('calls').replaceChildren();
  showNoCalls();
  $('log-note').textContent = kept ? '' : 'Calls are not kept (--no-history); those of now on are shown.';
  calls.forEach(showCall);
}

const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

function argumentText(value) {
  if (value && typeof value === 'object') {
    if (value.secret === true) return '(not kept)';
    if (value.characters !== undefined) return `(${counted(value.characters, 'character')}, not kept)`;
    if (value.items !== undefined) return `(${counted(value.items, 'item')})`;
    if (value.fields !== undefined) return `(${counted(value.fields, 'field')})`;
  }
  return JSON.stringify(value);
}

function showCall(call) {
  const word = call.outcome.replaceAll('_', ' ');
  const outcome = call.outcome === 'ok' ? 'ok' : call.outcome === 'running' ? 'running' : 'bad';
  // Which device it was is said by the call itself, where there are several.
  const told = Object.entries(call.arguments).filter(([name]) => name !== 'device' || !call.target);
  const named = told.map(([name, value]) => `${name}: ${argumentText(value)}`).join(', ');
  const at = (when) => `/ui/api/picture?call=${call.number}&when=${when}`;
  const picture = (when, there) => there && make('a', { href: at(when), target: '_blank', rel: 'noopener' },
    make('img', { alt: `Screen ${when} ${call.tool}`, loading: 'lazy', src: at(when) }));
  const [before, after] = call.pictures;
  const row = make('li', { class: call.step_of ? 'step' : '', 'data-acts': String(call.acts), 'data-number': call.number },
    make('div', { class: 'head' },
      make('span', { class: 'tool' }, call.tool),
      make('span', { class: outcome }, call.rule ? `${word} (${call.rule})` : word),
      make('span', { class: 'quiet' }, call.client),
      call.target && state.targets.length > 1 ? make('span', { class: 'quiet' }, call.target) : null,
      make('span', { class: 'quiet' }, `${call.duration_ms} ms`),
      call.tokens ? make('span', { class: 'quiet' }, `${call.tokens} tokens`) : null,
      make('time', { class: 'quiet', datetime: call.time }, call.time.slice(11, 23))),
    named ? make('div', { class: 'arguments' }, named) : null,
    call.effect ? make('div', { class: 'effect' }, call.effect) : null,
    before || after ? make('details', {}, make('summary', {}, 'Before and after'), ...[picture('before', before), picture('after', after)].filter(Boolean)) : null);
  row.hidden = $('only-acts').checked && !call.acts;
  const old = rows.get(call.number);
  if (old) old.replaceWith(row);
  else $('calls').prepend(row);
  rows.set(call.number, row);
  if (rows.size > mostRows) {
    const [first] = rows.keys();
    rows.get(first).remove();
    rows.delete(first);
  }
  if (call.number >= latest) {
    latest = call.number;
    $('doing').className = `doing ${outcome}`;
    $('doing').textContent = `${call.client}: ${call.tool}, ${word}`;
  }
  showNoCalls();
}

function showNoCalls() {
  const any = [...rows.values()].some((row) => !row.hidden);
  $('no-calls').hidden = any;
  $('no-calls').textContent = rows.size ? 'Nothing acted yet.' : 'Nothing yet. What agents and you do to the device appears here, the newest first.';
}

$('only-acts').addEventListener('change', () => {
  for (const row of rows.values()) row.hidden = $('only-acts').checked && row.dataset.acts !== 'true';
  showNoCalls();
});

// ------------------------------------------------------------------------------------------------------------------ hands

/** Calls a tool on the device that is shown, like any client. It is named even where it is the only one: it may be another by now. */
const call = (tool, given) => ask('/ui/api/call', { tool, arguments: { device: state.target, ...given } });

const replyText = (reply) => reply.content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n');

async function hand(tool, given) {
  const reply = await call(tool, given);
  $('hand-said').textContent = replyText(reply).split('\n')[0];
}

let pressed = null;
$('stage').addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return;
  event.preventDefault();
  $('stage').setPointerCapture(event.pointerId);
  pressed = { at: point(event), x: event.clientX, y: event.clientY, time: performance.now() };
});
$('stage').addEventListener('pointercancel', () => { pressed = null; });
$('stage').addEventListener('pointerup', attempt((event) => {
  const from = pressed;
  pressed = null;
  const to = point(event);
  if (!from?.at || !to) return undefined;
  if (!state.control || !$('touch').checked) {
    const node = under(to);
    return node?.id && choose(node.id);
  }
  const time = Math.round(performance.now() - from.time);
  if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > MOVED) {
    return hand('swipe', { x1: from.at.x, y1: from.at.y, x2: to.x, y2: to.y, duration: Math.max(100, Math.min(2000, time)) });
  }
  return hand(time > LONG_PRESS ? 'long_press' : 'tap', to);
}));
$('touch').addEventListener('change', () => $('stage').classList.toggle('touching', $('touch').checked));

for (const button of document.querySelectorAll('#hands [data-tool]')) button.addEventListener('click', attempt(() => hand(button.dataset.tool, {})));
for (const button of document.querySelectorAll('#hands [data-key]')) button.addEventListener('click', attempt(() => hand('press_key', { key: button.dataset.key })));
$('typing').addEventListener('submit', attempt(async (event) => {
  event.preventDefault();
  await hand('input_text', { text: $('typed').value });
  $('typed').value = '';
}));

// ------------------------------------------------------------------------------------------------------------------ tools

async function loadTools() {
  if (!state.control) return;
  const tools = await ask('/ui/api/tools');
  // What a person has filled in outlasts devices that come and go.
  if (JSON.stringify(tools) === JSON.stringify(state.tools)) return;
  state.tools = tools;
  const offered = new Set(state.tools.map(({ name }) => name));
  for (const button of document.querySelectorAll('#hands [data-tool]')) button.hidden = !offered.has(button.dataset.tool);
  for (const button of document.querySelectorAll('#hands [data-key]')) button.hidden = !offered.has('press_key');
  $('typing').hidden = !offered.has('input_text');
  const known = $('tool').value;
  $('tool').replaceChildren(...state.tools.map(({ name, title }) => make('option', { value: name }, title ?? name)));
  if (offered.has(known)) $('tool').value = known;
  showTool();
}

/** The control for one parameter, by its schema. What it holds is read by `valueOf`. */
function control(name, schema) {
  const kind = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const common = { name, id: `field-${name}`, 'data-kind': kind ?? 'string' };
  if (schema.enum) return make('select', common, make('option', { value: '' }, ''), ...schema.enum.map((value) => make('option', { value }, String(value))));
  if (kind === 'boolean') return make('select', common, ...['', 'true', 'false'].map((value) => make('option', { value }, value)));
  if (kind === 'object' || kind === 'array') return make('textarea', { ...common, spellcheck: 'false', placeholder: kind === 'array' ? '[ ]' : '{ }' });
  if (kind === 'integer' || kind === 'number') return make('input', { ...common, type: 'number', step: kind === 'integer' ? 1 : 'any', min: schema.minimum, max: schema.maximum });
  return make('input', { ...common, autocomplete: 'off', spellcheck: 'false' });
}

function valueOf(field) {
  switch (field.dataset.kind) {
    case 'boolean': return field.value === 'true';
    case 'integer': case 'number': return Number(field.value);
    case 'object': case 'array': return JSON.parse(field.value);
    default: return field.value;
  }
}

function showTool() {
  const tool = state.tools.find(({ name }) => name === $('tool').value);
  if (!tool) return;
  const { properties: { device, ...properties } = {}, required = [] } = tool.inputSchema;
  $('tool-about').textContent = tool.description;
  $('call').replaceChildren(...Object.entries(properties).map(([name, schema]) => make('div', { class: 'field' },
    make('label', { for: `field-${name}` }, required.includes(name) ? `${name} (required)` : name), control(name, schema),
    make('small', {}, schema.description ?? ''))), make('div', {}, make('button', { class: 'primary' }, `Call ${tool.name}`)));
  $('reply').hidden = true;
}

$('tool').addEventListener('change', showTool);
$('call').addEventListener('submit', attempt(async (event) => {
  event.preventDefault();
  const given = {};
  for (const field of $('call').querySelectorAll('[name]')) {
    if (field.value !== '') given[field.name] = valueOf(field);
  }
  const reply = await call($('tool').value, given);
  $('reply').hidden = false;
  $('reply').textContent = `${reply.isError ? 'It failed. ' : ''}${replyText(reply) || JSON.stringify(reply.structuredContent ?? {}, null, 2)}`;
}));

// -------------------------------------------------------------------------------------------------------------- recording

function showRecording(recording) {
  const steps = recording?.steps ?? [];
  const waits = Boolean(recording) && !recording.on;
  $('record-start').hidden = Boolean(recording?.on);
  // What would lose the steps is not what is offered first.
  $('record-start').textContent = waits ? 'Record again' : 'Record';
  $('record-start').classList.toggle('primary', !waits);
  $('record-replay').classList.toggle('primary', waits);
  $('record-stop').hidden = !recording?.on;
  $('record-replay').hidden = !recording || recording.on || steps.length === 0;
  $('record-clear').hidden = !recording || recording.on;
  $('downloads').hidden = recording?.replayed !== true;
  $('record-said').textContent = !recording ? ''
    : recording.on ? `Recording on ${recording.target}${recording.full ? '; no more steps fit' : ''}`
      : recording.replayed === true ? 'Replayed to the end: it works.'
        : recording.replayed === false ? `The replay stopped: ${recording.why}`
          : recording.withheld ? 'A text was not kept, because it may be a password: give it as the secret RECORDED, then replay.'
            : 'Bring the device to where it began, then replay it once. Only what works can be saved.';
  $('steps').replaceChildren(...steps.map(({ tool, arguments: given, expect }) => make('li', {}, make('code', {}, `${tool} ${Object.values(given).map((value) => typeof value === 'string' ? value : JSON.stringify(value)).join(' ')}`),
    expect ? make('span', { class: 'quiet' }, ` then ${expect[0].element}`) : null)));
}

const record = (what) => attempt(async () => showRecording(await ask('/ui/api/record', { do: what, target: state.target })));

// ------------------------------------------------------------------------------------------------------- tabs and buttons

const tabs = [...document.querySelectorAll('[role="tab"]')];

function openTab(name) {
  for (const tab of tabs) {
    const open = tab.id === `tab-${name}`;
    tab.setAttribute('aria-selected', String(open));
    tab.tabIndex = open ? 0 : -1;
    $(tab.getAttribute('aria-controls')).hidden = !open;
  }
}

for (const tab of tabs) {
  const name = tab.getAttribute('aria-controls');
  tab.addEventListener('click', () => openTab(name));
  tab.addEventListener('keydown', (event) => {
    const there = tabs.filter((one) => !one.hidden);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = there[(there.indexOf(tab) + step + there.length) % there.length];
    openTab(next.getAttribute('aria-controls'));
    next.focus();
  });
}

$('target').addEventListener('change', () => watch($('target').value));
$('pause').addEventListener('click', steer('paused'));
$('take-over').addEventListener('click', attempt(async () => {
  await steer('taken over')();
  $('touch').checked = true;
  $('stage').classList.add('touching');
}));
$('resume').addEventListener('click', steer('running'));
$('stop').addEventListener('click', steer('stopped'));
for (const what of ['start', 'stop', 'replay', 'clear']) $(`record-${what}`).addEventListener('click', record(what));

attempt(load)();
