import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** A server with a transport that sends back the lines of the sockets that it has taken, with the version of its code. */
const serverOf = (version: string): string => `
  import { createServer, restTransport } from 'capix';
  const echo = {
    name: 'echo',
    needsHost: true,
    start: async () => ({ routes: [] }),
    upgrade: ({ url }) => url === '/echo' ? (socket, head) => {
      socket.unshift(head);
      socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: echo\\r\\nConnection: Upgrade\\r\\n\\r\\n');
      socket.on('data', (line) => socket.write('${version} ' + line));
    } : undefined,
    stop: async () => {},
  };
  await createServer({ capabilities: {}, transports: [restTransport({ port: 0 }), echo] }).start();`;

function openEcho(url: string) {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  let text = '';
  socket.on('error', () => {}).on('data', (part) => (text += part.toString()));
  socket.write(
    'GET /echo HTTP/1.1\r\nHost: localhost\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n',
  );
  return {
    ask: async (line: string, answered: string) => {
      socket.write(line);
      await expect.poll(() => text).toContain(answered);
    },
    socket,
  };
}

it('a socket that a transport has taken stays on the code that took it over a save, for longer than an idle connection, and the second save ends it', async () => {
  const folder = await devProject({ 'src/server.ts': serverOf('one') });
  const dev = openDevJson(folder);
  const url = await dev.url();
  const first = openEcho(url);
  await first.ask('a', 'one a');
  await writeTree(folder, { 'src/server.ts': serverOf('two') });
  await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
  const second = openEcho(url);
  await second.ask('b', 'two b');
  // A connection without a request is closed after 6 s.
  await new Promise((resolve) => setTimeout(resolve, 7000));
  await first.ask('c', 'one c');
  const ended = once(first.socket, 'close');
  await writeTree(folder, { 'src/server.ts': serverOf('three') });
  await ended;
  await second.ask('d', 'two d');
});
