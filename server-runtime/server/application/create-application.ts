import { isContextBuilder } from '../../capability/context.ts';
import type { GroupTree } from '../../capability/group-tree.ts';
import { expectUsed } from '../../capability/middleware/used.ts';
import { createEnhancerState } from '../../enhancers/state/enhancer-state.ts';
import { expectTimeout } from '../../enhancers/with-timeout.ts';
import { expectKnownOptions, type OptionNames } from '../../errors/expect-known-options.ts';
import { createGuardChecker } from '../../execution/check-guards.ts';
import { type ContextExtension, createContextBuilder } from '../../execution/context-builder.ts';
import { createExecute } from '../../execution/execute.ts';
import { createRequestIdMaker } from '../../execution/find-request-id.ts';
import { createScopeOpener } from '../../execution/request-scope.ts';
import { type CompiledRegistry, compileRegistry } from '../../registry/compile-registry.ts';
import { enhanceRegistry } from '../../registry/enhance-registry.ts';
import type { Application } from '../application.ts';
import type { ServerOptions } from '../create-server.ts';
import { compileHooks, hookNames } from '../hooks.ts';
import { adaptLogger } from '../log/adapt-logger.ts';
import { createAccessHook } from '../log/create-access-hook.ts';
import { consoleLogger, toSafeLogger } from '../log/logger.ts';
import { mergeCapabilities } from '../merge-capabilities.ts';

const optionNames: OptionNames<ServerOptions> = {
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

const DEFAULT_TIMEOUT_MS = 30_000;

/** @throws TypeError for options that cannot be */
export function createApplication(options: ServerOptions): Application {
  expectKnownOptions('createServer', options, optionNames);
  const { context, capabilities = {}, plugins = [], hooks = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  expectKnownOptions('createServer({hooks})', hooks, hookNames);
  const logger = toSafeLogger(options.logger === undefined ? consoleLogger : adaptLogger(options.logger));
  expectTimeout(timeoutMs, 'createServer timeoutMs');
  if (context !== undefined && !isContextBuilder(context)) {
    throw new TypeError(`createServer context: expected defineContext(…), got ${typeof context}.`);
  }
  if (options.mapError !== undefined && typeof options.mapError !== 'function')
    throw new TypeError(`createServer mapError: expected a function, got ${typeof options.mapError}.`);
  const named = plugins.map((plugin, index) => ({ ...plugin, name: plugin.name ?? `plugin ${index + 1}` }));
  const extensions = named.flatMap((plugin): ContextExtension[] =>
    plugin.context === undefined ? [] : [{ owner: plugin.name, extend: plugin.context as ContextExtension['extend'] }],
  );
  const use = [
    ...named.flatMap((plugin) => expectUsed(plugin.name, plugin.use)),
    ...expectUsed('createServer', options.use),
  ];
  const state = createEnhancerState({ store: options.store, logger, timeoutMs });
  const enhancing = { use, state, observers: named.flatMap(({ observe }) => observe ?? []) };
  const looking = [hooks, ...named.flatMap((plugin) => plugin.hooks ?? [])];
  const compile = (own: GroupTree | CompiledRegistry): CompiledRegistry =>
    enhanceRegistry(compileRegistry(own), enhancing);
  const bare = { ...enhancing, use: [] };
  const merged = mergeCapabilities([
    { owner: 'the application', capabilities: compile(capabilities) },
    ...named.map(({ name, capabilities: own = {}, outsideUse }) => ({
      owner: name,
      capabilities: outsideUse === true ? enhanceRegistry(compileRegistry(own), bare) : compile(own),
    })),
  ]);
  const buildContext = createContextBuilder(context, extensions);
  return {
    registry: merged,
    compile,
    execute: createExecute(buildContext, options.mapError),
    checkGuards: createGuardChecker(buildContext),
    openScope: createScopeOpener(timeoutMs),
    hooks: compileHooks(options.accessLog === true ? [...looking, createAccessHook(logger)] : looking, logger),
    logger,
    newRequestId: createRequestIdMaker(),
    state,
  };
}
