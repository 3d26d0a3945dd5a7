import { execFile } from 'node:child_process';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { textFile } from '../helpers/dev-project.ts';
import { type OpenDevScreen, openDevScreen, openTab } from '../helpers/open-dev-screen.ts';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';

const run = promisify(execFile);

/** A shop that makes a new id and a new time for each order, and that wants to know who orders. */
const shop = {
  'package.json': '{"name": "shop", "type": "module"}',
  'src/capabilities.ts': `
import { capability, defineContext, defineError, defineGuard } from 'capix';
import * as z from 'zod';
export const context = defineContext(({ headers }) => ({ user: headers.authorization }));
const Unauthorized = defineError(401, 'Unauthorized');
const NotFound = defineError(404, 'NotFound');
const mustBeUser = defineGuard((ctx: { user?: unknown }) => {
  if (!ctx.user) throw Unauthorized('Who are you?');
}, { name: 'mustBeUser' });
interface Order { id: string; item: string; at: string; token: string }
const orders = new Map<string, Order>();
const createOrder = capability(z.object({ item: z.string(), password: z.string() }), ({ item }) => {
  const order = { id: 'order-' + Math.random(), item, at: new Date().toISOString(), token: 'topsecret' };
  orders.set(order.id, order);
  return order;
}).guard(mustBeUser);
const getOrder = capability(z.object({ id: z.string() }), ({ id }) => {
  const order = orders.get(id);
  if (!order) throw NotFound('no order');
  return { ...order, seen: Math.random() };
}).errors(NotFound);
export const capabilities = { orders: { createOrder, getOrder } };
`,
  'src/server.ts': `
import { createServer, restTransport } from 'capix';
import { capabilities, context } from './capabilities.ts';
await createServer({ capabilities, context, transports: [restTransport()] }).start();
`,
};

