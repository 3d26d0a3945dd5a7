import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request as askBy, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  type RestOptions,
  restTransport,
  type Server,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { localhost } from '../../helpers/localhost-certificate.ts';
import { openRaw, readAnswers } from '../../helpers/raw-http.ts';
import { defer, startOverSocket } from '../../helpers/start-rest.ts';

/** Longer than any test: where `stop()` waits for its grace, the test fails. */
const graceMs = 600_000;

interface Place {
  readonly rest: RestOptions;
  readonly client: Agent.Options;
}

/** Every way to listen, and a client for it. */
const places: readonly (readonly [string, () => Promise<Place>])[] = [
  ['HTTP', async () => ({ rest: { port: 0 }, client: {} })],
  [
    'HTTPS',
    async () => ({
      rest: { port: 0, https: localhost },
      client: { connect: { ca: localhost.cert } },
    }),
  ],
  [
    'a Unix socket',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'capix-stop-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const unix = join(folder, 'api.sock');
      return { rest: { unix }, client: { connect: { socketPath: unix } } };
    },
  ],
];

interface Asked {
  readonly server: Server;
  readonly started: Promise<unknown>;
  readonly aborted: Promise<unknown>;
  readonly finish: (value: string) => void;
  readonly ask: () => Promise<Dispatcher.ResponseData>;
}

/** A server whose only capability waits for the test. */
async function startHeld({ rest, client }: Place): Promise<Asked> {
  const held = defer<string>();
  const started = defer();
  const aborted = defer<unknown>();
  const getJob = capability.withContext<{ readonly signal: AbortSignal }>()(
    (_input, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason));
      started.resolve();
      return held.promise;
    },
  );
  const server = createServer({
    capabilities: { jobs: { getJob } },
    transports: [restTransport(rest)],
    logger: silentLogger,
  });
  const [running] = await server.start();
  const url = rest.unix === undefined ? (running?.url ?? '') : 'http://any';
  const dispatcher = new Agent(client);
  onTestFinished(() => dispatcher.destroy());
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const ask = (): Promise<Dispatcher.ResponseData> => askBy(`${url}/jobs`, { dispatcher });
  return { server, started: started.promise, aborted: aborted.promise, finish: held.resolve, ask };
}

describe.each(places)('stop, over %s', (_name, toPlace) => {
  it('lets a request under way end, and is prompt then', async () => {
    const { server, started, finish, ask } = await startHeld(await toPlace());
    const answer = ask();
    await started;
    const stopped = server.stop({ graceMs });
    finish('done');
    expect(await (await answer).body.json()).toEqual({ data: 'done' });
    await stopped;
  });

  it('breaks it off after the grace, and fires its signal', async () => {
    const { server, started, aborted, ask } = await startHeld(await toPlace());
    const answer = ask();
    answer.catch(() => {});
    await started;
    await server.stop({ graceMs: 20 });
    await expect(answer).rejects.toThrow();
    expect(await aborted).toMatchObject({ name: 'AbortError' });
  });

  it('can be called again with less grace', async () => {
    const { server, started, aborted, ask } = await startHeld(await toPlace());
    const answer = ask();
    answer.catch(() => {});
    await started;
    const patient = server.stop({ graceMs });
    await server.stop({ graceMs: 0 });
    await patient;
    expect(await aborted).toMatchObject({ name: 'AbortError' });
  });
});

describe('stop', () => {
  it('loses no request on an open connection under load: each is answered, and the last one with 503 or Connection: close', async () => {
    const { server, url } = await startOverSocket({
      capabilities: {
        jobs: { createJob: capability(z.object({ a: z.number() }), async (input) => input) },
      },
    });
    const warm = defer();
    let answered = 0;
    const clients = Array.from({ length: 40 }, async () => {
      const socket = openRaw(url)
        .setNoDelay(true)
        .on('error', () => {});
      const statuses: number[] = [];
      for (;;) {
        socket.write(
          'POST /jobs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}',
        );
        const [answer] = await readAnswers(socket, ['POST']);
        statuses.push(answer?.status ?? 0);
        if (++answered === 400) warm.resolve();
        if (answer?.headers.get('connection')?.toLowerCase() !== 'keep-alive') return statuses;
      }
    });
    await warm.promise;
    await server.stop({ graceMs });
    for (const statuses of await Promise.all(clients)) {
      expect(statuses.slice(0, -1).filter((status) => status !== 200)).toEqual([]);
      expect([200, 503]).toContain(statuses.at(-1));
    }
  });

  it('waits for a start under way, and then leaves nothing open', async () => {
    const held = defer();
    const rest = restTransport({ port: 0 });
    const slow = {
      name: 'slow',
      start: () => held.promise.then(() => ({ routes: [] })),
      stop: () => Promise.resolve(),
    };
    const server = createServer({
      capabilities: { jobs: {} },
      transports: [slow, rest],
      logger: silentLogger,
    });
    const starting = server.start();
    const stopped = server.stop({ graceMs });
    held.resolve();
    const started = await starting;
    await stopped;
    await expect(fetch(`${started[1]?.url}/jobs`)).rejects.toThrow();
  });

  it('ends several transports at once, each in its own way', async () => {
    const getEvents = capability(async function* () {
      yield 1;
      await new Promise(() => {});
    });
    const server = createServer({
      capabilities: { jobs: { getEvents } },
      transports: [restTransport({ port: 0 }), restTransport({ port: 0, https: localhost })],
      logger: silentLogger,
    });
    const [plain, secure] = await server.start();
    const dispatcher = new Agent({ connect: { ca: localhost.cert } });
    onTestFinished(() => dispatcher.destroy());
    const urls = [plain?.url, secure?.url];
    const answers = await Promise.all(
      urls.map((url) => askBy(`${url}/jobs/events`, { dispatcher })),
    );
    const texts = answers.map(({ body }) => body.text());
    await server.stop({ graceMs });
    expect(new Set(await Promise.all(texts))).toEqual(
      new Set([
        'data: 1\n\nevent: error\ndata: {"error":"ServiceUnavailable","message":"The server is stopping"}\n\n',
      ]),
    );
  });
});
