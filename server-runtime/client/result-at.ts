import type { CapabilityAt, OutputFrom } from '../capability/group-tree.ts';
import type { SentPart } from './sent.ts';

/**
 * The type of what a capability answers as JSON, of its key and the type of the module of the capabilities. Dates and big integers are texts, and
 * what is not JSON is `unknown`. Clients that `capix client --types-from` writes are made of it.
 *
 * @example
 * ```ts
 * import type { ResultAt } from 'capix/client';
 * import type * as source from './capabilities/index.js';
 *
 * export const toName = (item: ResultAt<typeof source, 'items.getItem'>): unknown => item;
 * ```
 */
export type ResultAt<Module, Key extends string> = InJson<OutputFrom<CapabilityAt<TreeIn<Module>, Key>>>;

/** The groups in the module of the capabilities: its `capabilities`, else its default, else its own names. */
export type TreeIn<Module> = Module extends { readonly capabilities: infer Tree }
  ? Tree
  : Module extends { readonly default: infer Tree }
    ? Tree
    : Module;

/** The type of an answer as JSON has it. */
export type InJson<Value> = unknown extends Value ? unknown : Value extends void ? null : SentPart<Value, never>;
