import { type AnyCapability, definitionOfCapability, isCapability } from '../capability/capability.ts';
import type { AnyEnhancer } from '../capability/enhancer.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { inferIntent } from '../routing/name-rules.ts';
import { findFieldNames } from '../schema/describe.ts';
import { type GroupAround, type Operation, type RunOptions, toRun } from './operation.ts';

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
  const rethrow = ({ error }: OperationFault): never => {
    throw error;
  };
  return compileWithFaults(tree as GroupTree, rethrow) as CompiledRegistry<Tree>;
}

export interface OperationFault {
  readonly key: string;
  readonly error: unknown;
}

/** The same for those who tell all mistakes at once: an operation whose enhancers refuse it fails when it is called. */
export function compileWithFaults(tree: GroupTree, onFault: (fault: OperationFault) => void): CompiledRegistry {
  if (typeof tree !== 'object' || tree === null)
    throw new TypeError(`compileRegistry: expected groups of capabilities such as {users: {getUser}}, got ${tree}.`);
  if (REGISTRY in tree) return tree as unknown as CompiledRegistry;
  const operations = findCapabilities(tree).map(toOperation);
  for (const { key, definition, steps } of operations) {
    try {
      if (definition.enhancers.length > 0) steps();
    } catch (error) {
      onFault({ key, error });
    }
  }
  return toRegistry(operations);
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
    if (!isForAll && !definition.enhancers.some(({ usesServer }) => usesServer)) return operation;
    const run = toRun({ ...definition, enhancers: [...use, ...definition.enhancers] }, operation, server);
    run.steps();
    return Object.freeze({ ...operation, ...run });
  });
  return toRegistry(operations);
}

/** Marks what `group` made. */
export const GROUP: unique symbol = Symbol.for('capix.group') as never;

interface Found {
  readonly capability: AnyCapability;
  readonly name: string;
  readonly groups: readonly string[];
  readonly around: readonly GroupAround[];
  readonly above: readonly unknown[];
}

/** The capabilities of a tree, in the order of declaration. A group within itself is passed over. */
export function findCapabilities(
  tree: GroupTree & { readonly [GROUP]?: Pick<GroupAround, 'path' | 'text'> },
  { groups, ...outer }: Omit<Found, 'capability' | 'name'> = { groups: [], around: [], above: [] },
): readonly Found[] {
  const above = [...outer.above, tree];
  const around = tree[GROUP] === undefined ? outer.around : [...outer.around, { at: groups.length, ...tree[GROUP] }];
  return membersOf(tree).flatMap(([name, value]): readonly Found[] => {
    if (isCapability(value)) return [{ capability: value, name, groups, around, above }];
    if (!isGroup(value) || above.includes(value)) return [];
    return findCapabilities(value, { groups: [...groups, name], around, above });
  });
}

function toOperation({ capability, name, groups, around }: Found): Operation {
  const names = [...groups, name];
  for (const [at, each] of names.entries()) expectName(each, groups.slice(0, at));
  const key = names.join('.');
  const definition = definitionOfCapability(capability);
  const intent = inferIntent(name, definition.intent);
  const { names: all, isOneObject } = findFieldNames(definition.schema);
  const fields = isOneObject ? all : undefined;
  const groupPaths = around.flatMap(({ at, path }) => (path === undefined ? [] : { path, depth: groups.length - at }));
  const prefix = groupPaths.map(({ path }) => path).join('');
  return Object.freeze({
    key,
    groups,
    groupsAround: around,
    groupPaths,
    name,
    intent,
    declaredIntent: definition.intent,
    declaredRoutes: definition.routes.map((route) => ({ ...route, path: `${prefix}${route.path}` as never })),
    fields,
    hasId: fields?.has('id') ?? false,
    ...toRun(definition, { key, intent }),
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
