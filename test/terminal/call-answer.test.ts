import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const capabilities = `import { capability } from 'capix';
import * as z from 'zod';

let count = 0;

export const capabilities = {
  orders: {
    countOrders: capability(z.object({ name: z.string() }), ({ name }) => {
      return { name, count: ++count, lines: ['first', 'second', 'third', 'fourth', 'fifth'] };
    }),
    getOrder: capability(z.object({ id: z.string() }), ({ id }) => ({ id })),
    payOrder: capability(
      z.object({
        size: z.enum(['small', 'large']),
        pay: z.union([z.object({ card: z.string() }), z.object({ iban: z.string() })]),
        note: z.string(),
      }),
      (input) => input,
    ),
  },
};
`;

it('marks an answer that is for another input', async () => {
  const { root } = await openProject({ 'src/capabilities.ts': capabilities });
  terminal = openTerminal(['call', 'orders.countOrders'], { cwd: root, columns: 120, rows: 40 });
  await terminal.waitFor('No call yet');
  terminal.type('pens\r');
  await terminal.waitFor('count: 1');
  terminal.type('!');
  await terminal.waitFor('for another input');
  terminal.type('\u007F');
  await terminal.waitFor((screen) => !screen.includes('for another input'));
});

it('says of what is not set yet that it is required, and calls it wrong once it was sent', async () => {
  const { root } = await openProject({ 'src/capabilities.ts': capabilities });
  terminal = openTerminal(['call', 'orders.payOrder'], { cwd: root, columns: 120, rows: 40 });
  const first = await terminal.waitFor(
    /size\* .*required: 'small' \| 'large'[^]*pay\* .*required: \{ card \}[^]*note\* .*required: string/,
  );
  expect(first).not.toContain('✗');
  terminal.type('\r');
  await terminal.waitFor(/size\* .*✗ required[^]*pay\* .*✗ required[^]*note\* .*✗ required/);
  terminal.type('  ');
  await terminal.waitFor(
    (screen) => /size\* +< "large" >/.test(screen) && !/size\* .*✗/.test(screen),
  );
});

it('sends no value that its path would lose: the request would reach another capability', async () => {
  const requests: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    requests.push(url);
    response.end('{"data":"sent"}');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { root, capix } = await openProject({ 'src/capabilities.ts': capabilities });
  terminal = openTerminal(['call', 'orders.getOrder'], {
    cwd: root,
    columns: 120,
    rows: 40,
    env: { PORT: `${port}` },
  });
  await terminal.waitFor('No call yet');
  terminal.type('\u0014\r');
  await terminal.waitFor(`http://localhost:${port}`);
  terminal.type('..\r');
  await terminal.waitFor('`id` is ".."');
  terminal.type('x\r');
  await terminal.waitFor('data: "sent"');
  const said = await capix([
    'call',
    'orders.getOrder',
    '{"id":""}',
    '--url',
    `http://localhost:${port}`,
  ]);
  expect([said.exitCode, said.stderr]).toEqual([
    2,
    expect.stringContaining('`id` is "", which the path /orders/:id cannot hold'),
  ]);
  expect(requests).toEqual(['/orders/..x']);
});
