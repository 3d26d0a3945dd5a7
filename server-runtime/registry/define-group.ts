import { definitionOfCapability, isCapability, toCapability } from '../capability/capability.ts';
import type { CapabilityDefinition } from '../capability/capability-definition.ts';
import type { GroupBehind, GroupTree } from '../capability/group-tree.ts';
import {
  type AddedByUse,
  expectUsed,
  type TakenByUse,
  type UseCheck,
  type Used,
} from '../capability/middleware/used.ts';
import {
  expectFieldsOfAny,
  joinRequests,
  noRequest,
  type TakesOptions,
  toDeclaredRequest,
  toRequestOf,
} from '../capability/route/declared-request.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';
import { declaredEntries } from './declared-entries.ts';
import { isGroup } from './is-group.ts';
import type { Operation } from './operation.ts';

/** The options of a group. */
export interface DefineGroupOptions<These extends Used = Used> {
  /** Middleware around every capability of the group and of the groups in it, outside their own; the first is the outermost. */
  readonly use?: These | undefined;
  /**
   * Fields that headers and cookies carry, of every capability of the group and of the groups in it whose input has them:
   * `{headers: {tenant: 'x-tenant'}}`. What a capability, a factory or a group in it says of a field wins.
   */
  readonly takes?: TakesOptions | undefined;
  /** The purpose of the group, in Markdown: the description of its tag in documents. @default none */
  readonly description?: string | undefined;
}

const optionNames: OptionNames<DefineGroupOptions> = { use: true, takes: true, description: true };

/**
 * Puts middleware around every capability of a group, and of the groups in it, and says which headers and cookies they take, and what the group is for. A server must have
 * the context that middleware takes, and need not have what it adds; guards run before it.
 *
 * @throws TypeError for what is not middleware, and for a field that no capability of the group has
 *
 * @example
 * ```ts
 * import * as users from './users/index.js';
 *
 * const withAudit = defineMiddleware(async ({ operation, next }) => {
 *   const answer = await next();
 *   console.log(operation.key);
 *   return answer;
 * });
 *
 * export const capabilities = { users: defineGroup(users, { use: [withAudit] }) };
 * ```
 */
export function defineGroup<Tree extends GroupTree, const These extends Used = []>(
  capabilities: Tree,
  // oxlint-disable-next-line typescript/no-explicit-any -- whether the context fits is seen where there is a server
  options: DefineGroupOptions<These> & UseCheck<NoInfer<These>, any> = {} as never,
): GroupBehind<Tree, TakenByUse<These, unknown>, AddedByUse<These>> {
  expectKnownOptions('defineGroup', options, optionNames);
  if (!isGroup(capabilities)) throw new TypeError('defineGroup: expected a group of capabilities such as {getUser}.');
  const use = expectUsed('defineGroup', options.use);
  const request = options.takes === undefined ? noRequest : toDeclaredRequest('defineGroup takes', options.takes);
  const schemas: CapabilityDefinition['schema'][] = [];
  const changed = change(capabilities, (definition, depth) => {
    schemas.push(definition.schema);
    return {
      ...definition,
      enhancers: [...use, ...definition.enhancers],
      request: joinRequests(toRequestOf(definition.schema, request), definition.request),
      [TEXTS]: [
        ...textsOf(definition),
        ...(options.description === undefined ? [] : [{ text: options.description, depth }]),
      ],
    };
  });
  expectFieldsOfAny('defineGroup takes', schemas, request);
  return changed as never;
}

/** The descriptions of the groups around a capability, on its definition, each with how many groups stand between them. */
const TEXTS: unique symbol = Symbol.for('capix.group.texts') as never;

interface GroupText {
  readonly text: string;
  readonly depth: number;
}

function textsOf(definition: CapabilityDefinition): readonly GroupText[] {
  return (definition as { readonly [TEXTS]?: readonly GroupText[] })[TEXTS] ?? [];
}

/** The descriptions of groups by their names, `catalog.items`. */
export function findGroupDescriptions(operations: readonly Operation[]): Readonly<Record<string, string>> {
  const entries = operations.flatMap(({ groups, definition }) =>
    textsOf(definition).map(({ text, depth }) => [groups.slice(0, groups.length - depth).join('.'), text] as const),
  );
  return Object.fromEntries(entries.filter(([name]) => name !== ''));
}

/** A group that contains itself is kept as it is the second time. */
function change(
  group: GroupTree,
  toChanged: (definition: CapabilityDefinition, depth: number) => CapabilityDefinition,
  above: readonly unknown[] = [],
): GroupTree {
  const within = [...above, group];
  const entries = declaredEntries(group).map(([name, value]) => {
    if (isCapability(value)) return [name, toCapability(toChanged(definitionOfCapability(value), above.length))];
    return [name, isGroup(value) && !within.includes(value) ? change(value, toChanged, within) : value];
  });
  return Object.fromEntries(entries) as GroupTree;
}
