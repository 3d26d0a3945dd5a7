import { isContextBuilder } from '../capability/context.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { expectUsed } from '../capability/used.ts';
import { createEnhancerState, type EnhancerState } from '../enhancers/enhancer-state.ts';
import { expectTimeout } from '../enhancers/with-timeout.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import {
  type CheckGuards,
  type ContextExtension,
  createContextBuilder,
  createExecute,
  createGuardChecker,
  type Execute,
} from '../execution/execute.ts';
import { createRequestIdMaker, createScopeOpener, type OpenScope } from '../execution/request-scope.ts';
import { type CompiledRegistry, compileRegistry, enhanceRegistry, toRegistry } from '../registry/compile-registry.ts';
import type { ServerOptions } from './create-server.ts';
import { type CompiledHooks, compileHooks, type Hooks, hookNames } from './hooks.ts';
import { type AccessDetails, type AccessLevel, consoleLogger, type Logger, toSafeLogger } from './logger.ts';

export const serverOptionNames: OptionNames<ServerOptions> = {
  context: true,
  capabilities: true,
  plugins: true,
  transports: true,
  use: true,
  hooks: true,
  timeoutMs: true,
  store: true,
  logger: true,
  accessLog: true,
  mapError: true,
};

/** The application as the package's own transports see it. */
export interface Application {
  readonly registry: CompiledRegistry;
  /** Compiles capabilities of a transport's own, inside the middleware of the application. */
  readonly compile: (capabilities: GroupTree) => CompiledRegistry;
  readonly execute: Execute;
  readonly checkGuards: CheckGuards;
  readonly openScope: OpenScope;
  readonly hooks: CompiledHooks;
  readonly logger: Logger;
  /** Gives an id that is unique in this process and unlikely in another. */
  readonly newRequestId: () => string;
  readonly state: EnhancerState;
}

/** @throws TypeError for options that cannot be */
export function createApplication(options: ServerOptions): Application {
  expectKnownOptions('createServer', options, serverOptionNames);
  const { context, plugins = [], hooks = {}, timeoutMs = 30_000, store, mapError } = options;
  expectKnownOptions('createServer({hooks})', hooks, hookNames);
  expectTimeout(timeoutMs, 'createServer timeoutMs');
  if (context !== undefined && !isContextBuilder(context))
    throw new TypeError(`createServer context: expected defineContext(…), got ${typeof context}.`);
  if (mapError !== undefined && typeof mapError !== 'function')
    throw new TypeError(`createServer mapError: expected a function, got ${typeof mapError}.`);
  const logger = toSafeLogger(options.logger ?? consoleLogger);
  const named = plugins.map((plugin, index) => ({ ...plugin, name: plugin.name ?? `plugin ${index + 1}` }));
  const extensions = named.flatMap(({ name, context: extend }): ContextExtension[] =>
    extend === undefined ? [] : [{ owner: name, extend: extend as ContextExtension['extend'] }],
  );
  const use = [
    ...named.flatMap((plugin) => expectUsed(plugin.name, plugin.use)),
    ...expectUsed('createServer', options.use),
  ];
  const state = createEnhancerState(store, { logger, timeoutMs });
  const observers = named.flatMap(({ observe }) => observe ?? []);
  const compile = (own: GroupTree | CompiledRegistry, around = use): CompiledRegistry =>
    enhanceRegistry(compileRegistry(own), { state, observers, use: around });
  const ofPlugins = named.map(
    ({ name, capabilities = {}, outsideUse }) => [name, compile(capabilities, outsideUse === true ? [] : use)] as const,
  );
  const looking = [
    hooks,
    ...named.flatMap((plugin) => plugin.hooks ?? []),
    ...toAccessHooks(options.accessLog, logger),
  ];
  const buildContext = createContextBuilder(context, extensions);
  return {
    registry: mergeRegistries([['the application', compile(options.capabilities ?? {})], ...ofPlugins]),
    compile: (own) => compile(own),
    execute: createExecute(buildContext, mapError),
    checkGuards: createGuardChecker(buildContext),
    openScope: createScopeOpener(timeoutMs),
    hooks: compileHooks(looking, logger),
    logger,
    newRequestId: createRequestIdMaker(),
    state,
  };
}

/** Writes a line for each answered request: `GET /items/7 200 in 3 ms`. The query may hold secrets. */
function toAccessHooks(accessLog: ServerOptions['accessLog'] = false, logger: Logger): readonly Hooks[] {
  if (accessLog === false) return [];
  const options = accessLog === true ? {} : accessLog;
  expectKnownOptions('createServer({accessLog})', options, { filter: true, level: true });
  const { filter = () => true, level = toLevel } = options;
  const onResponse: Hooks['onResponse'] = ({ request, capability, status, durationMs: exactMs }) => {
    const { requestId, transport, method, path, route, remoteAddress } = request;
    const durationMs = Math.round(exactMs * 10) / 10;
    const details = { requestId, transport, method, path, route, capability, status, durationMs, remoteAddress };
    if (filter(details)) logger[level(details)](`[capix] ${method} ${path} ${status} in ${durationMs} ms`, details);
  };
  return [{ onResponse }];
}

function toLevel({ status }: AccessDetails): AccessLevel {
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
}

/** One registry of everybody's capabilities. @throws TypeError that names both owners when a key exists twice */
function mergeRegistries(owned: readonly (readonly [owner: string, registry: CompiledRegistry])[]): CompiledRegistry {
  const ownerOf = new Map<string, string>();
  for (const [owner, { operations }] of owned) {
    for (const { key } of operations) {
      const other = ownerOf.get(key);
      if (other !== undefined)
        throw new TypeError(`Both ${other} and ${owner} declare '${key}'. Rename it in one of them.`);
      ownerOf.set(key, owner);
    }
  }
  return toRegistry(owned.flatMap(([, { operations }]) => operations));
}
