import { definitionOfCapability, isCapability, toCapability } from '../capability/capability.ts';
import type { AnyEnhancer } from '../capability/enhancer.ts';
import type { GroupBehind, GroupTree } from '../capability/group-tree.ts';
import {
  type AddedByUse,
  expectUsed,
  type TakenByUse,
  type UseCheck,
  type Used,
} from '../capability/middleware/used.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';
import { declaredEntries } from './declared-entries.ts';
import { isGroup } from './is-group.ts';

/** The options of a group. */
export interface DefineGroupOptions<These extends Used = Used> {
  /** Middleware around every capability of the group and of the groups in it, outside their own; the first is the outermost. */
  readonly use?: These | undefined;
}

const optionNames: OptionNames<DefineGroupOptions> = { use: true };

/**
 * Puts middleware around every capability of a group, and of the groups in it. A server must have the context that it takes, and need not
 * have what it adds; guards run before it.
 *
 * @throws TypeError for what is not middleware
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
  return enhance(capabilities, expectUsed('defineGroup', options.use)) as never;
}

/** A group that contains itself is kept as it is the second time. */
function enhance(group: GroupTree, use: readonly AnyEnhancer[], above: readonly unknown[] = []): GroupTree {
  const within = [...above, group];
  const entries = declaredEntries(group).map(([name, value]) => {
    if (isCapability(value)) {
      const definition = definitionOfCapability(value);
      return [name, toCapability({ ...definition, enhancers: [...use, ...definition.enhancers] })];
    }
    return [name, isGroup(value) && !within.includes(value) ? enhance(value, use, within) : value];
  });
  return Object.fromEntries(entries) as GroupTree;
}
