import { isContextBuilder } from '../capability/context.ts';
import { expectKind } from '../capability/definition.ts';
import { type AnyEnhancer, ENHANCER } from '../capability/enhancer.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { createEnhancerState, type EnhancerState } from '../enhancers/enhancer-state.ts';
import { expectTimeout } from '../enhancers/with-timeout.ts';
import { expectKnownOptions } from '../errors/expect-options.ts';
import {
  type ContextExtension,
  createContextBuilder,
  createExecute,
  createGuardChecker,
  type Execute,
  type FindRefusing,
} from '../execution/execute.ts';
import { type CompiledRegistry, compileRegistry, enhanceRegistry, toRegistry } from '../registry/compile-registry.ts';
import type { ServerOptions } from './create-server.ts';
import { type CompiledHooks, compileHooks, type Hooks, hookNames } from './hooks.ts';
import { type AccessLogOptions, consoleLogger, type Logger, toSafeLogger } from './logger.ts';
import type { App } from './transport.ts';

export const serverOptionNames =
  'context capabilities plugins transports use hooks timeoutMs store logger accessLog mapError';

export interface Application {
  readonly registry: CompiledRegistry;
  /** Compiles capabilities of a transport's own, inside the middleware of the application. */
  readonly compile: (capabilities: GroupTree) => CompiledRegistry;
  readonly execute: Execute;
  readonly findRefusing: FindRefusing;
  /** The time of a call whose capability declares none, milliseconds. */
  readonly timeoutMs: number;
  readonly hooks: CompiledHooks;
  readonly logger: Logger;
  readonly state: EnhancerState;
}

/** The application of a transport of this package: `createServer` gives all of it. */
export function applicationOf(app: App): Application {
  return app as unknown as Application;
}

export function createApplication(options: ServerOptions): Application {
  expectKnownOptions('createServer', options, serverOptionNames);
  const { context, hooks = {}, timeoutMs = 30_000, accessLog = false } = options;
  expectKnownOptions('createServer({hooks})', hooks, hookNames);
  expectTimeout(timeoutMs, 'createServer timeoutMs');
  if (context !== undefined && !isContextBuilder(context))
    throw new TypeError(`createServer context: expected defineContext(…), got ${typeof context}.`);
  const logger = toSafeLogger(options.logger ?? consoleLogger);
  const plugins = (options.plugins ?? []).map((each, at) => ({ ...each, name: each.name ?? `plugin ${at + 1}` }));
  const extensions = plugins.flatMap(({ name, context: extend }) => (extend ? [{ owner: name, extend }] : []));
  const wanted = 'createServer use: expected a list of what defineMiddleware(…) makes, or enhancers';
  const use = expectKind<readonly AnyEnhancer[]>(options.use ?? [], Array.isArray, wanted);
  for (const one of use) expectKind(one, (value) => ENHANCER in Object(value), wanted);
  const state = createEnhancerState(options.store, { logger, timeoutMs });
  const observers = plugins.flatMap(({ observe }) => observe ?? []);
  const compile = (own: GroupTree | CompiledRegistry, around = use): CompiledRegistry =>
    enhanceRegistry(compileRegistry(own), around, { state, observers });
  const access = accessLog === false ? [] : [toAccessHooks(accessLog === true ? {} : accessLog, logger)];
  const buildContext = createContextBuilder(context, extensions as ContextExtension[]);
  return {
    registry: mergeRegistries([
      ['the application', compile(options.capabilities ?? {})],
      ...plugins.map(
        ({ name, capabilities = {}, outsideUse = false }) =>
          [name, compile(capabilities, outsideUse ? [] : use)] as const,
      ),
    ]),
    compile: (own) => compile(own),
    execute: createExecute(buildContext, options.mapError),
    findRefusing: createGuardChecker(buildContext),
    timeoutMs,
    hooks: compileHooks([hooks, ...plugins.flatMap((plugin) => plugin.hooks ?? []), ...access], logger),
    logger,
    state,
  };
}

/** Writes a line for each answered request: `GET /items/7 200 in 3 ms`. The query may hold secrets. */
function toAccessHooks(options: AccessLogOptions, logger: Logger): Hooks {
  expectKnownOptions('createServer({accessLog})', options, 'filter level');
  const { filter = () => true, level = ({ status }) => (status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info') } =
    options;
  return {
    onResponse: ({ request, capability, status, durationMs: exactMs }) => {
      const { requestId, transport, method, path, route, remoteAddress } = request;
      const durationMs = Math.round(exactMs * 10) / 10;
      const details = { requestId, transport, method, path, route, capability, status, durationMs, remoteAddress };
      if (filter(details)) logger[level(details)](`[capix] ${method} ${path} ${status} in ${durationMs} ms`, details);
    },
  };
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
