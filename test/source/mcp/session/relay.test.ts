import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Relay, type RelayServer } from '../../../../source/mcp/session/relay.ts';
import { splitMessages } from '../../../../source/mcp/session/split-messages.ts';

type Message = Readonly<Record<string, unknown>>;

interface TestServer extends RelayServer {
  readonly got: Message[];
  readonly hasEnded: () => boolean;
  readonly says: (message: Message) => void;
}

/** A relay between a client and servers that are played by the test. */
function open() {
  const written: Message[] = [];
  let wanted = 0;
  const relay = new Relay({
    write: (text) => void written.push(JSON.parse(text) as Message),
    onWanted: () => void (wanted += 1),
  });
  const createTestServer = (): TestServer => {
    const got: Message[] = [];
    let ends = 0;
    const server: TestServer = {
      got,
      send: (text) => void got.push(JSON.parse(text) as Message),
      end: () => void (ends += 1),
      hasEnded: () => ends > 0,
      says: (message) => relay.take(server, JSON.stringify(message)),
    };
    relay.use(server);
    return server;
  };
  return {
    relay,
    written,
    wanted: () => wanted,
    say: (message: Message) => relay.receive(JSON.stringify(message)),
    createTestServer,
  };
}

const initialize = { id: 0, method: 'initialize', params: { capabilities: { elicitation: {} } } };
const initialized = { method: 'notifications/initialized' };
const listen = {
  id: 'l1',
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true, promptsListChanged: false } },
};
const acknowledged = {
  method: 'notifications/subscriptions/acknowledged',
  params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'l1' } },
};

describe('a server that takes the place of another', () => {
  it('is told what was agreed on, and what it says to that is kept from the client', () => {
    const { written, say, createTestServer } = open();
    createTestServer();
    for (const message of [initialize, initialized, { id: 1, method: 'logging/setLevel', params: { level: 'info' } }])
      say(message);
    const after = createTestServer();
    expect(after.got).toMatchObject([
      { id: 'capix:replayed:initialize', method: 'initialize', params: initialize.params },
      initialized,
      { id: 'capix:replayed:logging/setLevel', params: { level: 'info' } },
    ]);
    after.says({ id: 'capix:replayed:initialize', result: {} });
    expect(written).toEqual([]);
  });

  it('gets what comes from then on, while the one before answers what it has and ends then', () => {
    const { written, say, createTestServer } = open();
    const before = createTestServer();
    say({ id: 1, method: 'tools/call' });
    const after = createTestServer();
    say({ id: '1', method: 'tools/call' });
    expect([before.hasEnded(), after.got]).toEqual([false, [{ id: '1', method: 'tools/call' }]]);
    before.says({ id: 1, result: 'of before' });
    after.says({ id: '1', result: 'of now' });
    expect(written).toEqual([
      { id: 1, result: 'of before' },
      { id: '1', result: 'of now' },
    ]);
    expect([before.hasEnded(), after.hasEnded()]).toEqual([true, false]);
  });

  it('hears of a cancellation only what is its own, and a cancelled call has no answer', () => {
    const { written, say, createTestServer } = open();
    const before = createTestServer();
    say({ id: 1, method: 'tools/call' });
    const after = createTestServer();
    say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    before.says({ id: 1, result: 'too late' });
    expect([before.got.length, after.got, written, before.hasEnded()]).toEqual([2, [], [], true]);
  });

  it('asks the client under an id of its own, and gets the answer to its own question', () => {
    const { written, say, createTestServer } = open();
    const before = createTestServer();
    say({ id: 1, method: 'tools/call' });
    before.says({ id: 0, method: 'elicitation/create', params: { message: 'before' } });
    const after = createTestServer();
    after.says({ id: 0, method: 'elicitation/create', params: { message: 'after' } });
    const [first, second] = written;
    expect(first?.['id']).not.toBe(second?.['id']);
    say({ id: second?.['id'], result: 'to after' });
    say({ id: first?.['id'], result: 'to before' });
    expect([before.got.at(-1), after.got.at(-1)]).toMatchObject([
      { id: 0, result: 'to before' },
      { id: 0, result: 'to after' },
    ]);
  });

  it('goes on with the subscriptions of 2026-07-28, whose client hears of each change once', () => {
    const { relay, written, say, createTestServer } = open();
    const before = createTestServer();
    say(listen);
    before.says(acknowledged);
    const after = createTestServer();
    expect([after.got, before.hasEnded()]).toMatchObject([[listen], true]);
    after.says(acknowledged);
    before.says({ id: 'l1', result: { resultType: 'complete' } });
    relay.tellChange(['tools', 'prompts']);
    expect(written).toMatchObject([
      acknowledged,
      { method: 'notifications/tools/list_changed', params: acknowledged.params },
    ]);
    relay.end();
    after.says({ id: 'l1', result: { resultType: 'complete' } });
    expect(written.at(-1)).toMatchObject({ id: 'l1' });
  });
});

