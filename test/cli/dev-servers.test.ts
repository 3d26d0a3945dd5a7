import { describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { openDev, openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

const ROUTE = { method: 'GET', path: '/texts', key: 'texts.listTexts' };

/** A server of capix at the port of `OWN_PORT` after the code of `first`; `later` takes the time that it is given, milliseconds. */
function servers(first: string, transports = 'rest(process.env.CAPIX_PORT)'): string {
  return `
    import { createServer as createOwn } from 'node:http';
    import { capability, createServer, restTransport } from 'capix';
    import { text } from './text.ts';
    const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const capabilities = { texts: { listTexts: capability(() => text()) } };
    const rest = (port) => restTransport({ port: Number(port) });
    const listenOwn = () => createOwn((request, response) => response.end(text())).listen(process.env.OWN_PORT);
    ${first}
    await createServer({ capabilities, transports: [${transports}] }).start();
    console.log('all run');`;
}

async function findPorts() {
  const [own, capix] = [await findFreePort(), await findFreePort()];
  return {
    environment: { OWN_PORT: String(own), CAPIX_PORT: String(capix) },
    own: `http://localhost:${own}`,
    capix: `http://localhost:${capix}`,
  };
}

/**
 * Asks one request after the other, each on a connection of its own. Resolves once the first is answered, with what asks a last one and gives all
 * answers that differ from the one before.
 */
async function keepAsking(url: string): Promise<() => Promise<readonly string[]>> {
  const answers: string[] = [];
  const ask = async (): Promise<void> => {
    const answer = await fetch(url, { headers: { connection: 'close' } }).then(
      async (response) => `${response.status} ${await response.text()}`,
      (error: Error) => String(error.cause),
    );
    if (answers.at(-1) !== answer) answers.push(answer);
  };
  await ask();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) await ask();
    await ask();
  })();
  return async () => {
    isOver = true;
    await asking;
    return answers;
  };
}

/** The addresses of each time that the server was told to be ready. */
function toldUrls(stdout: string): readonly unknown[] {
  const documents = stdout.split('\n').filter((line) => line.startsWith('{"event":"ready"'));
  return documents.map((line) => (JSON.parse(line) as { readonly urls: unknown }).urls);
}

/** As a busy computer makes the imports. */
const busy = 'for (const until = performance.now() + 1_500; performance.now() < until; );';

describe('a server of the code beside one of capix', () => {
  const rest = 'rest(process.env.CAPIX_PORT)';
  // More than the time for which code that listens by itself may wait before it counts as started.
  const slow = `rest(process.env.CAPIX_PORT), { name: 'slow', start: () => later(1_200).then(() => ({ routes: [] })), stop: async () => {} }`;

  it.each([
    ['takes long', '', slow],
    ['follows after much work', busy, rest],
  ])(
    'counts as started with it, once, when that %s; no request is refused at a reload',
    async (_, work, transports) => {
      const { environment, own } = await findPorts();
      const folder = await devProject({
        'src/server.ts': servers(`listenOwn(); ${work}`, transports),
      });
      const dev = openDevJson(folder, [], environment);
      const { urls: [capix] = [], routes } = await dev.waitFor('ready');
      expect(routes).toEqual([ROUTE]);
      const stops = await Promise.all([keepAsking(own), keepAsking(`${capix}/texts`)]);
      await writeTree(folder, { 'src/text.ts': textFile('two') });
      expect(await dev.waitFor('ready')).toMatchObject({
        urls: [capix],
        routes: [ROUTE],
        cause: { kind: 'change' },
      });
      expect(await Promise.all(stops.map((stop) => stop()))).toEqual([
        ['200 one', '200 two'],
        ['200 {"data":"one"}', '200 {"data":"two"}'],
      ]);
      dev.kill('SIGINT');
      await dev.ended;
      expect(toldUrls(dev.stdout())).toEqual([[capix], [capix]]);
    },
  );

  it('has not started where the code fails after it: the version before goes on', async () => {
    const { environment, own } = await findPorts();
    const folder = await devProject({ 'src/server.ts': servers('listenOwn();') });
    const dev = openDevJson(folder, [], environment);
    await dev.url();
    await writeTree(folder, {
      'src/server.ts': servers(`listenOwn(); ${busy} throw new Error('no database');`),
    });
    expect(await dev.waitFor('failed')).toMatchObject({
      stillServing: true,
      error: { message: expect.stringContaining('no database') },
    });
    expect(await (await fetch(own)).text()).toBe('one');
    expect(dev.stdout()).not.toContain('"event":"exited"');
  });

  it('is asked by the code that starts', async () => {
    const { environment, own } = await findPorts();
    const asking = `{ name: 'asking', start: async () => { console.log('asked', await (await fetch('http://localhost:' + process.env.OWN_PORT)).text()); return { routes: [] }; }, stop: async () => {} }`;
    const folder = await devProject({
      'src/server.ts': servers(
        'await new Promise((resolve) => listenOwn().once("listening", resolve));',
        `${asking}, rest(0)`,
      ),
    });
    const dev = openDevJson(folder, [], environment);
    const { urls } = await dev.waitFor('ready');
    // Output and messages of a process come on two ways.
    await expect.poll(() => dev.stdout()).toContain('asked one');
    expect(urls).not.toContain(own);
    expect(toldUrls(dev.stdout())).toEqual([urls]);
  });

  it('is told alone where capix starts long after it, and then that of capix; no request is refused at a reload', async () => {
    const { environment, own, capix } = await findPorts();
    const folder = await devProject({
      'src/server.ts': servers('listenOwn(); await later(1_200);'),
    });
    const dev = openDev(folder, ['--plain', '--no-requests'], environment);
    await dev.waitForLine(/texts\.listTexts/);
    expect(dev.stdout().replace('all run\n', '')).toBe(
      `[capix] Server started on ${own}\n[capix] Server started on ${capix}\n[capix] Routes:\n  GET   /texts  texts.listTexts\n`,
    );
    const stops = await Promise.all([keepAsking(own), keepAsking(`${capix}/texts`)]);
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitForLine(/reloaded in/);
    await dev.waitForLine(/Server started on/);
    expect(await Promise.all(stops.map((stop) => stop()))).toEqual([
      ['200 one', '200 two'],
      ['200 {"data":"one"}', '200 {"data":"two"}'],
    ]);
    expect(dev.stdout().match(/reloaded in/g)).toHaveLength(1);
  });
});

it('two servers of capix, one long after the other, are told once each, and refuse nothing at a reload', async () => {
  const { environment, own, capix } = await findPorts();
  const first = `await createServer({ capabilities, transports: [rest(process.env.OWN_PORT)] }).start(); await later(1_200);`;
  const folder = await devProject({ 'src/server.ts': servers(first) });
  const dev = openDev(folder, ['--plain', '--no-requests'], environment);
  await dev.waitForLine(new RegExp(capix));
  expect(dev.stdout().match(/\[capix\] Server started on .*/g)).toEqual(
    [own, capix].map((url) => `[capix] Server started on ${url}`),
  );
  const stops = await Promise.all([own, capix].map((url) => keepAsking(`${url}/texts`)));
  await writeTree(folder, { 'src/text.ts': textFile('two') });
  await dev.waitForLine(/reloaded in/);
  await dev.waitForLine(new RegExp(capix));
  for (const stop of stops)
    expect(await stop()).toEqual(['200 {"data":"one"}', '200 {"data":"two"}']);
});
