import type { Replaced } from '../capability/capability.ts';
import type { Undeclared } from '../capability/content.ts';
import type { BaseContext, ContextBuilder } from '../capability/context.ts';
import type { DeclaredIn, GroupTree, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import type { AddedByUse, UseCheck, Used } from '../capability/used.ts';
import type { Mistake } from '../errors/mistake.ts';
import type { Plugin } from './plugin.ts';

// oxlint-disable typescript/no-explicit-any -- plugins take contexts and give them: only `any` admits each

/** The fields that plugins add to the context, together; anything, where the compiler does not know them one by one. */
export type AddedBy<Plugins extends readonly unknown[]> = number extends Plugins['length']
  ? any
  : Plugins extends readonly [Plugin<any, any, infer Added>, ...infer Rest]
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
> = ContextCheck<NeedsOf<WithPlugins<Tree, Plugins>>, Ctx, AddedBy<Plugins> & AddedByUse<These>> &
  UseCheck<These, Ctx & AddedBy<Plugins>> &
  (Plugins extends readonly [unknown, ...(readonly unknown[])]
    ? { readonly plugins?: CheckedPlugins<Plugins, Ctx, KeyOf<Tree>> | undefined }
    : unknown) &
  DeclaredCheck<Extract<DeclaredIn<Tree>, Replaced<string> | Undeclared<number>>, KeyOf<WithPlugins<Tree, Plugins>>>;

/** The context that is missing something; without a builder, that one is missing. */
export type ContextCheck<Needs, Ctx, Added> = [Ctx & Added] extends [Needs]
  ? unknown
  : { readonly context: ContextBuilder<([keyof Added] extends [never] ? Needs : Omit<Needs, keyof Added>) & object> };

/** `unknown` for each plugin that fits beside what is known so far: the context, the keys. */
export type CheckedPlugins<Plugins extends readonly unknown[], Ctx, Keys> = Plugins extends readonly [
  Plugin<infer Tree, infer Needs, infer Added>,
  ...infer Rest,
]
  ? readonly [
      PluginCheck<KeyOf<Tree> & Keys, keyof Added & keyof Ctx, [Ctx] extends [Needs] ? unknown : Plugin<any, Ctx, any>>,
      ...CheckedPlugins<Rest, Ctx & Added, Keys | KeyOf<Tree>>,
    ]
  : readonly unknown[];

/** The type that a plugin must have, by the keys that another declares too. A request's id may be said anew. */
export type PluginCheck<Keys, Fields, Fitting> = [Keys] extends [never]
  ? [Exclude<Fields, keyof BaseContext>] extends [never]
    ? Fitting
    : Mistake<`Two owners set '${Fields & string}' in the context. Rename it in one of them.`>
  : string extends Keys
    ? Fitting
    : Mistake<`Two owners declare the capability '${Keys & string}'. Rename it in one of them.`>;

/** Capabilities that name a replacement which is not there, or reply with a status that they do not declare. */
export type DeclaredCheck<Told, Keys> = [Told] extends [never]
  ? unknown
  : Told extends Undeclared<infer Status>
    ? { readonly capabilities: Mistake<UndeclaredStatus<Status>> }
    : Told extends Replaced<infer Named>
      ? string extends Named
        ? unknown
        : MissingSuccessor<Exclude<Named, Keys>>
      : unknown;

type UndeclaredStatus<Code extends number> =
  `A handler replies with the status ${Code}, which is not declared. Declare it: .output(schema, { status: ${Code} })`;
type MissingSuccessor<Key extends string> = [Key] extends [never]
  ? unknown
  : { readonly capabilities: Mistake<`No capability has the key '${Key}', which .deprecated({ use }) names.`> };
