import { chmod, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openProject } from '../helpers/fixture-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { type OpenTerminal, openTerminal, type TerminalOptions } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const capabilities = `import { capability, withCaller } from 'capix';
import * as z from 'zod';

const order = z.object({
  customer: z.string().min(3),
  express: z.boolean().optional(),
  size: z.enum(['small', 'large']).optional(),
  lines: z.array(z.object({ sku: z.string(), count: z.number().int().positive() })).optional(),
});

export const capabilities = {
  orders: {
    createOrder: capability(order, (input) => ({ id: 'o1', ...input })),
    listOrders: capability(() => {
      console.log('listing \\u001b[31mall');
      return ['o1', 'o2'];
    }),
    mergeOrders: capability.use(withCaller)(async (_input, { elicit }) => {
      const answer = await elicit('Merge them?', z.object({ reason: z.string().min(3), keep: z.boolean() }));
      return answer.action === 'accept' ? answer.content : answer.action;
    }),
    failOrder: capability(() => {
      throw new Error('the shelf is empty');
    }),
    throwText: capability(() => {
      console.error('before it threw');
      throw 'only a text';
    }),
    crashLater: capability(() => {
      setTimeout(() => {
        throw new Error('nobody was there');
      });
      return new Promise(() => {});
    }),
    readText: capability(() => ({ text: 'a long sentence, '.repeat(60) + 'and its end' })),
  },
};
`;

async function open(key: string, options: TerminalOptions = {}) {
  const project = await openProject({ 'src/capabilities.ts': capabilities });
  terminal = openTerminal(['call', key], {
    cwd: project.root,
    ...options,
    env: { PAGER: pager, ...options.env },
  });
  await terminal.waitFor('in this process');
  return { terminal, project };
}

/** Says what it was given, and waits. */
const pager = `${process.execPath} -e "console.log('the pager has', require('path').basename(process.argv[1])); setTimeout(() => {}, 60_000)"`;

const down = '\u001B[B';

it('asks what the capability asks, again where the answer does not fit, and goes on with the answer, a decline or a cancel', async () => {
  const { terminal } = await open('orders.mergeOrders', { columns: 120, rows: 30 });
  terminal.type('\r');
  await terminal.waitFor(/reason\*[^]*The capability asks[^]*Merge them\?/);
  terminal.type('no\t \r');
  await terminal.waitFor(/✗ Too small/);
  terminal.type('ne\r');
  await terminal.waitFor(/reason: "none"[^]*keep: true/);
  terminal.type('\r');
  await terminal.waitFor('The capability asks');
  terminal.type('\u001Bn');
  await terminal.waitFor('data: "decline"');
  terminal.type('\r');
  await terminal.waitFor('The capability asks');
  terminal.type('\u001B');
  await terminal.waitFor('data: "cancel"');
});

it('fills in text, toggle, picker and list, and answers with what the handler gave', async () => {
  const { terminal } = await open('orders.createOrder', { columns: 120, rows: 40 });
  await terminal.waitFor('required: string');
  terminal.type('Ad');
  await terminal.waitFor('✗ Too small');
  terminal.type('a');
  await terminal.waitFor((shown) => !shown.includes('✗'));
  terminal.type(`${down} `);
  await terminal.waitFor('< true >');
  terminal.type(`${down}  `);
  await terminal.waitFor('< "large" >');
  terminal.type(`${down}+`);
  await terminal.waitFor('[1 item]');
  terminal.type(`A-1${down}2`);
  await terminal.waitFor(/count\* +2/);
  terminal.type('\r');
  await terminal.waitFor(/200 .* ms/);
  for (const text of [
    'id: "o1"',
    'customer: "Ada"',
    'express: true',
    'size: "large"',
    'sku: "A-1"',
    'count: 2',
  ])
    await terminal.waitFor(text);
});

it('answers what takes no input, queries the answer, writes what is found, folds and copies it', async () => {
  const { terminal } = await open('orders.listOrders');
  await terminal.waitFor('It takes no input.');
  terminal.type('\r');
  await terminal.waitFor('1: "o2"');
  terminal.resize(30, 8);
  await terminal.waitFor('make it');
  terminal.resize(80, 24);
  await terminal.waitFor('1: "o2"');
  terminal.type('\u000F');
  await terminal.waitFor('y copy');
  terminal.type('y');
  await terminal.waitFor('Sent the answer');
  const copied = /\u001B\]52;c;([A-Za-z0-9+/=]+)\u0007/.exec(terminal.output())?.[1] ?? '';
  expect(JSON.parse(Buffer.from(copied, 'base64').toString())).toEqual({ data: ['o1', 'o2'] });
  terminal.type('$.data[1]\r');
  await terminal.waitFor((shown) => shown.includes('"o2"') && !shown.includes('"o1"'));
  terminal.type('w');
  await terminal.waitFor(/Write to \S+\.json/);
  terminal.type('\r');
  await terminal.waitFor(/Wrote \S+\.json/);
  terminal.type('\u001B');
  await terminal.waitFor('0: "o1"');
  terminal.type('h');
  await terminal.waitFor((shown) => !shown.includes('1: "o2"'));
  terminal.type('j\r');
  await terminal.waitFor(/log {2}1[^]*listing all/);
  terminal.type('o');
  await terminal.waitFor('the pager has answer.json');
});

it('shows where the code threw and leads there, shows what it threw, printed and left uncaught, and opens what is long', async () => {
  const { terminal, project } = await open('orders.failOrder', { env: { EDITOR: './vim' } });
  await project.write('vim', '#!/bin/sh\necho "$@" > edited.txt\n');
  await chmod(join(project.root, 'vim'), 0o755);
  terminal.type('\r');
  await terminal.waitFor('Error: the shelf is empty');
  await terminal.waitFor('500');
  await terminal.waitFor("throw new Error('the shelf is empty')");
  terminal.type('\u000Fe');
  const thrownAt =
    capabilities.split('\n').findIndex((line) => line.includes('the shelf is empty')) + 1;
  await expect
    .poll(() => readFile(join(project.root, 'edited.txt'), 'utf8').catch(() => ''))
    .toMatch(new RegExp(`^\\+${thrownAt} .*src/capabilities\\.ts\\n`));
  await terminal.waitFor('y copy');

  const call = async (key: string): Promise<void> => {
    terminal.type(`\u0010call ${key}\r`);
    await terminal.waitFor(new RegExp(`call ▸ ${key.replace('.', '\\.')}[^]*No call yet`));
    terminal.type('\r');
  };
  await call('orders.throwText');
  await terminal.waitFor(/500[^]*only a text[^]*log {2}1[^]*before it threw/);
  await call('orders.crashLater');
  await terminal.waitFor('The code ended the process.');
  await terminal.waitFor('Error: nobody was there');
  await call('orders.readText');
  expect(await terminal.waitFor(/text: "a long sentence.*…/)).not.toContain('its end');
  terminal.type('\u000Fjj\rG');
  await terminal.waitFor('and its end');
});

it('keeps the calls, and fills the form with one of them', async () => {
  const { terminal, project } = await open('orders.createOrder');
  terminal.type('Grace\r');
  await terminal.waitFor(/200 .* ms/);
  terminal.type('\u001Bl');
  await terminal.waitFor('required: string');
  terminal.type('\u0012');
  await terminal.waitFor('{"customer":"Grace"}');
  terminal.type('\r');
  await terminal.waitFor(/customer\* +Grace/);
  terminal.type('\u0010home\r');
  await terminal.waitFor('Last calls');
  terminal.type('jjj\r');
  await terminal.waitFor('No call yet');
  await terminal.waitFor(/customer\* +Grace/);
  const kept = JSON.parse(
    await readFile(join(project.root, 'node_modules/.cache/capix/calls.json'), 'utf8'),
  );
  expect(kept).toMatchObject([
    { key: 'orders.createOrder', input: { customer: 'Grace' }, status: 200 },
  ]);
});

it('calls the running server as its own capability says', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    request
      .setEncoding('utf8')
      .on('data', (text: string) => requests.push(`${request.method} ${request.url} ${text}`));
    request.on('end', () => response.writeHead(201).end('{"data":"from the server \\u001b[31m"}'));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { terminal } = await open('orders.createOrder', { env: { PORT: String(port) } });
  terminal.type('\u0014\r');
  await terminal.waitFor(`http://localhost:${port}`);
  terminal.type('Ada\r');
  await terminal.waitFor(`POST /orders on http://localhost:${port} may change data.`);
  terminal.type('y');
  await terminal.waitFor('from the server');
  await terminal.waitFor('201');
  expect(requests).toEqual(['POST /orders {"customer":"Ada"}']);
});

