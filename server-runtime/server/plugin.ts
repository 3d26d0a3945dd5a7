import type { Replaced } from '../capability/capability.ts';
import type { BaseContext, BuilderRequest, ContextBuilder } from '../capability/context.ts';
import type { ADDED, Enhancer } from '../capability/enhancer.ts';
import type {
  CapabilitiesIn,
  DeclaredOf,
  GroupTree,
  KeyOf,
  NeedsOf,
  UndeclaredOf,
} from '../capability/group-tree.ts';
import type { Observer } from '../capability/run-capability.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { expectKnownOptions, expectTimeout, type OptionNames } from '../errors/expect-options.ts';
import type { Mistake, Unwrapped } from '../errors/mistake.ts';
import type { PluginStart } from '../execution/lifecycle.ts';
import { type Hooks, hookNames } from './hooks.ts';

export interface PluginOptions<
  out Tree extends GroupTree = GroupTree,
  in Ctx = never,
  out Result = unknown,
> {
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
  /**
   * Opens what it needs, before the first call and behind the plugins before it. Where it rejects, it has closed what
   * it had opened; the server does not start then, and stops the plugins that have started.
   */
  readonly start?: ((starting: PluginStart) => unknown) | undefined;
  /** The time that `start` may take, milliseconds. @default 30000 */
  readonly startTimeoutMs?: number | undefined;
  /** Closes it, after the last call and the plugins behind it. Called once for each `start` that has ended well. */
  readonly stop?: ((stopping: PluginStop) => unknown) | undefined;
}

export interface PluginStop {
  /** The time that is left for it, milliseconds: a second at least. */
  readonly graceMs: number;
}

const pluginOptionNames: OptionNames<PluginOptions> = {
  name: true,
  capabilities: true,
  context: true,
  outsideUse: true,
  hooks: true,
  observe: true,
  start: true,
  startTimeoutMs: true,
  stop: true,
};

/** Capabilities, context and hooks that belong together. `Ctx` is the context that the plugin needs. */
export interface Plugin<out Tree extends GroupTree = GroupTree, in Ctx = never, out Added = unknown>
  extends PluginOptions<Tree, Ctx> {
  readonly [ADDED]: Added;
}

type AddedContext<Result> = [NonNullable<Awaited<Result>>] extends [never]
  ? unknown
  : undefined extends Awaited<Result>
    ? Partial<NonNullable<Awaited<Result>>>
    : Awaited<Result>;

/** Defines a plugin for `createServer({plugins: […]})`. Two owners of one key do not compile. */
export function definePlugin<
  Tree extends GroupTree = Record<never, never>,
  Ctx = BaseContext,
  Result extends object | undefined | Promise<object | undefined> = undefined,
>(
  options: PluginOptions<Tree, Ctx, Result>,
): Uninferred<Plugin<Tree, Ctx, AddedContext<Result>>, Tree> {
  expectKnownOptions('definePlugin', options, pluginOptionNames);
  expectKnownOptions('definePlugin({hooks})', options.hooks ?? {}, hookNames);
  expectTimeout(options.startTimeoutMs ?? 1, 'definePlugin startTimeoutMs');
  return options as never;
}

// oxlint-disable typescript/no-explicit-any -- they take contexts and give them: only `any` admits each

/** Middleware around all capabilities; the first is the outermost. `CheckedUse` checks its type. */
// A type from which nothing is inferred: middleware written in the list has the context of every application then.
export type Used = readonly object[];

/** The fields that these add to the context, together; anything, where the compiler does not know them one by one. */
export type AddedBy<These extends readonly unknown[]> = number extends These['length']
  ? any
  : These extends readonly [{ readonly [ADDED]: infer Added }, ...infer Rest]
    ? Added & AddedBy<Rest>
    : unknown;

export type WithPlugins<Tree, Plugins extends readonly unknown[]> = Plugins extends readonly [
  Plugin<infer Own, any, any>,
  ...infer Rest,
]
  ? WithPlugins<Tree & Own, Rest>
  : Tree;

/** The faults between the parts of a server, in the types of the parts that are wrong; `unknown` where nothing is. */
export type ServerChecks<
  Tree extends GroupTree,
  Ctx,
  Plugins extends readonly unknown[],
  These extends Used = [],
