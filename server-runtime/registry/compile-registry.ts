import { type AnyCapability, definitionOfCapability, isCapability } from '../capability/capability.ts';
import { type AnyEnhancer, innerPartsOf } from '../capability/enhancer.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { inferIntent } from '../routing/name-rules.ts';
import { findFieldNames } from '../schema/describe.ts';
import { type Operation, type RunOptions, toRun } from './operation.ts';

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
 */
export function compileRegistry<Tree extends GroupTree>(tree: Tree | CompiledRegistry<Tree>): CompiledRegistry<Tree> {
  const { registry, faults } = compileWithFaults(tree as GroupTree);
  for (const { error } of faults) throw error;
  return registry as CompiledRegistry<Tree>;
}

export interface OperationFault {
  readonly key: string;
  readonly error: unknown;
}

/** The same for those who tell all mistakes at once: an operation whose enhancers refuse it fails when it is called. */
export function compileWithFaults(tree: GroupTree): {
  readonly registry: CompiledRegistry;
  readonly faults: readonly OperationFault[];
} {
  if (typeof tree !== 'object' || tree === null)
    throw new TypeError(`compileRegistry: expected groups of capabilities such as {users: {getUser}}, got ${tree}.`);
  if (REGISTRY in tree) return { registry: tree as unknown as CompiledRegistry, faults: [] };
  const operations = toOperations(tree, [], []);
  const faults = operations.flatMap((operation): readonly OperationFault[] => {
    try {
      if (operation.definition.enhancers.length > 0) operation.steps();
      return [];
    } catch (error) {
      return [{ key: operation.key, error }];
    }
  });
  return { registry: toRegistry(operations), faults };
}

export function toRegistry(operations: readonly Operation[]): CompiledRegistry {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  const find = (key: string): Operation | undefined => byKey.get(key);
  return Object.freeze({ [REGISTRY]: true as const, operations, find }) as unknown as CompiledRegistry;
}

/** The same with the enhancers of a server around all, and its state; one that needs neither stays as it is. */
export function enhanceRegistry(
  registry: CompiledRegistry,
  { use, ...server }: Required<RunOptions> & { readonly use: readonly AnyEnhancer[] },
): CompiledRegistry {
  const isForAll = use.length > 0 || server.observers.length > 0;
  const operations = registry.operations.map((operation) => {
    const { definition } = operation;
    const usesServer = definition.enhancers.some((enhancer) => innerPartsOf(enhancer).usesServer === true);
    if (!isForAll && !usesServer) return operation;
    const enhanced = { ...definition, enhancers: [...use, ...definition.enhancers] };
    const run = toRun(enhanced, operation, server);
    run.steps();
    return Object.freeze({ ...operation, ...run });
  });
  return toRegistry(operations);
}

/** The operations of a tree inside of `groups`. A group within itself, `above`, is passed over. */
function toOperations(tree: GroupTree, groups: readonly string[], above: readonly unknown[]): readonly Operation[] {
  return membersOf(tree).flatMap(([name, value]): readonly Operation[] => {
    const isOne = isCapability(value);
    if (!isOne && (!isGroup(value) || value === tree || above.includes(value))) return [];
    const found = isOne ? [toOperation(value, name, groups)] : toOperations(value, [...groups, name], [...above, tree]);
    if (found.length > 0) expectName(name, groups);
    return found;
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

function toOperation(capability: AnyCapability, name: string, groups: readonly string[]): Operation {
  const definition = definitionOfCapability(capability);
  const { intent: declaredIntent, routes: declaredRoutes } = definition;
  const key = [...groups, name].join('.');
  const intent = inferIntent(name, declaredIntent);
  const groupPaths = definition.groupsAround.flatMap(({ path, depth }) => (path === undefined ? [] : { path, depth }));
  const { names, isOneObject } = findFieldNames(definition.schema);
  const [fields, hasId] = isOneObject ? [names, names.has('id')] : [undefined, false];
  const facts = { key, groups, groupPaths, name, intent, declaredIntent, declaredRoutes, fields, hasId };
  return Object.freeze({ ...facts, ...toRun(definition, { key, intent }) });
}

/** The members of a group in the order of declaration; those of a module namespace come in that of the alphabet. */
export function membersOf(group: object): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(group);
  if (!isNamespace(group)) return entries;
  const ordered = entries.map((entry) => ({ entry, order: firstDeclaration(entry[1], []) }));
  return ordered.toSorted((a, b) => a.order - b.order).map(({ entry }) => entry);
}

/** A namespace of the runtime's, or one made by a bundler, whose members are all getters. */
function isNamespace(group: object): boolean {
  if (Object.prototype.toString.call(group) === '[object Module]') return true;
  const members = Object.values(Object.getOwnPropertyDescriptors(group));
  return members.length > 0 && members.every(({ get }) => get !== undefined);
}

function firstDeclaration(value: unknown, above: readonly unknown[]): number {
  if (isCapability(value)) return definitionOfCapability(value).order;
  const members = isGroup(value) && !above.includes(value) ? Object.values(value) : [];
  return Math.min(Number.MAX_SAFE_INTEGER, ...members.map((member) => firstDeclaration(member, [...above, value])));
}

/** Whether a value may hold capabilities: plain objects, of whatever realm, and module namespaces, also of Bun. */
export function isGroup(value: unknown): value is GroupTree {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
