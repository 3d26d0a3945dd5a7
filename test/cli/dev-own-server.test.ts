import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { openDev, openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

describe('a server that listens by itself', () => {
  const own = (text: string, port: number | string) => `
    import { createServer } from 'node:http';
    createServer((request, response) => response.end('${text}')).listen(${port}, () => console.log('listening'));`;

  it('keeps its port over 20 reloads: no request is refused, and no answer is older than one before it', async () => {
    const counting = (number: number) => `
      import { createServer } from 'node:http';
      const server = createServer((request, response) => response.end('${number}'));
      server.listen({ port: process.env.OWN_PORT });
      console.log(server.listening, server.address().port, server.address().family);`;
    const folder = await devProject({ 'src/server.ts': counting(0) });
    const port = await findFreePort();
    const dev = openDevJson(folder, [], { OWN_PORT: String(port) });
    expect(await dev.url()).toBe(`http://localhost:${port}`);
    await expect.poll(() => dev.stdout()).toContain(`"line":"true ${port} IPv6"`);
    const all: number[][] = [];
    const failures: unknown[] = [];
    let isOver = false;
    const asking = [true, false].map(async (keepsAlive) => {
      const agent = new Agent({ keepAlive: keepsAlive, maxSockets: 1 });
      const answers: number[] = [];
      all.push(answers);
      while (!isOver) {
        await once(get({ port, agent }), 'response').then(
          async ([response]) => answers.push(Number(await readText(response))),
          (error: unknown) => failures.push(error),
        );
      }
    });
    for (let number = 1; number <= 20; number++) {
      await writeTree(folder, { 'src/server.ts': counting(number) });
      await dev.waitFor('ready');
    }
    await expect.poll(() => all.map((answers) => answers.at(-1))).toEqual([20, 20]);
    isOver = true;
    await Promise.all(asking);
    expect(failures).toEqual([]);
    for (const answers of all) expect(answers).toEqual(answers.toSorted((a, b) => a - b));
  });

  it('has its connections over TCP and WebSocket, and clients reconnect to the new code', async () => {
    const upgrading = (text: string) => `
      import { createServer } from 'node:http';
      import { createServer as createTcp } from 'node:net';
      const greet = (socket) => setTimeout(() => socket.write('${text}\\n'), 20);
      createTcp((socket) => { socket.once('data', () => greet(socket)); }).listen(process.env.TCP_PORT, '127.0.0.1');
      // The command takes the code for started by then; whoever connects meanwhile waits.
      await new Promise((later) => setTimeout(later, 700));
      createServer().on('upgrade', (request, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: x\\r\\nConnection: Upgrade\\r\\n\\r\\n');
        greet(socket);
      }).listen(process.env.OWN_PORT, () => console.log('both listen'));`;
    const folder = await devProject({ 'src/server.ts': upgrading('one') });
    const [port, tcpPort] = [await findFreePort(), await findFreePort()];
    const dev = openDevJson(folder, [], { OWN_PORT: String(port), TCP_PORT: String(tcpPort) });
    await dev.waitFor('output', ({ line }) => line === 'both listen');
    const clients = () => [
      openLines(
        port,
        'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      ),
      openLines(tcpPort, 'hello\n'),
    ];
    const before = clients();
    for (const client of before) expect(await client.waitFor('one')).toBe(true);
    await writeTree(folder, { 'src/server.ts': upgrading('two') });
    await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
    for (const client of clients()) expect(await client.waitFor('two')).toBe(true);
    await Promise.all(before.map(({ ended }) => ended));
  });

  it('keeps the ports of code that loads for long, and lets what comes there wait', async () => {
    // More than what code that has loaded has to open its ports again.
    const opening = (text: string, loadingMs: number) => `
      import { createServer } from 'node:http';
      const answer = (request, response) => response.end('${text}');
      createServer(answer).listen(process.env.FIRST_PORT);
      await new Promise((later) => setTimeout(later, ${loadingMs}));
      createServer(answer).listen(process.env.LAST_PORT, () => console.log('both listen'));`;
    const folder = await devProject({ 'src/server.ts': opening('one', 0) });
    const [first, last] = [await findFreePort(), await findFreePort()];
    const dev = openDevJson(folder, [], { FIRST_PORT: String(first), LAST_PORT: String(last) });
    await dev.waitFor('output', ({ line }) => line === 'both listen');
    const ask = async (port: number): Promise<string> =>
      (await fetch(`http://localhost:${port}`)).text();
    expect(await Promise.all([ask(first), ask(last)])).toEqual(['one', 'one']);
    await writeTree(folder, { 'src/server.ts': opening('two', 7_000) });
    await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
    const answers = [ask(first), ask(last)];
    await dev.waitFor('output', ({ line }) => line === 'both listen');
    expect(await Promise.all([...answers, ask(last)])).toEqual(['two', 'two', 'two']);
  });

  it('is told of a port that is taken, by others and by itself, and gives back what it closes', async () => {
    const folder = await devProject({
      'src/server.ts': `
        import { once } from 'node:events';
        import { createServer } from 'node:net';
        const listen = async (port) => {
          const server = createServer();
          try { await once(server.listen(port, '127.0.0.1'), 'listening'); } catch (error) { return error.message + ' ' + [error.code, error.syscall, error.port]; }
          return server;
        };
        console.log(await listen(Number(process.env.TAKEN)));
        const first = await listen(Number(process.env.FREE));
        console.log(await listen(Number(process.env.FREE)));
        await once(first.close(), 'close');
        const again = await listen(Number(process.env.FREE));
        console.log('again', again.address());
        setInterval(() => {}, 1000);`,
    });
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const ports = [(taken.address() as AddressInfo).port, await findFreePort()];
    const dev = openDev(folder, [], { TAKEN: String(ports[0]), FREE: String(ports[1]) });
    for (const port of ports) {
      expect(await dev.waitForLine(/EADDRINUSE/)).toBe(
        `listen EADDRINUSE: address already in use 127.0.0.1:${port} EADDRINUSE,listen,${port}`,
      );
    }
    expect(await dev.waitForLine(/again/)).toBe(
      `again { address: '127.0.0.1', family: 'IPv4', port: ${ports[1]} }`,
    );
  });

  it('finishes what it has begun when it is told to end', async () => {
    const folder = await devProject({
      'src/server.ts': `
        import { createServer } from 'node:http';
        const server = createServer((_, response) => { console.log('asked'); setTimeout(() => response.end('done'), 300); });
        server.listen(process.env.OWN_PORT);
        process.on('SIGTERM', () => server.close(() => process.exit(0)));`,
    });
    const port = await findFreePort();
    const dev = openDev(folder, [], { OWN_PORT: String(port) });
    await dev.waitForLine(/started on/);
    const headers = { connection: 'close' };
    const answer = fetch(`http://localhost:${port}`, { headers }).then((response) =>
      response.text(),
    );
    await dev.waitForLine(/asked/);
    dev.kill('SIGINT');
    expect(await answer).toBe('done');
    await dev.ended;
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
  ])(
    'is told of with the server of capix that starts after it, where the code %s',
    async (_, start) => {
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
    },
  );
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
  expect(routes).toEqual([
    { method: 'SUB', path: 'orders.created, 3 workers', key: 'orders.onCreated' },
  ]);
});

async function getText(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** A connection that says `first`, and what comes on it. */
function openLines(port: number, first: string) {
  const socket = connect(port, '127.0.0.1', () => socket.write(first));
  let text = '';
  socket.on('error', () => {}).on('data', (part) => (text += part.toString()));
  return {
    waitFor: async (wanted: string) => {
      await expect.poll(() => text).toContain(wanted);
      return true;
    },
    ended: once(socket, 'close'),
  };
}
