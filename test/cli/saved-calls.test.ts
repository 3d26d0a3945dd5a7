import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, {
    'calls/create.json': JSON.stringify({
      call: 'items.createItem',
      input: { name: 'Pen ${MARK}' },
      expect: { body: { data: { name: 'Pen 7' } } },
    }),
    'calls/items/get.json': JSON.stringify({
      call: 'items.getItem',
      input: { id: '{{create.id}}' },
      environment: 'here',
      expect: { status: 200, body: { data: { name: 'Pen ${MARK}' } } },
    }),
    'calls/items/missing.json': JSON.stringify({
      call: 'items.getItem',
      input: { id: 'nobody' },
      expect: { status: 200 },
    }),
  });
});

const call = (...args: string[]) =>
  askCapix(['call', ...args], { cwd: folder, env: { MARK: '7' } });

/** A server that answers as the project does; gives its URL, and the lines of the requests that it got. */
async function serve() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-key'] ?? ''}`);
    response.end(JSON.stringify({ data: { id: '5', name: 'Pen 7' } }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

describe('saved calls', () => {
  it('are smoke tests, all of them, over HTTP', async () => {
    const { url, requests } = await serve();
    const { stdout, exitCode } = await call('--all', '--url', url, '-H', 'x-key: k');
    expect(stdout.replace(/\d+ ms/g, '1 ms').split('\n')).toEqual([
      'ok    @create         200  1 ms',
      'ok    @items/get      200  1 ms',
      'ok    @items/missing  200  1 ms',
      '3 calls: 3 passed, 0 failed',
      '',
    ]);
    expect(exitCode).toBe(0);
    expect(requests).toEqual(['POST /items k', 'GET /items/5 k', 'GET /items/nobody k']);
  });

  it('go to the environment that they, or the command line, name', async () => {
    const { url, requests } = await serve();
    const environments = { here: { url, headers: { 'x-key': '${MARK}' } } };
    await writeTree(folder, {
      'package.json': '{ "name": "shop", "type": "module" }',
      'capix.json': JSON.stringify({ environments }),
    });
    expect(await call('@items/get')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(requests).toEqual(['GET /items/1 7']);
    const { stdout } = await call('@items/get', '--environment', 'here');
    expect(stdout).toContain('1 call: 1 passed, 0 failed');
    expect(requests).toEqual(['GET /items/1 7', 'POST /items 7', 'GET /items/5 7']);
    expect((await call('@create', '--environment', 'there')).stderr).toContain(
      'there is no environment `there`',
    );
  });

  it('are made in this process, share what they created, and fail the command where one fails', async () => {
    await writeTree(folder, { 'package.json': '{ "name": "shop", "type": "module" }' });
    const { stdout, exitCode } = await call('@items/missing', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      data: {
        calls: [
          {
            name: 'items/missing',
            passed: false,
            status: 404,
            problems: [expect.stringMatching(/^status: expected 200, got 404 \(NotFound: /)],
          },
        ],
        passed: 0,
        failed: 1,
      },
    });
    expect(exitCode).toBe(1);
    const report = await call('--all', '--format', 'junit');
    expect(report.exitCode).toBe(1);
    expect(report.stdout).toContain('<testsuite name="capix call" tests="3" failures="2">');
    expect(report.stdout).toContain('<testcase name="@create" classname="capix call"/>');
    expect(report.stdout).toContain('(calls/items/missing.json)');
  });

  it('say what is wrong with them', async () => {
    expect((await call('@creat')).stderr).toContain(
      'No saved call `@creat`.\nDid you mean `@create`?',
    );
    await writeTree(folder, {
      'calls/wrong.json': '{"call": "items.getItem", "expect": {"status": "200"}}',
    });
    const { stdout, exitCode } = await call('--all');
    expect(stdout).toContain(
      'calls/wrong.json, expect.status: Invalid input: expected number, received string.',
    );
    expect(exitCode).toBe(1);
  });

  it('take the options that fit them, and others do not', async () => {
    expect((await call('items.getItem', '--all')).stderr).toContain(
      "argument 'items.getItem': a saved call takes none",
    );
    expect((await call('items.getItem', '--format', 'junit')).stderr).toContain(
      'it is for saved calls',
    );
    expect((await call()).stderr).toContain("missing required argument 'capability'");
  });

  it('may say how often a call waits at most, and name what it did most often', async () => {
    const own = await scaffold();
    await writeTree(own, {
      'src/capabilities/items/list.ts': `import { trace } from 'capix';
import { cap } from '../../capabilities.ts';
export const listItems = cap(async () => {
  for (const id of [1, 2, 3, 4, 5, 6, 7]) await trace('db', 'select * from lines where id = ' + id, async () => {});
  return [];
});`,
      'calls/few.json': JSON.stringify({
        call: 'items.listItems',
        expect: { atMost: { db: 7, http: 0 } },
      }),
      'calls/many.json': JSON.stringify({ call: 'items.listItems', expect: { atMost: { db: 3 } } }),
    });
    const { stdout, exitCode } = await askCapix(['call', '--all'], { cwd: own });
    expect(stdout).toMatch(/ok +@few +200/);
    expect(stdout).toContain(
      'atMost.db: expected 3 or fewer, got 7, 7 of them: select * from lines where id = ?',
    );
    expect(exitCode).toBe(1);
    const { url } = await serve();
    const served = await askCapix(['call', '@many', '--url', url], { cwd: own });
    expect(served.stdout).toContain(
      'atMost: is known of calls in this process, and of those that `capix dev` of this project has recorded',
    );
    const dev = openDevJson(own);
    await dev.waitFor('ready');
    const recorded = await askCapix(['call', '--all', '--server'], { cwd: own });
    expect(recorded.stdout).toMatch(/ok +@few +200/);
    expect(recorded.stdout).toContain(
      'atMost.db: expected 3 or fewer, got 7, 7 of them: select * from lines where id = ?',
    );
    dev.kill('SIGTERM');
    await dev.ended;
  });
});
