import { type AnyCapability, definitionOfCapability, isCapability } from '../capability/capability.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { inferIntent } from '../routing/name-rules.ts';
import { findFieldNames } from '../schema/find-field-names.ts';
import { declaredEntries, isGroup } from './declared-entries.ts';
import { type Operation, type RunnableOperation, stepsOf, toRun } from './operation.ts';

const REGISTRY: unique symbol = Symbol.for('capix.registry') as never;
declare const TREE: unique symbol;

/** The capabilities of an application, compiled: what servers, documents and commands are made from. */
export interface CompiledRegistry<out Tree extends GroupTree = GroupTree> {
  readonly [REGISTRY]: true;
  readonly [TREE]: Tree;
  /** The operations in the order of declaration. */
  readonly operations: readonly Operation[];
  /** The operation of a key such as `users.getUser`. */
  readonly find: (key: string) => Operation | undefined;
}

/**
 * Compiles `{group: {name: capability}}`, groups nested to any depth. Values that are neither groups nor capabilities
 * are passed over. A compiled registry is given back as it is.
 *
 * @throws TypeError for a name that is not letters and digits starting with a letter; it names the place
 *
 * @example
 * ```ts
 * const { operations } = compileRegistry({ users: { getUser: capability(() => ({ id: '7' })) } });
 * console.log(operations[0]?.key); // users.getUser
 * ```
 */
export function compileRegistry<Tree extends GroupTree>(tree: Tree | CompiledRegistry<Tree>): CompiledRegistry<Tree> {
  if (isRegistry(tree)) return tree as CompiledRegistry<Tree>;
  if (typeof tree !== 'object' || tree === null) {
    throw new TypeError(
      'compileRegistry: expected groups of capabilities such as {users: {getUser}}, got ' +
        `${tree === null ? 'null' : typeof tree}.`,
    );
  }
  const { registry, faults } = compileWithFaults(tree);
  for (const { error } of faults) throw error;
  return registry as CompiledRegistry<Tree>;
}

/** An operation that a server does not start with, and why. */
export interface OperationFault {
  readonly key: string;
  readonly error: unknown;
}

interface CompiledWithFaults {
  readonly registry: CompiledRegistry;
  readonly faults: readonly OperationFault[];
}

/** The same for those who tell all mistakes at once: an operation whose enhancers refuse it fails when it is called. */
export function compileWithFaults(tree: GroupTree): CompiledWithFaults {
  const registry = isRegistry(tree) ? tree : toRegistry(toOperations(tree, [], []));
  const faults = registry.operations.flatMap((operation): readonly OperationFault[] => {
    try {
      if (operation.definition.enhancers.length > 0) stepsOf(operation);
      return [];
    } catch (error) {
      return [{ key: operation.key, error }];
    }
  });
  return { registry, faults };
}

export function toRegistry(operations: readonly Operation[]): CompiledRegistry {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  const find = (key: string): Operation | undefined => byKey.get(key);
  return Object.freeze({ [REGISTRY]: true as const, operations, find }) as unknown as CompiledRegistry;
}

export function isRegistry(value: unknown): value is CompiledRegistry {
  return typeof value === 'object' && value !== null && REGISTRY in value;
}

/** The operations of a tree inside of `groups`. A group within itself, `above`, is passed over. */
function toOperations(tree: GroupTree, groups: readonly string[], above: readonly unknown[]): readonly Operation[] {
  return declaredEntries(tree).flatMap(([name, value]): readonly Operation[] => {
    if (isCapability(value)) {
      expectName(name, groups);
      return [toOperation(value, name, groups)];
    }
    if (!isGroup(value) || value === tree || above.includes(value)) return [];
    const inner = toOperations(value, [...groups, name], [...above, tree]);
    if (inner.length > 0) expectName(name, groups);
    return inner;
  });
}

function expectName(name: string, groups: readonly string[]): void {
  if (/^[a-zA-Z][a-zA-Z0-9]*$/.test(name)) return;
  const place = groups.length === 0 ? 'at the root' : `in group '${groups.join('.')}'`;
  throw new TypeError(
    `compileRegistry: '${name}' ${place} cannot be the name of a capability or group. Use letters and digits, ` +
      `starting with a letter, for example 'getUser'.`,
  );
}

function toOperation(capability: AnyCapability, name: string, groups: readonly string[]): RunnableOperation {
  const definition = definitionOfCapability(capability);
  const { intent: declaredIntent, routes: declaredRoutes } = definition;
  const key = [...groups, name].join('.');
  const intent = inferIntent(name, declaredIntent);
  const groupPaths = definition.groupsAround.flatMap(({ path, depth }) => (path === undefined ? [] : { path, depth }));
  const fields = findFieldNames(definition.schema);
  const hasId = fields?.has('id') ?? false;
  const facts = { key, groups, groupPaths, name, intent, declaredIntent, declaredRoutes, fields, hasId };
  return Object.freeze({ ...facts, ...toRun(definition, { key, intent }) });
}
