import type { BaseContext, BuilderRequest } from '../capability/context.ts';
import type { ADDED } from '../capability/enhancer.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { Observer } from '../capability/run-capability.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { expectKnownOptions } from '../errors/expect-options.ts';
import { type Hooks, hookNames } from './hooks.ts';

export interface PluginOptions<out Tree extends GroupTree = GroupTree, in Ctx = never, out Result = unknown> {
  /** @default `plugin <position>` */
  readonly name?: string | undefined;
  readonly capabilities?: Tree | undefined;
  /** Adds to the context, after the builder and the plugins before. A key that exists already is an error. */
  readonly context?: ((request: BuilderRequest, ctx: Ctx) => Result) | undefined;
  /** Whether its capabilities stand outside the `use` of the server, as probes do. @default false */
  readonly outsideUse?: boolean | undefined;
  readonly hooks?: Hooks | undefined;
  /** Runs around the steps of every call: for spans and times of guards, enhancers and handlers. */
  readonly observe?: Observer | undefined;
}

/** Capabilities, context and hooks that belong together. `Ctx` is the context that it must be given. */
export interface Plugin<out Tree extends GroupTree = GroupTree, in Ctx = never, out Added = unknown>
  extends PluginOptions<Tree, Ctx> {
  readonly [ADDED]: Added;
}

export type AddedContext<Result> = [NonNullable<Awaited<Result>>] extends [never]
  ? unknown
  : undefined extends Awaited<Result>
    ? Partial<NonNullable<Awaited<Result>>>
    : Awaited<Result>;

/** Defines a plugin for `createServer({plugins: […]})`. Two owners of one key do not compile. */
export function definePlugin<
  Tree extends GroupTree = Record<never, never>,
  Ctx = BaseContext,
  Result extends object | undefined | Promise<object | undefined> = undefined,
>(options: PluginOptions<Tree, Ctx, Result>): Uninferred<Plugin<Tree, Ctx, AddedContext<Result>>, Tree> {
  expectKnownOptions('definePlugin', options, 'name capabilities context outsideUse hooks observe');
  expectKnownOptions('definePlugin({hooks})', options.hooks ?? {}, hookNames);
  return options as never;
}
