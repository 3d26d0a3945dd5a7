import type { BaseContext, ContextBuilder } from '../capability/context.ts';
import type { CapabilityAt, GroupTree, KeyOf, OutputFrom } from '../capability/group-tree.ts';
import { storeAway } from '../enhancers/enhancer-state.ts';
import { toError } from '../errors/failure.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import { toFurtherVerbMessage } from '../routing/route-table.ts';
import type { Store } from '../stores/store.ts';
import { type Application, createApplication } from './create-application.ts';
import { findDevLink } from './dev-link.ts';
import type { Hooks } from './hooks.ts';
import { type InvocationOf, invokeOperation } from './invoke-operation.ts';
import { findQueueInternals } from './job.ts';
import type { AccessLogOptions, Logger } from './logger.ts';
import type { Plugin } from './plugin.ts';
import type { AddedBy, ServerChecks, Used, WithPlugins } from './server-checks.ts';
import { type AnyTransport, type App, type Transport, type TransportStarted, toStartLines } from './transport.ts';

/** The parts that a server is made of; `createServer` infers their types. */
export interface ServerOptions<
  Tree extends GroupTree = GroupTree,
  // oxlint-disable-next-line typescript/no-explicit-any -- a context of any shape
  Ctx extends object = any,
  Plugins extends readonly Plugin[] = readonly Plugin[],
  These extends Used = Used,
> {
  /** Builds the context of each request. @default the context is `{requestId, signal}` */
  readonly context?: ContextBuilder<Ctx> | undefined;
  /** Groups of capabilities, as for `compileRegistry`. */
  readonly capabilities?: Tree | CompiledRegistry<Tree> | undefined;
  /** Bring capabilities, context and hooks of their own. */
  readonly plugins?: Plugins | undefined;
  /** The ways in: `restTransport(…)`, `mcpTransport(…)`, your own. */
  readonly transports?:
    | readonly Transport<
        KeyOf<WithPlugins<NoInfer<Tree>, NoInfer<Plugins>>>,
        NoInfer<Ctx> & AddedBy<NoInfer<Plugins>> & AddedBy<NoInfer<These>>
      >[]
    | undefined;
  /** Middleware around every capability, outside groups, factories and capabilities; the first is outermost. */
  readonly use?: These | undefined;
  /** Makes errors of `defineError` out of what a database or a library throws; what gives undefined stays 500. */
  readonly mapError?: ((error: unknown) => Error | undefined) | undefined;
  /** Hooks look on; an error in one is logged. */
  readonly hooks?: Hooks | undefined;
  /** The time that a request may take, milliseconds. `withTimeout` replaces it for a capability. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** The store of limits, caches and idempotency: that of `capix/redis` is shared. @default this process's memory */
  readonly store?: Store | undefined;
  /** @default lines on stdout and stderr */
  readonly logger?: Logger | undefined;
  /** Whether a line is written for each request that has its response, or which ones, and how loud. @default false */
  readonly accessLog?: boolean | AccessLogOptions | undefined;
}

/** A server of capabilities. `Tree` are those that `invoke` knows by key. */
// oxlint-disable-next-line typescript/no-explicit-any -- every server is one of whatever capabilities
export interface Server<Tree extends GroupTree = any> {
  /** Puts the cached answers of these tags out of date in all processes. Rejects with 503 without the store. */
  invalidate(tags: readonly string[]): Promise<void>;
  /** The capabilities, compiled. */
  readonly registry: CompiledRegistry<Tree>;
  /** Starts every transport and prints where they listen. Rejects, with nothing left open, when one cannot start. */
  start(): Promise<readonly TransportStarted[]>;
  /** Refuses new requests, gives those under way `graceMs` to end, 10000, and closes. May be called again. */
  stop(options?: { readonly graceMs?: number | undefined }): Promise<void>;
  /** Calls a capability in this process; rejects with what went wrong. */
  invoke<Key extends KeyOf<Tree>>(invocation: InvocationOf<Tree, Key>): Promise<OutputFrom<CapabilityAt<Tree, Key>>>;
}

const INTERNALS: unique symbol = Symbol.for('capix.server') as never;

export interface ServerInternals {
  readonly transports: readonly AnyTransport[];
  readonly appFor: (capabilities: GroupTree | undefined) => Application;
}

