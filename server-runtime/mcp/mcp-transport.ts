import type { Server as HttpServer } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Icon } from '../capability/definition.ts';
import type { GroupTree, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { expectInteger, expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import { loadPackage } from '../errors/load-package.ts';
import { type TrustProxy, toCallerFinder } from '../http/trust-proxy.ts';
import { claimStdout } from '../patches/claim-stdout.ts';
import { findDevLink } from '../server/dev-link.ts';
import { applicationOf } from '../server/server-internals.ts';
import type { Transport, TransportStarted } from '../server/transport.ts';
import { type Authorize, createGate, type ResourceMetadata } from './authorize.ts';
import { Closing } from './closing.ts';
import type { ApprovalRule } from './load-asker.ts';
import { loadServerMaker } from './load-handlers.ts';
import type { ResourceChanges } from './resources.ts';
import { isLoopback, serveHttp } from './serve-http.ts';
import { serveStdio } from './serve-stdio.ts';
import { toTools } from './tools.ts';

/** The options of serving capabilities to AI agents. `Own` are capabilities of this transport. */
export interface McpOptions<Own extends GroupTree = GroupTree> {
  /** Name of the server, told to agents. @default 'capix' */
  readonly name?: string | undefined;
  /** Version of the server, told to agents. @default '0.1.0' */
  readonly version?: string | undefined;
  /** Name of the server for people. */
  readonly title?: string | undefined;
  /** The address of a page about the server, for people. */
  readonly websiteUrl?: string | undefined;
  /** Pictures of the server, for people. */
  readonly icons?: readonly Icon[] | undefined;
  /** The purpose of the server and how its tools go together, told to agents. */
  readonly instructions?: string | undefined;
  /** Over HTTP, 0 lets the system choose. @default 3001 */
  readonly port?: number | undefined;
  /** The address to listen at. @default '127.0.0.1': this machine alone */
  readonly host?: string | undefined;
  /** The path at which it answers, over HTTP. @default '/mcp' */
  readonly path?: string | undefined;
  /** A server of yours, in place of `port` and `host`: requests at `path` come here. You listen and close. */
  readonly server?: HttpServer | undefined;
  /** Host names under which others may ask, without port; needed at an address of more than this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of pages that may ask, beside pages of this machine: `https://app.example.org`. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * The proxies before the server, whose word for the address of the caller is taken: their number, or their addresses,
   * as for `restTransport`.
   * @default the address is that of the connection
   */
  readonly trustProxy?: TrustProxy | undefined;
  /**
   * Lets callers in, over HTTP, before anything else is done: gives who it is, which contexts get as `identity`, or
   * undefined, which is answered with
   * 401. @default everybody who reaches the port
   */
  readonly authorize?: Authorize | undefined;
  /** The place where clients sign their users in, told by 401 and at `/.well-known/oauth-protected-resource`. */
  readonly resourceMetadata?: ResourceMetadata | undefined;
  /** Whether callers see only the tools whose guards let them pass. @default true with `authorize` */
  readonly hidesRefused?: boolean | undefined;
  /** Speaks over stdin and stdout, not HTTP. Whatever else is written to stdout goes to stderr. @default false */
  readonly stdio?: boolean | StdioOptions | undefined;
  /**
   * Signs what clients hold between a question to their user and its answer: at least 32 characters, the same for all
   * instances behind one address. @default a random one of this process
   */
  readonly secret?: string | undefined;
  /**
   * The calls that the agent's user must approve, whom the client asks: `'destructive'` are those that may destroy
   * something, `'changes'` all that change something. `.tool({ approve })` says otherwise of one capability. @default
   * none
   */
  readonly approve?: ApprovalRule | undefined;
  /**
   * The most text in one result of a tool, a resource or a prompt, bytes. For a longer one agents get the error 413,
   * which says by which fields to ask for less. Images, audio and files are no text. @default 100,000
   */
  readonly maxResultBytes?: number | undefined;
  /** Says which resources have changed, so that agents can watch them. @default nobody does */
  readonly changes?: ResourceChanges | undefined;
  /** Capabilities of this transport, in place of the application's. */
  readonly capabilities?: Own | undefined;
}

/** The streams that are used in place of those of the process. */
export interface StdioOptions {
  /** The stream that messages come from. @default stdin */
  readonly input?: Readable | undefined;
  /** The stream that messages go to. @default stdout */
  readonly output?: Writable | undefined;
  /** Called when the input has ended and everything that was asked has been answered. */
  readonly onClose?: (() => void) | undefined;
}

const optionNames: OptionNames<McpOptions> = {
  name: true,
  version: true,
  title: true,
  websiteUrl: true,
  icons: true,
  instructions: true,
  port: true,
  host: true,
  path: true,
  server: true,
  allowedHosts: true,
  allowedOrigins: true,
  trustProxy: true,
  authorize: true,
  resourceMetadata: true,
  hidesRefused: true,
  stdio: true,
  secret: true,
  changes: true,
  approve: true,
  maxResultBytes: true,
  capabilities: true,
};
const stdioOptionNames: OptionNames<StdioOptions> = { input: true, output: true, onClose: true };

/**
 * Serves capabilities to AI agents as tools named `<group>_<name>`, over Streamable HTTP or stdio.
 *
 * @throws TypeError for an address that others can reach without `allowedHosts`, a path without a slash, and an option
 * that there is not
 *
 * @example
 * ```ts
 * import { mcpTransport } from 'capix/mcp';
 *
 * const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada' })).describe('Get one user');
 * const server = createServer({ capabilities: { users: { getUser } }, transports: [mcpTransport({ port: 3001 })] });
 * ```
 */
export function mcpTransport<Own extends GroupTree = Record<never, never>>(
  options: McpOptions<Own> = {},
): Uninferred<Transport<never, NeedsOf<Own>>, Own> {
  const { name = 'capix', version = '0.1.0', title, websiteUrl, icons, instructions } = options;
  const { authorize, hidesRefused = authorize !== undefined, stdio = false } = options;
  expectKnownOptions('mcpTransport', options, optionNames);
  if (typeof stdio === 'object') expectKnownOptions('mcpTransport({stdio})', stdio, stdioOptionNames);
  expectReachable(options);
  const findCaller = toCallerFinder(options.trustProxy, 'mcpTransport');
  let stop: (graceMs: number) => Promise<void> = async () => {};

  return {
    name: 'mcp',
    ...(options.capabilities === undefined ? {} : { capabilities: options.capabilities }),
    start: async (given): Promise<TransportStarted> => {
      const app = applicationOf(given);
      const tools = toTools(app.registry.operations, options.approve);
      const closing = new Closing();
      // Under `capix dev`, which holds the port, newer code takes the place of this one while clients stay.
      const link = findDevLink();
      const replaced = link?.listen === undefined ? undefined : link.replaced;
      const { secret, changes, maxResultBytes } = options;
      const identity = { name, version, title, websiteUrl, icons, instructions };
      const parts = {
        app,
        tools,
        closing,
        secret,
        hidesRefused,
        changes,
        maxResultBytes,
        isLive: replaced !== undefined,
      };
      const packages = ['@modelcontextprotocol/server', ...(stdio === false ? ['@modelcontextprotocol/node'] : [])];
      return loadPackage(packages, 'mcpTransport', async (): Promise<TransportStarted> => {
        const streams = stdio === false ? undefined : createStreams(stdio);
        const createMcpServer = await loadServerMaker(identity, parts);
        if (streams !== undefined) {
          stop = await serveStdio(createMcpServer, { ...streams, closing });
          return { routes: [] };
        }
        const onFault = (error: unknown): void =>
          app.logger.error('[capix] authorize of mcpTransport failed', { error });
        const gate = createGate(authorize, options.resourceMetadata, onFault);
        const endpoint = { createMcpServer, closing, changes, replaced };
        const serving = await serveHttp({ ...options, gate, findCaller }, endpoint);
        stop = serving.stop;
        return { ...(serving.url === undefined ? {} : { url: serving.url }), routes: [] };
      });
    },
    stop: ({ graceMs }) => stop(graceMs),
  };
}

function createStreams(stdio: true | StdioOptions): { input: Readable; output: Writable; onClose: () => void } {
  const { input = process.stdin, output = claimStdout(), onClose = () => {} } = stdio === true ? {} : stdio;
  return { input, output, onClose };
}

/** Less has no room for a single item. */
const MIN_RESULT_BYTES = 1000;

function expectReachable({ host = '127.0.0.1', path = '/mcp', allowedHosts = [], ...gate }: McpOptions): void {
  const { port = 3001, authorize, resourceMetadata, maxResultBytes } = gate;
  expectInteger('mcpTransport port', port, { min: 0, max: 65_535 });
  if (maxResultBytes !== undefined && !(maxResultBytes >= MIN_RESULT_BYTES))
    throw new TypeError(`mcpTransport maxResultBytes: expected ${MIN_RESULT_BYTES} or more, got ${maxResultBytes}.`);
  if (!path.startsWith('/')) throw new TypeError(`mcpTransport path: expected a path such as '/mcp', got '${path}'.`);
  if (resourceMetadata !== undefined && !URL.canParse(resourceMetadata.resource))
    throw new TypeError(
      `mcpTransport resourceMetadata.resource: expected an address such as 'https://api.example.org/mcp', got ` +
        `'${resourceMetadata.resource}'.`,
    );
  if (resourceMetadata !== undefined && authorize === undefined)
    throw new TypeError('mcpTransport resourceMetadata: say who is let in, too: authorize: ({ token }) => ….');
  if (isLoopback(host) || allowedHosts.length > 0) return;
  throw new TypeError(
    `mcpTransport host: others can reach '${host}', so say under which names they may ask: allowedHosts: ` +
      `['mcp.example.org'].`,
  );
}
