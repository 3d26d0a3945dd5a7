import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

describe('a server that listens by itself', () => {
  const own = (text: string, port: number | string) => `
    import { createServer } from 'node:http';
    createServer((request, response) => response.end('${text}')).listen(${port}, () => console.log('listening'));`;

  it('is stopped before its successor starts', async () => {
    const folder = await devProject({ 'src/server.ts': own('one', 'process.env.OWN_PORT') });
    const port = await freePort();
    const dev = openDevJson(folder, [], { OWN_PORT: String(port) });
    expect(await dev.url()).toBe(`http://localhost:${port}`);
    expect(await getText(`http://localhost:${port}`)).toBe('one');
    await writeTree(folder, { 'src/server.ts': own('two', 'process.env.OWN_PORT') });
    await dev.waitFor('ready');
    expect(await getText(`http://localhost:${port}`)).toBe('two');
  });

  it('gets the port when the code before had left it to the supervisor', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    const url = await dev.url();
    await writeTree(folder, { 'src/server.ts': own('by itself', new URL(url).port) });
    expect((await dev.waitFor('ready')).urls).toEqual([url]);
    expect(await getText(url)).toBe('by itself');
  });

  it.each([
    ['awaits it', 'await main();'],
    ['does not', 'void main();'],
  ])('is told of with the server of capix that starts after it, where the code %s', async (_, start) => {
    const folder = await devProject({
      'src/server.ts': `
        import { createServer as createOwn } from 'node:http';
        import { capability, createServer, restTransport } from 'capix';
        async function main() {
          await new Promise((listens) => createOwn((_, response) => response.end('own')).listen(0, listens));
          await new Promise((later) => setTimeout(later, 50));
          const texts = { listTexts: capability(() => 'one') };
          await createServer({ capabilities: { texts }, transports: [restTransport()] }).start();
        }
        ${start}`,
    });
    const dev = openDevJson(folder);
    const ready = await dev.waitFor('ready', ({ routes = [] }) => routes.length > 0);
    expect(ready.routes).toEqual([{ method: 'GET', path: '/texts', key: 'texts.listTexts' }]);
    expect(await getText(`${ready.urls?.[0]}/texts`)).toBe('{"data":"one"}');
  });
});

it("a transport of one's own has its routes told as they are", async () => {
  const folder = await devProject({
    'src/server.ts': `
      import { capability, createServer } from 'capix';
      const nats = {
        name: 'nats',
        start: async () => ({ url: 'nats://localhost:4222', routes: [{ method: 'SUB', path: 'orders.created, 3 workers', key: 'orders.onCreated' }] }),
        stop: async () => {},
      };
      await createServer({ capabilities: { orders: { onCreated: capability(() => 1) } }, transports: [nats] }).start();`,
  });
  const { routes } = await openDevJson(folder).waitFor('ready');
  expect(routes).toEqual([{ method: 'SUB', path: 'orders.created, 3 workers', key: 'orders.onCreated' }]);
});

async function getText(url: string): Promise<string> {
  return (await fetch(url)).text();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
