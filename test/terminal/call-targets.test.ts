import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const capabilities = `import { capability, defineError } from 'capix';
import * as z from 'zod';

const NotFound = defineError(404, 'NotFound');
const items = new Map();

export const capabilities = {
  items: {
    createItem: capability(z.object({ name: z.string() }), ({ name }) => {
      const id = String(items.size + 1);
      items.set(id, name);
      return { id };
    }),
    getItem: capability(z.object({ id: z.string() }), ({ id }) => {
      if (!items.has(id)) throw NotFound('There is no item ' + id);
      return { name: items.get(id) };
    }),
    deleteItem: capability(z.object({ id: z.string() }), () => null),
  },
};
`;
const server = `import { createServer, restTransport } from 'capix';
import { capabilities } from './capabilities.js';

createServer({ capabilities, transports: [restTransport({ port: Number(process.env.PORT) })] }).start();
`;

/** An environment that notes what it is asked. */
async function serve() {
  const requests: string[] = [];
  const listener = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-token']}`);
    response.end('{"data":"staged"}');
  });
  await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void listener.close());
  return { url: `http://localhost:${(listener.address() as AddressInfo).port}`, requests };
}

it('gets what another call has created, saves a call and makes it with what it needs, asks before it removes from an environment, and calls the dev server that runs', async () => {
  const staging = await serve();
  const environments = {
    staging: { url: staging.url, headers: { 'X-Token': '${STAGING_TOKEN}' } },
  };
  const project = await openProject({
    'src/capabilities.ts': capabilities,
    'src/server.ts': server,
  });
  await project.write('capix.json', JSON.stringify({ environments }));
  terminal = openTerminal(['call', 'items.createItem'], {
    cwd: project.root,
    env: { PORT: '0', STAGING_TOKEN: 's3' },
    columns: 120,
  });
  await terminal.waitFor(/in this process[^]*No call yet/);
  terminal.type('Tea\r');
  await terminal.waitFor('id: "1"');
  terminal.type('\u0010call items.getItem\r');
  await terminal.waitFor(/call ▸ items\.getItem[^]*No call yet/);
  terminal.type('1\r');
  await terminal.waitFor('name: "Tea"');
  terminal.type('\u0018s');
  await terminal.waitFor('Save as getItem');
  terminal.type('\r');
  await terminal.waitFor('Wrote calls/getItem.json');
  const saved = JSON.parse(
    await readFile(join(project.root, 'calls/getItem.json'), 'utf8'),
  ) as object;
  expect(saved).toMatchObject({
    call: 'items.getItem',
    input: { id: '1' },
    expect: { status: 200 },
  });
  await project.write(
    'calls/create.json',
    '{ "call": "items.createItem", "input": { "name": "Pot" } }',
  );
  const chained = {
    ...saved,
    input: { id: '{{create.id}}' },
    expect: { body: { data: { name: 'Pot' } } },
  };
  await project.write('calls/getItem.json', JSON.stringify(chained));
  terminal.type('\u0010call items.createItem\r');
  await terminal.waitFor(/call ▸ items\.createItem/);
  terminal.type('\u0010call items.getItem\r');
  await terminal.waitFor(/call ▸ items\.getItem[^]*No call yet/);
  terminal.type('\u0012');
  await terminal.waitFor(/❯ @getItem +\{"id":"\{\{create\.id\}\}"\}/);
  terminal.type('\r');
  await terminal.waitFor(/id\* +2 /);
  terminal.type('\r');
  await terminal.waitFor(/name: "Pot"/);
  terminal.type('\u007F1');
  await terminal.waitFor(/id\* +1 /);

  terminal.type('\u0014\u0014\r');
  await terminal.waitFor(`staging ${staging.url}`);
  terminal.type('\u0010call items.deleteItem\r');
  await terminal.waitFor(/call ▸ items\.deleteItem[^]*staging http/);
  terminal.type('1\r');
  await terminal.waitFor(/DELETE \/items\/:id on staging [^]*y: send it {3}n: do not/);
  terminal.type('n');
  await terminal.waitFor((shown) => !shown.includes('y: send it'));
  expect(staging.requests).toEqual([]);
  terminal.type('\r');
  await terminal.waitFor('y: send it');
  terminal.type('y');
  await terminal.waitFor('data: "staged"');
  expect(staging.requests).toEqual(['DELETE /items/1 s3']);

  terminal.type('\u0014\r');
  await terminal.waitFor('in this process');
  terminal.type('\u0010dev\r');
  const [, port] =
    /http:\/\/localhost:(\d+)/.exec(await terminal.waitFor(/http:\/\/localhost:\d+ +Started in/)) ??
    [];
  expect(Number(port)).toBeGreaterThan(0);
  terminal.type('\u0010call items.getItem\r');
  await terminal.waitFor(/call ▸ items\.getItem[^]*GET \/items\/:id/);
  const shown = terminal;
  const look = (): string => {
    const screen = shown.screen();
    if (!screen.includes(` dev http://localhost:${port}`)) shown.type('\u0014\r');
    return screen;
  };
  // The screen looks for servers in an interval of its own.
  await expect.poll(look, { interval: 2_000 }).toContain(` dev http://localhost:${port}`);
  terminal.type('\r');
  await terminal.waitFor('error: "NotFound"');
});

it('tells of the file of a saved call that cannot be read, and shows those that were written meanwhile', async () => {
  const project = await openProject({ 'src/capabilities.ts': capabilities });
  terminal = openTerminal(['call', 'items.getItem'], { cwd: project.root, columns: 120 });
  await terminal.waitFor('No call yet');
  await project.write('calls/broken.json', '{"call": "items.getItem",');
  await project.write('calls/one.json', '{"call": "items.getItem", "input": {"id": "7"}}');
  terminal.type('\u0012');
  await terminal.waitFor(/@one +\{"id":"7"\}[^]*calls\/broken\.json: /);
  terminal.type('\r');
  await terminal.waitFor(/calls\/broken\.json: /);
});
