/**
 * Writes docs/screens/*.svg: runs the built command in a pseudo-terminal on a project for show, drives it to each
 * screen, and draws what a person would see. Words choose screens: `node scripts/write-screens.mjs list call`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawFrames, readFrame } from './draw-screen.mjs';
import { root } from './import-source.mjs';
import { openTerminal } from './open-terminal.mjs';

const book = { book: '1', copies: 2, gift: true };
const address = { street: 'Nowy Świat 1', city: 'Warszawa', postcode: '00001' };
const orders = 'src/capabilities/orders';
const books = 'src/capabilities/books';
const getOrder = `import * as z from 'zod';
import { cap } from '../../context.js';

export const getOrder = cap(z.object({ id: z.string() }), ({ id }) => ({ id, status: 'sent' as const }))
  .output(z.object({ id: z.string(), status: z.enum(['open', 'sent']) }))
  .describe('Says where an order is.');
`;

/** Requests that a server has answered before its screen is drawn. */
const visits = [
  ['/books'],
  ['/books/1'],
  ['/books/7'],
  ['/books?limit=900'],
  ['/books/recommend?mood=calm'],
  ['/orders'],
  ['/orders', { ...book, address }],
];

/** The handler of orders writes a line into the log. */
const logging = [
  `${orders}/create-order.ts`,
  (text) =>
    text.replace('  return {', "  console.log('Order o-1001: %d × %s', copies, book);\n  return {"),
];

const toListOrders = (body) => `import { PGlite } from '@electric-sql/pglite';
import { defineGuard, trace } from 'capix';
import { cap } from '../../context.js';

let opened: Promise<PGlite> | undefined;
const open = async () => {
  const db = await PGlite.create();
  await db.exec(\`
    create table sessions (token text); create table orders (id int); create table lines (order_id int, book text);
    insert into orders select generate_series(1, 22); insert into lines select generate_series(1, 22), 'Dune';
  \`);
  return db;
};
const query = async (text: string, values: unknown[] = []) => {
  const db = await (opened ??= open());
  return trace('db', text, () => db.query<{ id: number }>(text, values));
};
const rates = \`http://localhost:\${process.env['PORT']}/books?limit=1\`;
const mustBeUser = defineGuard(async function mustBeUser() {
  await query('select * from sessions where token = $1', ['t-1']);
});

export const listOrders = cap.guard(mustBeUser)(async () => {
${body}
  await fetch(rates);
  return rows.map(({ id }) => id);
});
`;
/** Each order asks for its lines. */
const oftenAsking = [
  `${orders}/list-orders.ts`,
  () =>
    toListOrders(`  const { rows } = await query('select * from orders');
  for (const { id } of rows) await query('select * from lines where order_id = $1', [id]);`),
];
const onceAsking = () =>
  toListOrders(
    "  const { rows } = await query('select * from orders join lines on order_id = id');",
  );
