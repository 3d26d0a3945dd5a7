import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type * as zod from 'zod';
import type * as capix from '../../server-runtime/index.ts';

type Capix = Pick<typeof capix, 'capability' | 'createServer' | 'restTransport' | 'silentLogger'>;
type Zod = Pick<typeof zod, 'array' | 'boolean' | 'number' | 'object' | 'string'>;

/**
 * Starts a small server of the user's `capix` and `zod` and lets it answer: what an engine does only once, when a
 * function is first used, is done before the code comes that somebody waits for.
 */
export async function rehearse(modules: readonly object[]): Promise<void> {
  await loadWithSourceMap();
  const all: Partial<Capix & Zod> = Object.assign({}, ...modules);
  if (all.createServer === undefined || all.object === undefined) return;
  const server = toServer(all as Capix, all as Zod);
  const [started] = await server.start();
  const port = Number(new URL(started?.url ?? '').port);
  try {
    for (const request of requests) await text(connect(port, '127.0.0.1').end(request));
  } finally {
    await server.stop({ graceMs: 0 });
  }
}

function toServer({ capability, createServer, restTransport, silentLogger }: Capix, z: Zod) {
  const Thing = z
    .object({ name: z.string().min(1), count: z.number().int(), isNew: z.boolean().optional() })
    .partial();
  const things = {
    listThings: capability(z.object({ limit: z.number().default(20) }), ({ limit }) => [
      { limit },
    ]).output(z.array(z.object({ limit: z.number() }))),
    getThing: capability(z.object({ id: z.string() }), ({ id }) => ({ id })),
    createThing: capability(Thing, async ({ name }) => name),
    deleteThing: capability(z.object({ id: z.string() }), () => undefined),
  };
  return createServer({
    capabilities: { things },
    transports: [restTransport({ port: 0, host: '127.0.0.1' })],
    logger: silentLogger,
  });
}

const requests = [
  'GET /things?limit=2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'GET /things/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'POST /things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n' +
    'Content-Length: 12\r\n\r\n{"name":"a"}',
];

/** Node looks at every character of a module that has a source map. */
async function loadWithSourceMap(): Promise<void> {
  const map = Buffer.from('{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}').toString(
    'base64',
  );
  const code = `${' \n'.repeat(16_384)}//# sourceMappingURL=data:application/json;base64,${map}`;
  await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