/** The server of `devProject`, whose capabilities the tool finds. */
const textCapabilities = {
  'src/capabilities.ts': `import { capability } from 'capix';
    import { text } from './text.ts';
    export const capabilities = { texts: { listTexts: capability(() => text()) } };`,
  'src/server.ts': `import { createServer, restTransport } from 'capix';
    import { capabilities } from './capabilities.ts';
    await createServer({ capabilities, transports: [restTransport()] }).start();`,
} as const;

it('calls the dev server that runs, and shows no other target before, also for input from the command line', async () => {
  const folder = await devProject(textCapabilities);
  const dev = openDevJson(folder);
  const url = await dev.url();
  for (const input of [[], ['{}']]) {
    terminal = openTerminal(['call', 'texts.listTexts', ...input], { cwd: folder });
    await terminal.waitFor(`dev ${url}`);
    if (input.length === 0) terminal.type('\r');
    await dev.waitFor('request');
    await terminal.waitFor('── 200 ');
    expect(terminal.output()).not.toContain('in this process');
    await terminal.close();
  }
});

it('says so where no server answers', async () => {
  const { terminal } = await open('orders.listOrders', { env: { PORT: '1' } });
  terminal.type('\u0014\r');
  await terminal.waitFor('http://localhost:1');
  terminal.type('\r');
  await terminal.waitFor('No answer');
});

