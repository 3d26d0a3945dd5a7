import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ChildLink } from '../../../source/serve/child-link.ts';
import { createJobWatch } from '../../../source/serve/job-watch.ts';
import type { OpenPorts, ServerMessage } from '../../../source/serve/server-message.ts';

/** A link whose supervisor is the test. */
function open(ports: OpenPorts = {}) {
  const said: ServerMessage[] = [];
  let held = 0;
  const channel = {
    send: (message: ServerMessage) => Promise.resolve(void said.push(message)),
    hold: () => {
      held += 1;
      return () => {
        held -= 1;
      };
    },
  };
  const child = new ChildLink({
    channel,
    recorder: undefined,
    jobs: createJobWatch(() => {}),
    ports,
    allowedHosts: [],
  });
  return {
    link: child.toDevLink(),
    find: (name: string) => child.find(name),
    said,
    held: () => held,
  };
}

const address = { host: '127.0.0.1', port: 3000 } as const;
const at = { host: '127.0.0.1', port: 4000 } as const;

describe('the link of a server to its supervisor', () => {
  it('asks for a port, waits until it is open, and keeps the process alive meanwhile', async () => {
    const { link, find, said, held } = open();
    const listening = link.listen(createServer(), address);
    expect(said).toEqual([{ kind: 'listen', address }]);
    find('127.0.0.1:3000')?.options.opened(at);
    expect(await listening).toEqual(at);
    expect(held()).toBe(1);
  });

  it('does not wait for a port that is open already', async () => {
    const { link } = open({ '127.0.0.1:3000': at });
    expect(await link.listen(createServer(), address)).toEqual(at);
  });

  it('gives connections to the server that asked for them', async () => {
    const { link, find } = open({ '127.0.0.1:3000': at });
    const server = createServer();
    const taken: Socket[] = [];
    server.on('connection', (socket) => taken.push(socket));
    await link.listen(server, address);
    const mine = new Socket();
    find('127.0.0.1:3000')?.connect(mine);
    expect(taken).toEqual([mine]);
    mine.destroy();
  });

  it('closes when its last connection is closed, and lets the process end', async () => {
    const { link, find, said, held } = open({ '127.0.0.1:3000': at });
    const server = createServer();
    await link.listen(server, address);
    const socket = new Socket();
    find('127.0.0.1:3000')?.connect(socket);
    const closing = link.close(server);
    expect(said.at(-1)).toEqual({ kind: 'close', address: '127.0.0.1:3000' });
    socket.destroy();
    await closing;
    expect(held()).toBe(0);
  });
});
