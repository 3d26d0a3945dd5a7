import type { BaseContext, BuilderRequest } from '../capability/context.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { Observer } from '../capability/run-capability.ts';
import { type AddedByUse, expectUsed, type TakenByUse, type UseCheck, type Used } from '../capability/used.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import { type Hooks, hookNames } from './hooks.ts';

const PLUGIN: unique symbol = Symbol.for('capix.plugin') as never;
declare const ADDED: unique symbol;

/** The parts that a plugin brings. */
export interface PluginOptions<
  out Tree extends GroupTree = GroupTree,
  in Ctx = never,
  out Result = unknown,
  out These extends Used = Used,
> {
  /** Names the plugin in errors. @default `plugin <position>` */
  readonly name?: string | undefined;
  /** Added to the application's. A key that exists already is an error. */
  readonly capabilities?: Tree | undefined;
  /** Adds to the context, after the builder and the plugins before. A key that exists already is an error. */
  readonly context?: ((request: BuilderRequest, ctx: Ctx) => Result) | undefined;
  /** Middleware around every capability of the server, outside that of the server itself. */
  readonly use?: These | undefined;
  /** Whether its capabilities stand outside the `use` of the server and of plugins, as probes do. @default false */
  readonly outsideUse?: boolean | undefined;
  /** Hooks that look on, beside those of the application. */
  readonly hooks?: Hooks | undefined;
  /** Runs around the steps of every call: for spans and times of guards, enhancers and handlers. */
  readonly observe?: Observer | undefined;
}

/** Capabilities, context and hooks that belong together. `Ctx` is the context that it must be given. */
export interface Plugin<out Tree extends GroupTree = GroupTree, in Ctx = never, out Added = unknown>
  extends PluginOptions<Tree, Ctx> {
  readonly [PLUGIN]: true;
  readonly [ADDED]: Added;
}

const pluginOptionNames: OptionNames<PluginOptions> = {
  name: true,
  capabilities: true,
  context: true,
  use: true,
  outsideUse: true,
  hooks: true,
  observe: true,
};

export type AddedContext<Result> = [NonNullable<Awaited<Result>>] extends [never]
  ? unknown
  : undefined extends Awaited<Result>
    ? Partial<NonNullable<Awaited<Result>>>
    : Awaited<Result>;

/**
 * Defines a plugin for `createServer({plugins: […]})`, which does not compile where two owners declare one key, or
 * where the plugin lacks a context that it reads.
 *
 * @throws TypeError for an option that there is not
 */
export function definePlugin<
  Tree extends GroupTree = Record<never, never>,
  Ctx = BaseContext,
  Result extends object | undefined | Promise<object | undefined> = undefined,
  const These extends Used = [],
>(
  // oxlint-disable-next-line typescript/no-explicit-any -- whether the context fits is seen where there is a server
  options: PluginOptions<Tree, Ctx, Result, These> & UseCheck<NoInfer<These>, any>,
): Uninferred<
  Plugin<Tree, Ctx & TakenByUse<These, AddedContext<Result>>, AddedContext<Result> & AddedByUse<These>>,
  Tree
> {
  expectKnownOptions('definePlugin', options, pluginOptionNames);
  expectUsed('definePlugin', options.use);
  if (options.hooks !== undefined) expectKnownOptions('definePlugin({hooks})', options.hooks, hookNames);
  return Object.freeze({ ...options, [PLUGIN]: true as const }) as never;
}
