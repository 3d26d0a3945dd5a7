import { EventSource, WebSocket } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { createClient, webSocket } from '../../server-runtime/client/index.ts';
import { redisStore } from '../../server-runtime/stores/redis-store.ts';
import { topic } from '../../server-runtime/topics/index.ts';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { describeWithRedis, startRedis } from '../helpers/start-redis.ts';

const prefix = 'dev-topics:';

const toServer = (redis: string, version: string): string => `
  import { capability, createServer, restTransport } from 'capix';
  import { redisStore } from 'capix/redis';
  import { topic } from 'capix/topics';
  import { webSocketTransport } from 'capix/websocket';
  const store = redisStore('${redis}', { prefix: '${prefix}' });
  const numbers = topic<number>('numbers', { store });
  const listNumbers = capability(({ after }: { after?: string }, { signal }) => numbers.subscribe({ signal, after }))
    .takes({ headers: { after: 'last-event-id' } });
  const getVersion = capability(() => '${version}');
  await createServer({
    capabilities: { numbers: { listNumbers }, versions: { getVersion } },
    store,
    transports: [restTransport({ port: 0 }), webSocketTransport()],
  }).start();`;

describeWithRedis('subscribers of a topic under capix dev', () => {
  it('move to new code with each save, over a WebSocket and over events, and miss nothing', async () => {
    const { url: redis } = await startRedis();
    const folder = await devProject({ 'src/server.ts': toServer(redis, 'one') });
    const dev = openDevJson(folder);
    const url = await dev.url();
    const store = redisStore(redis, { prefix });
    onTestFinished(() => store.stop?.());
    const numbers = topic<number>('numbers', { store });
    await numbers.publish(-1);

    const overEvents: number[] = [];
    const source = new EventSource(`${url}/numbers`);
    source.onmessage = ({ data }) => void overEvents.push(JSON.parse(data) as number);
    const overSocket: number[] = [];
    const transport = webSocket(url, { WebSocket });
    onTestFinished(() => {
      source.close();
      transport.close();
    });
    const api = createClient<{ numbers: { listNumbers: never } }>({ transport }) as unknown as {
      readonly numbers: { readonly listNumbers: (input: object) => Promise<AsyncIterable<number>> };
    };
    const read = async (): Promise<void> => {
      for await (const number of await api.numbers.listNumbers({})) overSocket.push(number);
    };
    read().catch(() => {});

    let next = 0;
    const publish = async (): Promise<void> => void (await numbers.publish(next++));
    // Both hear, and have an id to go on behind.
    await expect
      .poll(async () => {
        await publish();
        return overEvents.length > 0 && overSocket.length > 0;
      })
      .toBe(true);
    const timer = setInterval(() => void publish(), 10);
    for (const version of ['two', 'three']) {
      await writeTree(folder, { 'src/server.ts': toServer(redis, version) });
      await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
      await expect
        .poll(async () => (await fetch(`${url}/versions`)).json())
        .toMatchObject({ data: version });
    }
    clearInterval(timer);
    await publish();
    for (const seen of [overEvents, overSocket]) {
      await expect.poll(() => seen.at(-1)).toBe(next - 1);
      const [first = 0] = seen;
      expect(seen).toEqual(Array.from({ length: next - first }, (_, at) => first + at));
    }
  });
});