> = ContextCheck<NeedsOf<WithPlugins<Tree, Plugins>>, Ctx, AddedBy<Plugins> & AddedBy<These>> &
  WhereListed<These, { readonly use?: CheckedUse<These, Ctx & AddedBy<Plugins>> | undefined }> &
  WhereListed<
    Plugins,
    { readonly plugins?: CheckedPlugins<Plugins, Ctx, KeyOf<Tree>> | undefined }
  > &
  StatusCheck<UndeclaredOf<CapabilitiesIn<Tree>>> &
  SuccessorCheck<MissingOf<DeclaredOf<CapabilitiesIn<Tree>>, KeyOf<WithPlugins<Tree, Plugins>>>>;

/** The check of a list, which may be empty. */
type WhereListed<List, Check> = List extends readonly [unknown, ...(readonly unknown[])]
  ? Check
  : unknown;

/** The context that is missing something; without a builder, that one is missing. */
type ContextCheck<Needs, Ctx, Added> = [Ctx & Added] extends [Needs]
  ? unknown
  : {
      readonly context: ContextBuilder<
        ([keyof Added] extends [never] ? Needs : Omit<Needs, keyof Added>) & object
      >;
    };

/** `unknown` for each middleware that fits where the context is `Ctx`, else the type that it must have. */
type CheckedUse<These extends readonly unknown[], Ctx> = These extends readonly [
  infer First,
  ...infer Rest,
]
  ? readonly [UseMistake<First, Ctx>, ...CheckedUse<Rest, Ctx & AddedBy<[First]>>]
  : readonly unknown[];

type UseMistake<One, Ctx> =
  One extends Enhancer<unknown, infer Taken>
    ? [Ctx] extends [Taken]
      ? unknown
      : Enhancer<unknown, Ctx>
    : One extends (...args: never) => unknown
      ? Unwrapped<'Wrap the function: use: [defineMiddleware(({ next }) => next())]'>
      : Enhancer<unknown, Ctx>;

/** `unknown` for each plugin that fits beside the context and the keys of those before it. */
type CheckedPlugins<Plugins extends readonly unknown[], Ctx, Keys> = Plugins extends readonly [
  Plugin<infer Tree, infer Needs, infer Added>,
  ...infer Rest,
]
  ? readonly [
      PluginCheck<
        KeyOf<Tree> & Keys,
        keyof Added & keyof Ctx,
        [Ctx] extends [Needs] ? unknown : Plugin<any, Ctx, any>
      >,
      ...CheckedPlugins<Rest, Ctx & Added, Keys | KeyOf<Tree>>,
    ]
  : readonly unknown[];

/**
 * The type that a plugin must have, by the keys that another one declares too. The id of a request may be set again.
 */
type PluginCheck<Keys, Fields, Fitting> = [Keys] extends [never]
  ? [Exclude<Fields, keyof BaseContext>] extends [never]
    ? Fitting
    : Mistake<`Two owners set '${Fields & string}' in the context. Rename it in one of them.`>
  : string extends Keys
    ? Fitting
    : Mistake<`Two owners declare the capability '${Keys & string}'. Rename it in one of them.`>;

/**
 * A handler that replies with a status that it does not declare. The status is `any` where the capability itself does
 * not compile, which says its own mistake.
 */
type StatusCheck<Status extends number> = [Status] extends [never]
  ? unknown
  : 0 extends 1 & Status
    ? unknown
    : { readonly capabilities: Mistake<UndeclaredStatus<Status>> };
type UndeclaredStatus<Code extends number> =
  `A handler replies with the status ${Code}, which is not declared. Declare it: .output(schema, { status: ${Code} })`;

/** A capability that names a replacement which is not there. */
type SuccessorCheck<Key> = [Key] extends [never]
  ? unknown
  : {
      readonly capabilities: Mistake<`No capability has the key '${Key & string}', which .deprecated({ use }) names.`>;
    };
type MissingOf<Declared, Keys> =
  Declared extends Replaced<infer Key> ? (string extends Key ? never : Exclude<Key, Keys>) : never;
