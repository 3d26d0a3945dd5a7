/**
 * Writes docs/screens/*.svg: runs the built command in a pseudo-terminal on a project for show, drives it to each
 * screen, and draws what a person would see. Words choose screens: `node scripts/write-screens.mjs list call`.
 */
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { SerializeAddon } from '@xterm/addon-serialize';
import xterm from '@xterm/headless';
import { root } from './import-source.mjs';

const TIMEOUT_MS = 60_000;
const background = '#16181d';

const book = { book: '1', copies: 2, gift: true };
const address = { street: 'Nowy Świat 1', city: 'Warszawa', postcode: '00001' };
const orders = 'src/capabilities/orders';
const books = 'src/capabilities/books';

/** `steps`: keys, and the text that they lead to. One that `serves` is that of a server that has answered requests. */
const screens = {
  home: {
    serves: true,
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
  dev: { serves: true, columns: 130, rows: 34, steps: [] },
  requests: { serves: true, columns: 110, steps: [['2', /\[2 requests/]] },
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
      ['G', /│ +breaking +input/],
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
const titles = { home: 'capix', requests: 'capix dev' };

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(screens);
for (const name of wanted) await writeScreen(name, screens[name]);

async function writeScreen(
  name,
  { edits = [], serves = false, opens, isOutside = false, steps, ...size },
) {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'capix-screens-')));
  const folder = await makeProject(outside, edits);
  const opened = [];
  const open = (words) => {
    const terminal = openTerminal(words, { cwd: isOutside ? outside : folder, ...size });
    opened.push(terminal);
    return terminal;
  };
  try {
    let terminal = serves ? await openServer(open) : undefined;
    if (opens !== undefined) terminal = open(opens);
    for (const [keys, text] of steps) await terminal.press(keys, text);
    await sleep(1_000); // A frame may arrive in parts.
    const svg = toSvg(terminal.window, titles[name] ?? `capix ${name}`);
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
  await symlink(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'), 'junction');
  for (const [path, change] of edits)
    await writeFile(join(folder, path), change(await readFile(join(folder, path), 'utf8')));
  return folder;
}

async function openServer(open) {
  const port = await findFreePort();
  const terminal = open(['dev', '--port', String(port)]);
  await terminal.press('', /Started in/);
  const ask = async (path, body) => {
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    await (await fetch(`http://localhost:${port}${path}`, body && post)).text();
  };
  for (const path of ['', '/1', '/7', '?limit=900', '/recommend?mood=calm'])
    await ask(`/books${path}`);
  await ask('/orders');
  await ask('/orders', { ...book, address });
  await terminal.press('', /requests 7/);
  return terminal;
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
  const colors = {
    red: '#f2777a',
    green: '#8fd18a',
    yellow: '#e5c06d',
    blue: '#74a8f0',
    cyan: '#5fc8d0',
  };
  const theme = { background, foreground: '#d8dbe2', ...colors };
  const window = new xterm.Terminal({ cols: columns, rows, theme, allowProposedApi: true });
  const { CI: _ci, NO_COLOR: _noColor, PORT: _port, ...environment } = process.env;
  // Paths are shown from the home folder on.
  const env = {
    ...environment,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    PORT: '1',
    HOME: dirname(cwd),
  };
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), ...words], {
    cols: columns,
    rows,
    cwd,
    env,
  });
  let isOver = false;
  const ended = new Promise((resolve) => child.onExit(resolve)).then(() => (isOver = true));
  child.onData((data) => window.write(data));
  window.onData((reply) => !isOver && child.write(reply));
  window.parser.registerOscHandler(11, () => {
    child.write(`\u001B]11;rgb:${background.match(/[\da-f]{2}/g).join('/')}\u001B\\`);
    return true;
  });
  const read = () => {
    const { active } = window.buffer;
    const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.viewportY + row));
    return lines.map((line) => line?.translateToString(true)).join('\n');
  };
  return {
    window,
    press: async (keys, text) => {
      child.write(keys);
      const until = Date.now() + TIMEOUT_MS;
      while (!text.test(read())) {
        if (Date.now() > until)
          throw new Error(`The screen never showed ${text}. It shows:\n${read()}`);
        await sleep(50);
      }
    },
    close: async () => {
      if (!isOver) child.kill('SIGTERM');
      await ended;
      window.dispose();
    },
  };
}

/** The window as an SVG, with a title for people who do not see it. */
function toSvg(window, title) {
  const serializer = new SerializeAddon();
  window.loadAddon(serializer);
  const html = serializer.serializeAsHTML({ scrollback: 0, includeGlobalBackground: true });
  const [, lines] = /<pre><div[^>]*>(.*)<\/div><\/pre>/s.exec(html);
  const [width, height] = [Math.ceil(window.cols * 8.45) + 28, window.rows * 18 + 44];
  const font =
    "font: 14px/18px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const look = 'font-family="monospace" font-size="12" text-anchor="middle" fill="#9aa2b1"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">
<title>${title}</title>
<rect width="${width}" height="${height}" rx="8" fill="#2b2f38"/>
<rect y="22" width="${width}" height="${height - 22}" rx="8" fill="${background}"/>
<text x="${width / 2}" y="15.5" ${look}>${title}</text>
<foreignObject x="14" y="30" width="${width - 14}" height="${height - 30}">
<div xmlns="http://www.w3.org/1999/xhtml" style="${font}; white-space: pre; color: #d8dbe2">${lines}</div>
</foreignObject>
</svg>
`;
}