/** Opens the shop, and makes an order that it then reads twice. */
async function openShop(
  files: Readonly<Record<string, string>> = {},
  size: readonly [number, number] = [100, 30],
): Promise<OpenDevScreen> {
  const opened = await openDevScreen({ files: { ...shop, ...files }, size });
  const { terminal, url } = opened;
  const created = await fetch(`${url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer abc' },
    body: '{"item": "Tea", "password": "hunter2"}',
  });
  const { data } = (await created.json()) as { readonly data: { readonly id: string } };
  for (const _ of ['once', 'and again']) await fetch(`${url}/orders/${data.id}`);
  await openTab(terminal, '2', 'requests 3');
  await terminal.waitFor(/GET[^]*GET[^]*POST/);
  return opened;
}

const secrets = { AUTHORIZATION: 'Bearer abc', PASSWORD: 'hunter2' };

describe('a request that is kept', () => {
  it('is a saved call, after that whose answer it needs, without secrets and what differs each time', async () => {
    const { terminal, folder } = await openShop();
    terminal.type('K');
    await terminal.waitFor('`id` came from orders.createOrder.');
    terminal.type('y');
    await terminal.waitFor('Keep as getOrder');
    // The call before it gets that name.
    terminal.type('\u0015createOrder\r');
    await terminal.waitFor('calls/createOrder.json is another one of these');
    terminal.type('\u0015getOrder\r');
    await terminal.waitFor('Wrote calls/getOrder.json and 1 call before it: capix call @getOrder');
    const read = async (name: string): Promise<string> =>
      readFile(join(folder, 'calls', name), 'utf8');
    expect(JSON.parse(await read('getOrder.json'))).toEqual({
      call: 'orders.getOrder',
      input: { id: '{{createOrder.id}}' },
      expect: {
        status: 200,
        body: { data: { id: '{{createOrder.id}}', item: 'Tea' } },
      },
    });
    expect(JSON.parse(await read('createOrder.json'))).toEqual({
      call: 'orders.createOrder',
      input: { item: 'Tea', password: '${PASSWORD}' },
      headers: { authorization: 'Bearer ${AUTHORIZATION}' },
      expect: { status: 200, body: { data: { item: 'Tea' } } },
    });
    const made = await runCapix(['call', '--all'], { cwd: folder, env: secrets });
    expect(made.stdout).toContain('2 calls: 2 passed, 0 failed');

    // The same once more has another name, and a name that there is writes nothing.
    terminal.type('\r');
    await terminal.waitFor('Where the time went');
    terminal.type('K');
    await terminal.waitFor('y: use @createOrder');
    terminal.type('y');
    await terminal.waitFor('Keep as getOrder-2');
    terminal.type('\u0015createOrder\r');
    await terminal.waitFor('calls/createOrder.json exists: give another name');
    terminal.type('\u001B');
    await terminal.waitFor((screen) => !screen.includes('Keep as'));
    expect((await readdir(join(folder, 'calls'))).toSorted()).toEqual([
      'createOrder.json',
      'getOrder.json',
    ]);
    expect(terminal.output()).not.toMatch(/hunter2|topsecret/);
  });

  it('is a test of node:test, which passes', async () => {
    const { terminal, folder } = await openShop({ 'test/other.test.ts': '' });
    terminal.type('T');
    await terminal.waitFor('y: make it first');
    terminal.type('y');
    const asked = await terminal.waitFor('Test in test/get-order.test.ts');
    expect(asked).toContain('for node:test');
    terminal.type('\r');
    await terminal.waitFor('Wrote test/get-order.test.ts, for node:test');
    const test = join(folder, 'test/get-order.test.ts');
    const text = await readFile(test, 'utf8');
    expect(text).not.toMatch(/hunter2|topsecret|Bearer abc/);
    // As TypeScript: the server that it starts has the types of the project.
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noUncheckedIndexedAccess: true,
          target: 'es2023',
          module: 'nodenext',
          skipLibCheck: true,
          types: ['node'],
          rewriteRelativeImportExtensions: true,
          outDir: 'out',
          rootDir: '.',
        },
        include: ['src/capabilities.ts', 'test/get-order.test.ts'],
      }),
    );
    await symlink(
      join(packageRoot, 'node_modules/@types'),
      join(folder, 'node_modules/@types'),
      'junction',
    );
    const compiler = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const types = await run(process.execPath, [compiler], { cwd: folder }).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(types.stdout).toBe('');
    const { stdout } = await run(process.execPath, ['--test', 'out/test/get-order.test.js'], {
      cwd: folder,
      env: { ...process.env, ...secrets, NODE_TEST_CONTEXT: undefined },
    });
    expect(stdout).toMatch(/pass 1\n[^]*fail 0\n/);

    terminal.type('T');
    await terminal.waitFor('y: make it first');
    terminal.type('n');
    await terminal.waitFor('Test in test/get-order-2.test.ts');
    terminal.type('\u001B');
    expect(await readFile(test, 'utf8')).toBe(text);
  });

  it('is a test of Vitest where the project has that, which passes', async () => {
    const { terminal, folder } = await openShop({
      'package.json': '{"name": "shop", "type": "module", "devDependencies": {"vitest": "*"}}',
    });
    terminal.type('T');
    await terminal.waitFor('y: make it first');
    terminal.type('y');
    await terminal.waitFor('Test in src/get-order.test.ts');
    terminal.type('\r');
    await terminal.waitFor('Wrote src/get-order.test.ts, for vitest');
    await symlink(
      join(packageRoot, 'node_modules/vitest'),
      join(folder, 'node_modules/vitest'),
      'junction',
    );
    const vitest = join(packageRoot, 'node_modules/vitest/vitest.mjs');
    const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter', 'json'], {
      cwd: folder,
      env: { ...process.env, ...secrets },
    });
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
  });

  it('says why not, in windows of each size', async () => {
    const { terminal, url } = await openShop({}, [40, 12]);
    await fetch(`${url}/nowhere`);
    await openTab(terminal, '2', 'requests');
    await terminal.waitFor('/nowhere');
    terminal.type('g');
    await terminal.waitFor(/❯ 404/);
    terminal.type('K');
    await terminal.waitFor('No capability');
    terminal.type('\u001B[B');
    terminal.type('K');
    const screen = await terminal.waitFor(/came from [^]*y keep that call, too · n as it is/);
    expect(screen.split('\n').every((line) => line.length <= 40)).toBe(true);
  });
});

/** A query whose answer stands in a file of its own, and a call that writes down that it was made. */
const prices = {
  'src/capabilities.ts': `
import { appendFileSync } from 'node:fs';
import { capability } from 'capix';
import { text } from './text.ts';
const getPrice = capability(() => ({ price: text() }));
const addPrice = capability(() => { appendFileSync('made.txt', 'made'); return 'added'; });
export const capabilities = { prices: { getPrice, addPrice } };
`,
  'src/server.ts': `
import { createServer, restTransport } from 'capix';
import { capabilities } from './capabilities.ts';
await createServer({ capabilities, transports: [restTransport()] }).start();
`,
  'made.txt': '',
  'calls/price.json':
    '{ "call": "prices.getPrice", "expect": { "body": { "data": { "price": "one" } } } }',
  'calls/add.json': '{ "call": "prices.addPrice" }',
};

it('says in one line which saved call a save has broken, until it is mended, and makes all of them by a key', async () => {
  const { terminal, folder } = await openDevScreen({ files: prices, size: [80, 24] });
  const made = (): Promise<string> => readFile(join(folder, 'made.txt'), 'utf8');
  expect(await made()).toBe('');
  terminal.type('\u0013');
  await terminal.waitFor('2 of 2 saved calls as expected');
  expect(await made()).toBe('made');
  await writeFile(join(folder, 'src/text.ts'), textFile('two'));
  const broken = await terminal.waitFor(
    /▲ @price: body\.data\.price: expected "one", got "two" since \d\d:\d\d:\d\d/,
  );
  // The requests of saved calls are none of those that clients send.
  expect(broken).toContain('2 requests 0');
  await writeFile(join(folder, 'src/text.ts'), textFile('one'));
  await terminal.waitFor((screen) => screen.includes('Reloaded') && !screen.includes('@price'));
  expect(await made()).toBe('made');
});