/** The second request of a server is as fast as those after it. */
const askOrders = async ({ ask }) => {
  await ask('/orders');
  await ask('/orders');
};
/** The last request of orders, by the filter of the requests. */
const chooseOrders = [
  [askOrders, /requests 4/],
  ['2', /\[2 requests/],
  ['/', /words|Filter|\//],
  ['listOrders\r', /listOrders/],
];

/**
 * `steps`: keys, or what happens, and the text that it leads to. One that `serves` is that of a server that has answered
 * these requests. One that `moves` has a frame after each step, of so many seconds.
 */
const screens = {
  home: {
    serves: visits,
    opens: [],
    columns: 130,
    rows: 26,
    steps: [['', /9 in 2 groups[^]*Slowest +[\d.]+ m?s/]],
  },
  list: {
    opens: ['list'],
    columns: 120,
    steps: [
      ['', /orders\.cancel/],
      ['jjj', /❯ books\.updateBook/],
    ],
  },
  show: { opens: ['show', 'books.updateBook'], rows: 32, steps: [['', /PATCH \/books\/:id/]] },
  check: {
    edits: [
      [
        `${orders}/list-orders.ts`,
        (text) => `${text}\nexport const findOrders = authCap(() => []);\n`,
      ],
      [`${orders}/index.ts`, (text) => text.replace('listOrders', 'findOrders, listOrders')],
      [`${books}/delete-book.ts`, (text) => text.replace('undefined)', "undefined, 'query')")],
    ],
    opens: ['check'],
    columns: 120,
    rows: 20,
    steps: [['', /duplicate-route/]],
  },
  call: {
    opens: ['call', 'orders.createOrder', JSON.stringify({ ...book, address })],
    columns: 110,
    steps: [['', /sentTo: "Warszawa"/]],
  },
  dev: { edits: [logging], serves: visits, columns: 130, rows: 34, steps: [['', /Order o-1001/]] },
  requests: { serves: visits, columns: 110, steps: [['2', /\[2 requests/]] },
  'slow-request': {
    edits: [oftenAsking],
    serves: [],
    columns: 120,
    rows: 40,
    steps: [...chooseOrders, ['\r', /Where the time went/]],
  },
  waterfall: {
    edits: [oftenAsking],
    serves: [],
    columns: 120,
    rows: 40,
    steps: [...chooseOrders, ['\r', /Where the time went/], ['\r', /▾ handler/]],
  },
  again: {
    edits: [oftenAsking],
    serves: [],
    columns: 130,
    rows: 40,
    steps: [
      ...chooseOrders,
      [({ edit }) => edit(`${orders}/list-orders.ts`, onceAsking), /Reloaded/],
      [askOrders, /requests 8/],
      ['jj', /requests 8/],
      ['a', /Before: .*db 24/],
    ],
  },
  minute: {
    edits: [logging],
    isCommitted: true,
    moves: 2.5,
    serves: [],
    columns: 120,
    rows: 26,
    steps: [
      ['', /Nothing has been written/],
      [({ ask }) => ask('/books/1'), /requests 1/],
      [({ ask }) => ask('/books/7'), /404/],
      [({ ask }) => ask('/orders', { ...book, address }), /Order o-1001/],
      [
        async ({ edit }) => {
          await edit(`${orders}/get-order.ts`, () => getOrder);
          await edit(
            `${orders}/index.ts`,
            (text) => `${text}export { getOrder } from './get-order.js';\n`,
          );
        },
        /routes 10/,
      ],
      [({ ask }) => ask('/orders/o-1001'), /requests 4/],
      [
        ({ edit }) =>
          edit(`${orders}/create-order.ts`, (text) => text.replace('max(10)', 'max(5)')),
        /break/,
      ],
      ['d', /Breaking|breaking/],
    ],
  },
  openapi: {
    opens: ['openapi', '--title', 'Bookshop'],
    columns: 120,
    steps: [
      ['', /info: Bookshop/],
      ['/', /words:/],
      ['get 200', /found/],
      ['\r', /❯/],
      ['jjjj', /❯ +[▸▾]/],
    ],
  },
  diff: {
    edits: [
      [
        `${orders}/create-order.ts`,
        (text) => text.replace('max(10)', 'max(5)').replace('.default(false)', ''),
      ],
      [`${books}/book.ts`, (text) => text.replace("'audio']", "'audio', 'comic']")],
      [`${orders}/index.ts`, (text) => text.replace(/.*cancel.*\n/, '')],
    ],
    opens: ['diff', 'old/src/capabilities.ts', 'src/capabilities.ts'],
    columns: 120,
    steps: [
      ['', /Removed \(1\)/],
      ['jjjjjjj', /❯ +✗ copies has/],
    ],
  },
  new: {
    opens: ['new'],
    isOutside: true,
    steps: [
      ['', /What is it called\?/],
      ['library', /Enter makes library/],
    ],
  },
};
/** Screens that are not named as their command. */
const ofDev = ['requests', 'minute', 'slow-request', 'waterfall', 'again'];
const titles = { home: 'capix', ...Object.fromEntries(ofDev.map((name) => [name, 'capix dev'])) };

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(screens);
for (const name of wanted) await writeScreen(name, screens[name]);

async function writeScreen(
  name,
  { edits = [], isCommitted = false, serves, opens, isOutside = false, steps, moves, ...size },
) {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'capix-screens-')));
  const folder = await makeProject(outside, edits);
  if (isCommitted) commitAll(folder);
  const opened = [];
  const open = (words) => {
    const terminal = openTerminal(words, { cwd: isOutside ? outside : folder, ...size });
    opened.push(terminal);
    return terminal;
  };
  try {
    const port = await findFreePort();
    let terminal = serves && (await openServer(open, port, serves));
    if (opens !== undefined) terminal = open(opens);
    const edit = (path, change) => editFile(folder, path, change);
    const ask = (path, body) => askServer(port, path, body);
    const frames = [];
    for (const [step, text] of steps) {
      if (typeof step === 'string') await terminal.press(step, text);
      else await step({ ask, edit });
      await terminal.press('', text);
      await sleep(1_000); // A frame may arrive in parts.
      frames.push(readFrame(terminal.window));
    }
    const svg = drawFrames(moves ? frames : frames.slice(-1), {
      title: titles[name] ?? `capix ${name}`,
      columns: terminal.window.cols,
      seconds: moves,
    });
    // The same screen is the same file, whenever it is drawn.
    const file = join(root, 'docs', 'screens', `${name}.svg`);
    await writeFile(file, svg.replace(/\b\d\d:\d\d:\d\d\b/g, '10:24:00'));
    process.stdout.write(`docs/screens/${name}.svg\n`);
  } finally {
    for (const { close } of opened) await close();
    await rm(outside, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The project for show, with this checkout as its capix, and beside it in `old` as it was before the edits. */
async function makeProject(outside, edits) {
  const folder = join(outside, 'bookshop');
  await cp(join(root, 'test', 'fixtures', 'bookshop'), folder, { recursive: true });
  await cp(join(folder, 'src'), join(folder, 'old', 'src'), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'capix'), 'junction');
  for (const name of ['zod', '@electric-sql'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  for (const [path, change] of edits) await editFile(folder, path, change);
  return folder;
}

async function editFile(folder, path, change) {
  const file = join(folder, path);
  await writeFile(file, change(existsSync(file) ? await readFile(file, 'utf8') : ''));
}

function commitAll(folder) {
  const git = (...words) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' });
  git('init', '--initial-branch', 'main');
  git('add', 'src', 'package.json');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-m', 'Sell books');
}

async function openServer(open, port, requests) {
  const terminal = open(['dev', '--port', String(port)]);
  await terminal.press('', /Started in/);
  for (const [path, body] of requests) await askServer(port, path, body);
  await terminal.press('', new RegExp(`requests ${requests.length}`));
  return terminal;
}

async function askServer(port, path, body) {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  await (await fetch(`http://localhost:${port}${path}`, body && post)).text();
}

/** The port that a server of a new project has, or another one where that is taken. */
async function findFreePort() {
  return (await listenOnce(3000)) ?? listenOnce(0);
}

function listenOnce(port) {
  return new Promise((resolve) => {
    const server = createServer()
      .on('error', () => resolve(undefined))
      .listen(port, () => {
        const { port: taken } = server.address();
        server.close(() => resolve(taken));
      });
  });
}
