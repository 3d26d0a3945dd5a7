import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type * as zod from 'zod';
import type * as capix from '../../server-runtime/index.ts';
import type { followCode } from '../load/hooks/follow-code.ts';
import { watchModuleHooks } from '../patches/watch-module-hooks.ts';
import type { PreloadState } from './server-message.ts';

type Hooks = Pick<ReturnType<typeof followCode>, 'followPackages' | 'files'>;

/**
 * Loads packages before the code comes that imports them. What they see then must be what they would see later: the
 * same variables, no hooks of the code, and the same files.
 */
export class Preload {
  readonly #hooks: Hooks;
  readonly #startEnvironment = { ...process.env };
  readonly #fetch = globalThis.fetch;
  readonly #areHooked = watchModuleHooks();
  readonly #files: ReturnType<NonNullable<Hooks['followPackages']>> | undefined;
  #hasFailed = false;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
    this.#files = hooks.followPackages?.();
  }

  /** Imports packages (URLs) one after the other, until `isAwaited`. */
  async load(packages: readonly string[], isAwaited: () => boolean): Promise<void> {
    const ownFiles = this.#hooks.files().length;
    for (const url of packages) {
      if (isAwaited() || this.#files === undefined) return;
      // A module that has thrown once throws again, whatever is there by then.
      await import(url).catch(() => {
        this.#hasFailed = true;
      });
    }
    this.#hasFailed ||= this.#hooks.files().length > ownFiles;
  }

  state(): PreloadState {
    if (this.#hasFailed) return 'failed';
    return this.#files?.areAsLoaded() === false ? 'stale' : 'fresh';
  }

  /** Whether code that has been loaded, with these variables of its env files, leaves packages what they see. */
  isRepeatable(variables: Readonly<Record<string, string>>): boolean {
    if (this.#files === undefined || this.#areHooked()) return false;
    const expected: NodeJS.ProcessEnv = { ...this.#startEnvironment, ...variables };
    const names = new Set([...Object.keys(expected), ...Object.keys(process.env)]);
    const isSame = [...names].every((name) => process.env[name] === expected[name]);
    return isSame && globalThis.fetch === this.#fetch;
  }
}

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
