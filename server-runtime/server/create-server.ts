import { type BaseContext, type ContextBuilder, isContextBuilder } from '../capability/context.ts';
import { expectKind } from '../capability/definition.ts';
import { type AnyEnhancer, ENHANCER } from '../capability/enhancer.ts';
import type {
  CapabilityAt,
  GroupTree,
  KeyOf,
  LinkTargets,
  OutputFrom,
} from '../capability/group-tree.ts';
import { createEnhancerState, storeAway } from '../enhancers/enhancer-state.ts';
import {
  expectInteger,
  expectKnownOptions,
  expectTimeout,
  type OptionNames,
} from '../errors/expect-options.ts';
import { toError } from '../errors/failure.ts';
import { expectSecurity } from '../errors/security-faults.ts';
import { createAdmission, createGuardChecker } from '../execution/check-guards.ts';
import { createContextBuilder, createExecute, createFailureRule } from '../execution/execute.ts';
import { Lifecycle } from '../execution/lifecycle.ts';
import {
  type CompiledRegistry,
  compileRegistry,
  enhanceRegistry,
  toRegistry,
} from '../registry/compile-registry.ts';
import { toFurtherVerbMessage } from '../routing/route-table.ts';
import type { Store } from '../stores/store.ts';
import type { Application } from './application.ts';
import { createRequestIds } from './call.ts';
import { findDevLink } from './dev-link.ts';
import { createGuests, expectHost, type Guests } from './guests.ts';
import { compileHooks, type Hooks, hookNames, toAccessHooks } from './hooks.ts';
import { type Invocation, type InvocationOf, invokeOperation } from './invoke-operation.ts';
import { toCallTracker } from './job.ts';
import { type AccessLogOptions, consoleLogger, type Logger, toSafeLogger } from './logger.ts';
import type { AddedBy, Plugin, ServerChecks, Used, WithPlugins } from './plugin.ts';
import {
  type OwnTransport,
  openTransports,
  startTransport,
  stopTransports,
  toOwnTransport,
} from './run-transports.ts';
import { toStartLines } from './start-lines.ts';
import type { AnyTransport, Transport, TransportStarted } from './transport.ts';

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
        NoInfer<Ctx> & AddedBy<NoInfer<Plugins>> & AddedBy<NoInfer<These>>,
        LinkTargets<WithPlugins<NoInfer<Tree>, NoInfer<Plugins>>>
      >[]
    | undefined;
  /** Middleware around every capability, outside groups, factories and capabilities; the first is outermost. */
  readonly use?: These | undefined;
  /**
   * Turns the errors of a database or a library into errors of `defineError`; an error for which it returns undefined
   * stays 500.
   */
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

/** The names of the options that a test server has too. */
export const sharedOptionNames: OptionNames<Omit<ServerOptions, 'transports'>> = {
  context: true,
  capabilities: true,
  plugins: true,
  use: true,
  hooks: true,
  timeoutMs: true,
  store: true,
  logger: true,
  accessLog: true,
  mapError: true,
};

const serverOptionNames: OptionNames<ServerOptions> = { ...sharedOptionNames, transports: true };

/** The times of `server.stop`. */
export interface StopOptions {
  /** The time that requests under way have to end, milliseconds. @default 10000 */
  readonly graceMs?: number | undefined;
  /** The time before that, in which `/health/ready` fails and all else is served, milliseconds. @default 0 */
  readonly readinessMs?: number | undefined;
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
  /** Refuses new requests, gives open ones `graceMs` to end, and closes. May be called again, to end it sooner. */
  stop(options?: StopOptions): Promise<void>;
  /** Calls a capability in this process; rejects with the error of the call. */
  invoke<Key extends KeyOf<Tree>>(
    invocation: InvocationOf<Tree, Key>,
  ): Promise<OutputFrom<CapabilityAt<Tree, Key>>>;
}

const INTERNALS: unique symbol = Symbol.for('capix.server');

