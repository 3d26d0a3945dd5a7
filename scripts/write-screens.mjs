/**
 * Writes docs/screens/*.svg: the built command is run in a pseudo-terminal on a project for show, driven to each screen, and what a person would see
 * is drawn. Names on the command line choose screens: `node scripts/write-screens.mjs list call`.
 */
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { background, toTerminalSvg } from './terminal-svg.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SCREEN_TIMEOUT_MS = 60_000;
const down = '\u001B[B';

/** Each gets a fresh project, opens the command and drives it to what is drawn. */
const screens = {
  home: async (stage) => {
    await openServer(stage);
    const screen = stage.open([], { columns: 130, rows: 26 });
    await screen.waitFor(/9 in 2 groups[^]*Slowest +[\d.]+ m?s/);
    return screen;
  },
  list: async ({ open }) => {
    const screen = open(['list'], { columns: 120 });
    await screen.waitFor('orders.cancel');
    await screen.press('jjj', /❯ books\.updateBook/);
    return screen;
  },
  show: async ({ open }) => {
    const screen = open(['show', 'books.updateBook'], { rows: 32 });
    await screen.waitFor(/PATCH \/books\/:id/);
    return screen;
  },
  check: async ({ open, edit }) => {
    await edit(
      'src/capabilities/orders/list-orders.ts',
      (text) => `${text}\nexport const findOrders = authCap(() => []);\n`,
    );
    await edit('src/capabilities/orders/index.ts', (text) => text.replace('listOrders', 'findOrders, listOrders'));
    await edit('src/capabilities/books/delete-book.ts', (text) =>
      text.replace(' }), ', ' }), ').replace('undefined)', "undefined, 'query')"),
    );
    const screen = open(['check'], { columns: 120, rows: 20 });
    await screen.waitFor('duplicate-route');
    return screen;
  },
  call: async ({ open }) => {
    const order = {
      book: '1',
      copies: 2,
      gift: true,
      address: { street: 'Nowy Świat 1', city: 'Warszawa', postcode: '00-01' },
    };
    const screen = open(
      ['call', 'orders.createOrder', JSON.stringify({ ...order, address: { ...order.address, postcode: '00001' } })],
      { columns: 110 },
    );
    await screen.waitFor('sentTo: "Warszawa"');
    return screen;
  },
  dev: async (stage) => openServer(stage, { columns: 130, rows: 34 }),
  requests: async (stage) => {
    const screen = await openServer(stage);
    await screen.press('2', /\[2 requests/);
    return screen;
  },
  openapi: async ({ open }) => {
    const screen = open(['openapi', '--title', 'Bookshop'], { columns: 120 });
    await screen.waitFor('info: Bookshop');
    await screen.press('/', 'words:');
    await screen.press('get 200', /places/);
    await screen.press('\r', (shown) => !shown.includes('Enter keep'));
    await screen.press('jjjj', /❯ +▸ schema|❯ +▾ /);
    return screen;
  },
  diff: async ({ open, edit, folder }) => {
    await cp(join(folder, 'src'), join(folder, 'old', 'src'), { recursive: true });
    await edit('src/capabilities/orders/create-order.ts', (text) =>
      text.replace('max(10)', 'max(5)').replace('gift: z.boolean().default(false)', 'gift: z.boolean()'),
    );
    await edit('src/capabilities/books/book.ts', (text) => text.replace("'audio']", "'audio', 'comic']"));
    await edit('src/capabilities/orders/index.ts', (text) => text.replace(/.*cancel.*\n/, ''));
    const screen = open(['diff', 'old/src/capabilities.ts', 'src/capabilities.ts'], { columns: 120 });
    await screen.waitFor('Removed (1)');
    await screen.press('G', /│ +breaking +input/);
    return screen;
  },
  new: async ({ open, outside }) => {
    const screen = open(['new'], { cwd: outside });
    await screen.waitFor('What is it called?');
    await screen.press('bookshop', 'Enter makes bookshop');
    await screen.press(`${down}${down}${down}`, /❯ Agent notes/);
    return screen;
  },
};

/** `capix dev` with a server that has answered a few requests. */
async function openServer({ open, port, ask }, size = { columns: 110 }) {
  const screen = open(['dev', '--port', String(port)], size);
  await screen.waitFor('Started in');
  for (const path of ['/books', '/books/1', '/books/7', '/books?limit=900', '/orders', '/books/recommend?mood=calm'])
    await ask(path);
  await ask('/orders', { book: '1', copies: 10, address: { street: 'a', city: 'b', postcode: '00001' } });
  await screen.waitFor('requests 7');
  return screen;
}

/** Screens that are not named as their command. */
const titles = { home: '', requests: 'dev' };

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(screens);
for (const name of wanted) {
  if (!Object.hasOwn(screens, name)) throw new Error(`There is no screen ${name}: ${Object.keys(screens).join(', ')}.`);
  await writeScreen(name);
}

async function writeScreen(name) {
  const folder = await makeProject();
  const outside = await mkdtemp(join(tmpdir(), 'capix-screens-'));
  const open = [];
  try {
    const port = await findFreePort();
    const screen = await screens[name]({
      folder,
      outside,
      port,
      open: (words, options) => {
        const opened = openTerminal(words, { cwd: folder, ...options });
        open.push(opened);
        return opened;
      },
      edit: async (path, change) => {
        const file = join(folder, path);
        await writeFile(file, change(await readFile(file, 'utf8')));
      },
      ask: (path, body) =>
        fetch(
          `http://localhost:${port}${path}`,
          body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        ).then((response) => response.text()),
    });
    await screen.settled();
    const file = join(root, 'docs', 'screens', `${name}.svg`);
    await mkdir(dirname(file), { recursive: true });
    const svg = toTerminalSvg(screen.window, `capix ${titles[name] ?? name}`.trim());
    // The same screen is the same file, whenever it is drawn.
    await writeFile(file, svg.replace(/\b\d\d:\d\d:\d\d\b/g, '10:24:00'));
    process.stdout.write(`docs/screens/${name}.svg\n`);
  } finally {
    for (const { close } of open) await close();
    for (const made of [dirname(folder), outside]) await rm(made, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The project for show in a folder called `bookshop`, with this checkout as its capix. */
async function makeProject() {
  const folder = join(await realpath(await mkdtemp(join(tmpdir(), 'capix-screens-'))), 'bookshop');
  await cp(join(root, 'test', 'fixtures', 'bookshop'), folder, { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'capix'), 'junction');
  await symlink(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'), 'junction');
  return folder;
}

function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The built command in a pseudo-terminal. */
function openTerminal(words, { cwd, columns = 90, rows = 24 }) {
  const window = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const { CI: _ci, NO_COLOR: _noColor, PORT: _port, ...environment } = process.env;
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), ...words], {
    cols: columns,
    rows,
    cwd,
    // Paths are shown from the home folder on.
    env: { ...environment, TERM: 'xterm-256color', COLORTERM: 'truecolor', PORT: '1', HOME: dirname(cwd) },
  });
  const looks = new Set();
  let isOver = false;
  const ended = new Promise((resolve) => child.onExit(resolve)).then(() => (isOver = true));
  child.onData((data) => window.write(data, () => looks.forEach((look) => look())));
  window.onData((reply) => !isOver && child.write(reply));
  window.parser.registerOscHandler(11, () => {
    child.write(`\u001B]11;rgb:${toParts(background)}\u001B\\`);
    return true;
  });
  const read = () => {
    const { active } = window.buffer;
    return Array.from({ length: rows }, (_, row) =>
      active.getLine(active.viewportY + row)?.translateToString(true),
    ).join('\n');
  };
  const waitFor = (condition) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        looks.delete(look);
        reject(new Error(`The screen never showed ${condition}. It shows:\n${read()}`));
      }, SCREEN_TIMEOUT_MS);
      const look = () => {
        if (!matches(read(), condition)) return;
        clearTimeout(timer);
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  return {
    window,
    waitFor,
    press: (keys, condition) => {
      child.write(keys);
      return waitFor(condition);
    },
    settled: () => toSettled(looks),
    close: async () => {
      if (!isOver) child.kill('SIGTERM');
      await ended;
      window.dispose();
    },
  };
}

/** `'16/18/1d'`: a colour as a terminal says it. */
function toParts(color) {
  return color.match(/[\da-f]{2}/g).join('/');
}

function matches(shown, condition) {
  if (typeof condition === 'string') return shown.includes(condition);
  return condition instanceof RegExp ? condition.test(shown) : condition(shown);
}

/** Resolves when nothing was drawn for a while: a frame may come in parts. */
function toSettled(looks) {
  return new Promise((resolve) => {
    const done = () => {
      looks.delete(restart);
      resolve();
    };
    let timer = setTimeout(done, 700);
    const limit = setTimeout(done, 5000);
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(done, 700);
      limit.unref();
    };
    looks.add(restart);
  });
}