/** @throws TypeError for what `createServer` did not make, in this copy of the package or another */
export function internalsOf(server: object): ServerInternals {
  const internals = (server as { readonly [INTERNALS]?: ServerInternals })[INTERNALS];
  if (internals === undefined) throw new TypeError('Expected a server made by createServer(…).');
  return internals;
}

/**
 * Makes a server, which listens from `start()` on. @throws TypeError for bad names and options, and a key of two owners
 */
export function createServer<
  Tree extends GroupTree = Record<never, never>,
  Ctx extends object = BaseContext,
  const Plugins extends readonly Plugin[] = [],
  const These extends Used = [],
>(
  options: ServerOptions<Tree, Ctx, Plugins, These> &
    ServerChecks<NoInfer<Tree>, NoInfer<Ctx>, NoInfer<Plugins>, NoInfer<These>>,
): Server<WithPlugins<Tree, Plugins>>;
export function createServer(options: ServerOptions): Server {
  const link = findDevLink();
  const made = createApplication(options);
  const app = link?.observe(made) ?? made;
  const transports = options.transports ?? [];
  const appFor = (own: GroupTree | undefined): Application =>
    own === undefined ? app : { ...app, registry: app.compile(own) };
  let started: AnyTransport[] = [];
  let starting: Promise<readonly TransportStarted[]> | undefined;

  async function startAll(): Promise<readonly TransportStarted[]> {
    const running: TransportStarted[] = [];
    const apps = transports.map((transport) => appFor(transport.capabilities));
    for (const warning of toWarnings([app, ...apps])) app.logger.warn(`[capix] ${warning}`);
    await app.state.given?.start();
    try {
      for (const [at, transport] of transports.entries()) {
        running.push(await transport.start(toApp(apps[at] ?? app, transport.name)));
        started.push(transport);
      }
    } catch (error) {
      await stopAll(0);
      throw error;
    }
    for (const transport of started) transport.open?.();
    if (link === undefined) for (const line of toStartLines(running)) app.logger.info(line);
    else link.started(running);
    return running;
  }

  async function stopAll(graceMs: number): Promise<void> {
    const stopping = started;
    await stopTransports(stopping, graceMs);
    // Two may stop at once: the second one with less patience.
    if (stopping !== started) return;
    started = [];
    starting = undefined;
    await app.state.given?.stop();
  }

  const server: Server & { readonly [INTERNALS]: ServerInternals } = {
    registry: app.registry,
    start: async () => {
      if (starting !== undefined) throw new Error('The server was started already. Call stop() first.');
      starting = startAll();
      link?.starting?.(starting);
      return starting;
    },
    stop: async ({ graceMs = 10_000 } = {}) => {
      // A server that is half started cannot be stopped; whoever started it hears of its faults.
      await starting?.catch(() => {});
      await stopAll(graceMs);
    },
    invalidate: async (tags) => {
      if (!(await app.state.invalidateTags(tags))) throw storeAway();
    },
    invoke: async (invocation) => {
      const outcome = await invokeOperation(app, invocation);
      if (outcome.ok) return outcome.value;
      throw toError(outcome.failure);
    },
    [INTERNALS]: { transports, appFor },
  };
  return server;
}

function toApp(application: Application, transport: string): App {
  const call: App['call'] = ({ remoteAddress, ...invocation }) =>
    invokeOperation(application, invocation, { transport, remoteAddress });
  return { ...application, call } as App;
}

/** Queues end last: the last requests enqueue jobs. */
async function stopTransports(transports: readonly AnyTransport[], graceMs: number): Promise<void> {
  const endsAtMs = performance.now() + graceMs;
  await Promise.all(transports.map((each) => findQueueInternals(each)?.pause() ?? each.stop({ graceMs })));
  const queues = transports.filter((each) => findQueueInternals(each) !== undefined);
  const leftMs = Math.max(0, endsAtMs - performance.now());
  await Promise.all(queues.map((queue) => queue.stop({ graceMs: leftMs })));
}

/** Warns of no capabilities, and of those that do more than the first word of their names says, which decides. */
function toWarnings(applications: readonly Application[]): ReadonlySet<string> {
  const operations = [...new Set(applications.flatMap(({ registry }) => registry.operations))];
  if (operations.length > 0) return new Set(operations.flatMap((operation) => toFurtherVerbMessage(operation) ?? []));
  const example = '{capabilities: {users: {getUser}}}';
  return new Set([
    `The server has no capabilities. Give createServer groups of what \`capability(…)\` makes: ${example}.`,
  ]);
}