interface HasInternals {
  readonly [INTERNALS]: {
    readonly transports: readonly AnyTransport[];
    readonly appFor: (capabilities: GroupTree | undefined) => Application;
    /** The transports that handlers of other servers answer for; called for each such handler. */
    readonly mount: () => Guests;
  };
}

/** @throws TypeError for an object that no `createServer` made, in this copy of the package or another */
export function internalsOf(server: object): HasInternals[typeof INTERNALS] {
  if (INTERNALS in server) return (server as HasInternals)[INTERNALS];
  throw new TypeError('Expected a server made by createServer(…).');
}

/** Makes a server, which listens from `start()` on. @throws TypeError for invalid names and options */
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
  const transports = expectTransports(options.transports ?? []);
  const appFor = (own: GroupTree | undefined): Application =>
    own === undefined ? app : { ...app, registry: app.compile(own) };
  let started: OwnTransport[] = [];
  let starting: Promise<readonly TransportStarted[]> | undefined;
  const guests = createGuests(transports, app.logger, appFor);
  let isMounted = false;
  /** Ends the time in which the server still serves, but reports that it is not ready. */
  let endReadiness = (): void => {};

  async function startAll(): Promise<readonly TransportStarted[]> {
    expectSecurity();
    expectHost(transports, isMounted);
    const running: TransportStarted[] = [];
    const own = transports.map((one) => toOwnTransport(one, appFor(one.capabilities)));
    const applications = own.map(({ application }) => application);
    for (const warning of toWarnings([app, ...applications])) app.logger.warn(`[capix] ${warning}`);
    await app.state.shared?.start();
    try {
      await app.lifecycle.start();
      for (const one of own) {
        running.push(await startTransport(one, guests));
        started.push(one);
      }
    } catch (error) {
      await stopAll(0);
      throw error;
    }
    openTransports(started);
    app.hooks.onReadiness?.({ isReady: true });
    if (link === undefined) for (const line of toStartLines(running)) app.logger.info(line);
    else link.started(running);
    return running;
  }

  /** Load balancers need a while to notice that the server is not ready. A second `stop` ends that time. */
  async function serveOn(readinessMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, readinessMs);
      endReadiness = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function stopAll(graceMs: number): Promise<void> {
    const endsAtMs = performance.now() + graceMs;
    const stopping = started;
    await stopTransports(stopping, graceMs);
    await app.lifecycle.stop(endsAtMs - performance.now());
    // Two may stop at once: the second one with less patience.
    if (stopping !== started) return;
    started = [];
    starting = undefined;
    await app.state.shared?.stop();
  }

  const server: Server & HasInternals = {
    registry: app.registry,
    start: async () => {
      if (starting !== undefined)
        throw new Error('The server was started already. Call stop() first.');
      starting = startAll();
      link?.starting?.(starting);
      return starting;
    },
    stop: async ({ graceMs = 10_000, readinessMs = 0 } = {}) => {
      expectInteger('server.stop readinessMs', readinessMs, { min: 0 });
      // A server that has started in part cannot be stopped; the error goes to the caller of `start`.
      await starting?.catch(() => {});
      endReadiness();
      if (started.length > 0) {
        app.hooks.onReadiness?.({ isReady: false });
        if (readinessMs > 0) await serveOn(readinessMs);
      }
      await stopAll(graceMs);
    },
    invalidate: async (tags) => {
      if (!(await app.state.invalidateTags(tags))) throw storeAway();
    },
    invoke: (invocation) => invokeInProcess(app, invocation),
    [INTERNALS]: {
      transports,
      appFor,
      mount: () => {
        isMounted = true;
        return guests;
      },
    },
  };
  return server;
}