describe('a server that is gone', () => {
  it('leaves its calls answered as failed and its questions withdrawn; what comes next waits for another', () => {
    const { relay, written, wanted, say, createTestServer } = open();
    const server = createTestServer();
    say({ id: 7, method: 'tools/call' });
    server.says({ id: 0, method: 'elicitation/create' });
    relay.drop(server, 'It ended.');
    expect(written.slice(1)).toMatchObject([
      { id: 7, error: { code: -32603, message: 'It ended.' } },
      { method: 'notifications/cancelled', params: { requestId: written[0]?.['id'] } },
    ]);
    say({ id: 8, method: 'tools/list' });
    expect([wanted(), createTestServer().got]).toEqual([1, [{ id: 8, method: 'tools/list' }]]);
  });

  it('leaves what waits refused where no other can be started', () => {
    const { relay, written, say } = open();
    say({ id: 8, method: 'tools/list' });
    say(initialized);
    relay.end();
    expect(relay.isOver).toBe(false);
    relay.refuse('It cannot be loaded.');
    expect(written).toMatchObject([{ id: 8, error: { message: 'It cannot be loaded.' } }]);
    expect(relay.isOver).toBe(true);
  });
});

describe('the end of the input', () => {
  it('comes to every server, and it is over when they are gone', () => {
    const { relay, say, createTestServer } = open();
    const before = createTestServer();
    say({ id: 1, method: 'tools/call' });
    const after = createTestServer();
    relay.end();
    expect([before.hasEnded(), after.hasEnded(), relay.isOver]).toEqual([true, true, false]);
    relay.drop(before, '');
    relay.drop(after, '');
    expect(relay.isOver).toBe(true);
  });

  it('comes after what was said before a server was there', () => {
    const { relay, say, createTestServer } = open();
    say({ id: 1, method: 'tools/list' });
    relay.end();
    const server = createTestServer();
    expect([server.got, server.hasEnded()]).toEqual([[{ id: 1, method: 'tools/list' }], true]);
  });
});

it.each([
  ['a client that has not been greeted', [], []],
  ['one that wants all', [initialize, initialized], ['It broke.']],
  [
    'one that wants errors',
    [initialized, { id: 1, method: 'logging/setLevel', params: { level: 'error' } }],
    ['It broke.'],
  ],
  [
    'one that wants only what is worse',
    [initialized, { id: 1, method: 'logging/setLevel', params: { level: 'alert' } }],
    [],
  ],
])('an error is in the log of %s as far as it wants it', (_client, messages, logged) => {
  const { relay, written, say, createTestServer } = open();
  createTestServer();
  for (const message of messages) say(message);
  relay.log('It broke.');
  expect(written.map(({ params }) => (params as { readonly data: unknown }).data)).toEqual(logged);
});

it('messages are lines, however they are cut on their way, whatever characters they have', async () => {
  const stream = new PassThrough();
  const messages: string[] = [];
  const ended = new Promise<void>((resolve) => splitMessages(stream, (message) => messages.push(message), resolve));
  const bytes = Buffer.from('{"a":"é\u2028"}\n\n{"b":2}\r\n{"c"');
  for (const byte of bytes) stream.write(Buffer.from([byte]));
  stream.end(':3}\n');
  await ended;
  expect(messages.map((message) => JSON.parse(message) as object)).toEqual([{ a: 'é\u2028' }, { b: 2 }, { c: 3 }]);
});