it('keeps what was typed while the code changes under it, and leaves no process and no file behind', async () => {
  const { terminal, project } = await open('orders.createOrder');
  terminal.type('Ada');
  await terminal.waitFor(/customer\* +Ada/);
  await project.write('src/capabilities.ts', capabilities.replace('min(3)', 'min(5)'));
  await terminal.waitFor('✗ Too small');
  await terminal.waitFor(/customer\* +Ada/);
  // This save is overtaken by the end.
  await project.write('src/capabilities.ts', capabilities);
  terminal.type('\u0003');
  await terminal.ended;
  await expect.poll(() => hasProcesses(terminal.pid)).toBe(false);
  expect(await readdir(join(project.root, 'node_modules', '.capix')).catch(() => [])).toEqual([]);
});

/** Whether a process of the group is left. */
function hasProcesses(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

it('writes a capability that it showed before, and leads to it', async () => {
  const project = await openProject({
    'src/capabilities.ts': "export * as capabilities from './capabilities/index.js';\n",
    'src/capabilities/index.ts': "export * as items from './items/index.js';\n",
    'src/capabilities/items/index.ts': "export { listItems } from './list-items.js';\n",
    'src/capabilities/items/list-items.ts':
      "import { capability } from 'capix';\nexport const listItems = capability(() => []);\n",
  });
  terminal = openTerminal(['generate', 'capability'], { cwd: project.root });
  await terminal.waitFor('What will be written is shown here.');
  terminal.type('items/listItems');
  await terminal.waitFor('exists already');
  terminal.type('\u0015items/countItems');
  await terminal.waitFor('src/capabilities/items/count-items.ts');
  await terminal.waitFor('items.countItems');
  terminal.type('\r');
  await terminal.waitFor(/show ▸ items\.countItems[^]*Route +[A-Z]+ \/items\/count-items/);
  expect(await readFile(join(project.root, 'src/capabilities/items/index.ts'), 'utf8')).toContain(
    "'./count-items.js'",
  );
});