/** @throws TypeError for what is none, such as one that nobody has called */
function expectTransports<One>(transports: readonly One[]): readonly One[] {
  const isTransport = (one: unknown): boolean =>
    typeof (one as Partial<Transport> | null)?.start === 'function';
  for (const one of transports)
    expectKind(
      one,
      isTransport,
      'createServer transports: expected a list such as [restTransport()]',
    );
  return transports;
}

/** Rejects with the error of the call. */
async function invokeInProcess(app: Application, invocation: Invocation): Promise<unknown> {
  if (!app.lifecycle.isReady) await app.lifecycle.startForCall();
  const outcome = await invokeOperation(app, invocation, { hasThrown: true });
  if (outcome.ok) return outcome.value;
  throw toError(outcome.failure);
}

function createApplication(options: ServerOptions): Application {
  expectKnownOptions('createServer', options, serverOptionNames);
  const { context, hooks = {}, timeoutMs = 30_000, accessLog = false } = options;
  expectKnownOptions('createServer({hooks})', hooks, hookNames);
  expectTimeout(timeoutMs, 'createServer timeoutMs');
  if (context !== undefined && !isContextBuilder(context))
    throw new TypeError(`createServer context: expected defineContext(…), got ${typeof context}.`);
  const logger = toSafeLogger(options.logger ?? consoleLogger);
  const plugins = (options.plugins ?? []).map((each, at) => ({
    ...each,
    name: each.name ?? `plugin ${at + 1}`,
  }));
  const wanted =
    'createServer use: expected a list of what defineMiddleware(…) makes, or enhancers';
  const use = expectKind<readonly AnyEnhancer[]>(options.use ?? [], Array.isArray, wanted);
  for (const one of use) expectKind(one, (value) => ENHANCER in Object(value), wanted);
  const state = createEnhancerState(options.store, logger);
  // That of the tool is innermost.
  const ofPlugins = plugins.map(({ observe }) => observe);
  const observers = [...ofPlugins, findDevLink()?.observer].filter((each) => each !== undefined);
  const compile = (own: GroupTree | CompiledRegistry, around = use): CompiledRegistry =>
    enhanceRegistry(compileRegistry(own), around, { state, observers });
  const ownerOf = new Map<string, string>();
  const itself = { name: 'the application', capabilities: options.capabilities, outsideUse: false };
  const operations = [itself, ...plugins].flatMap(({ name, capabilities = {}, outsideUse }) => {
    const own = compile(capabilities, outsideUse === true ? [] : use).operations;
    for (const { key } of plugins.length > 0 ? own : []) {
      const other = ownerOf.get(key);
      if (other !== undefined)
        throw new TypeError(
          `Both ${other} and ${name} declare '${key}'. Rename it in one of them.`,
        );
      ownerOf.set(key, name);
    }
    return own;
  });
  const access = toAccessHooks(accessLog, logger);
  const buildContext = createContextBuilder(context, plugins);
  const rule = createFailureRule(options.mapError);
  return {
    registry: toRegistry(operations),
    compile,
    execute: createExecute(buildContext, rule, toCallTracker(options.transports ?? [])),
    toRequestId: createRequestIds(),
    toFailure: rule,
    findRefusals: createGuardChecker(buildContext, rule),
    admit: createAdmission(buildContext),
    timeoutMs,
    hooks: compileHooks(
      [hooks, ...plugins.flatMap((plugin) => plugin.hooks ?? []), ...access],
      logger,
    ),
    logger,
    lifecycle: new Lifecycle(plugins, logger),
    state,
  };
}

/** Warns of a server without capabilities, and of names with a second verb: the first verb decides the method. */
function toWarnings(applications: readonly Application[]): ReadonlySet<string> {
  const operations = applications.flatMap(({ registry }) => registry.operations);
  const none =
    'The server has no capabilities. Give createServer groups of what `capability(…)` makes: ' +
    '{capabilities: {users: {getUser}}}.';
  return new Set(
    operations.length === 0
      ? [none]
      : operations.map(toFurtherVerbMessage).filter((each) => each !== undefined),
  );
}
