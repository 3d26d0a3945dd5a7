import { type AnyCapability, CAPABILITY, isCapability } from '../capability/capability.ts';
import type { CapabilityDefinition, Intent } from '../capability/definition.ts';
import type { AnyEnhancer, EnhancedOperation } from '../capability/enhancer.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { DeclaredRoute } from '../capability/http.ts';
import { type CapabilitySteps, lazySteps, type Observer } from '../capability/run-capability.ts';
import { type EnhancerState, setEnhancerState } from '../enhancers/enhancer-state.ts';
import { inferIntent } from '../routing/infer-route.ts';
import type { GroupAround, RoutedOperation } from '../routing/route.ts';
import { findFieldNames } from '../schema/describe.ts';

const REGISTRY: unique symbol = Symbol.for('capix.registry');
declare const TREE: unique symbol;

/** The capabilities of an application, compiled: servers, documents and commands are made from them. */
export interface CompiledRegistry<out Tree extends GroupTree = GroupTree> {
  readonly [REGISTRY]: true;
  readonly [TREE]: Tree;
  /** The operations in the order of declaration. */
  readonly operations: readonly Operation[];
  /** The operation of a key such as `users.getUser`. */
  readonly find: (key: string) => Operation | undefined;
}

/** A capability in its place in a registry, with everything worked out that can be. */
export interface Operation extends RoutedOperation {
  readonly groupsAround: readonly GroupAround[];
  readonly declaredRoutes: readonly DeclaredRoute[];
  /** The effective intent: the one that the name implies, else the declared one. */
  readonly intent: Intent;
  readonly fields: ReadonlySet<string> | undefined;
  /** Milliseconds, from `withTimeout`; undefined leaves the server's default. */
  readonly timeoutMs: number | undefined;
  readonly definition: CapabilityDefinition;
  readonly steps: () => CapabilitySteps;
}

/**
 * Compiles `{group: {name: capability}}`, groups nested to any depth. Values that are neither groups nor capabilities
 * are passed over. A compiled registry is returned as it is.
 * @throws TypeError for a name that is not letters and digits starting with a letter; the message names the place
 */
export function compileRegistry<Tree extends GroupTree>(
  tree: Tree | CompiledRegistry<Tree>,
): CompiledRegistry<Tree> {
  const registry = compileWithFaults(tree as GroupTree, ({ error }) => {
    throw error;
  });
  return registry as CompiledRegistry<Tree>;
}

export interface OperationFault {
  readonly key: string;
  readonly error: unknown;
}

/**
 * The same for callers that report all mistakes together: an operation that its enhancers refuse fails when it is
 * called.
 */
export function compileWithFaults(
  tree: GroupTree,
  onFault: (fault: OperationFault) => void,
): CompiledRegistry {
  if (typeof tree !== 'object' || tree === null)
    throw new TypeError(
      `compileRegistry: expected groups of capabilities such as {users: {getUser}}, got ${tree}.`,
    );
  if (REGISTRY in tree) return tree as unknown as CompiledRegistry;
  const operations = findCapabilities(tree).map(toOperation);
  for (const { key, definition, steps, fields } of operations) {
    try {
      expectOwnCache(key, definition);
      expectParamFields(key, definition, fields);
      if (definition.enhancers.length > 0) steps();
    } catch (error) {
      onFault({ key, error });
    }
  }
  return toRegistry(operations);
}

/** @throws TypeError for a guard that reads a parameter that is not a field: calls without a path have it there */
function expectParamFields(
  key: string,
  { guards }: CapabilityDefinition,
  fields: ReadonlySet<string> | undefined,
): void {
  if (guards.length === 0 || fields === undefined || fields.size === 0) return;
  for (const { name, params } of guards) {
    const missing = params.find((param) => !fields.has(param));
    if (missing !== undefined)
      throw new TypeError(
        `The guard ${name} of \`${key}\` reads \`${missing}\`, and the input has no such field. Add it: ` +
          `.input(z.object({ ${missing}: z.string() })).`,
      );
  }
}

/** @throws TypeError for an answer behind guards that shared caches may store: it belongs to one user */
function expectOwnCache(key: string, definition: CapabilityDefinition): void {
  const { guards, inputGuards, cacheControl = '', isSharedBehindGuards } = definition;
  if (guards.length + inputGuards.length === 0 || isSharedBehindGuards === true) return;
  if (!/(^|[\s,])(public|s-maxage)\b/i.test(cacheControl)) return;
  throw new TypeError(
    `cacheControl on \`${key}\`: the capability is guarded, and caches of others would give the answer of one user ` +
      `to another. Say 'private', or that it is the same for all: ` +
      `.cacheControl('${cacheControl}', { isShared: true }).`,
  );
}

export function toRegistry(operations: readonly Operation[]): CompiledRegistry {
  let byKey: ReadonlyMap<string, Operation> | undefined;
  const find = (key: string): Operation | undefined => {
    byKey ??= new Map(operations.map((operation) => [operation.key, operation]));
    return byKey.get(key);
  };
  return Object.freeze({
    [REGISTRY]: true as const,
    operations,
    find,
  }) as unknown as CompiledRegistry;
}

/** What a server has around all of its capabilities. */
interface Around {
  readonly state: EnhancerState;
  readonly observers: readonly Observer[];
}

/** The same with the enhancers of a server around all, and its state; one without any stays as it is. */
export function enhanceRegistry(
  { operations }: CompiledRegistry,
  use: readonly AnyEnhancer[],
  server: Around,
): CompiledRegistry {
  const enhanced = operations.map((operation) => {
    const enhancers = [...use, ...operation.definition.enhancers];
    if (enhancers.length + server.observers.length === 0) return operation;
    const run = toRun({ ...operation.definition, enhancers }, operation, server);
    run.steps();
    return Object.freeze({ ...operation, ...run });
  });
  return toRegistry(enhanced);
}

/** Marks a group that `group` made. */
export const GROUP: unique symbol = Symbol.for('capix.group');

interface Found {
  readonly capability: AnyCapability;
  readonly name: string;
  readonly groups: readonly string[];
  readonly around: readonly GroupAround[];
}

/** The capabilities of a tree, in the order of declaration. A group within itself is passed over. */
export function findCapabilities(
  tree: GroupTree & { readonly [GROUP]?: Omit<GroupAround, 'at'> },
  groups: readonly string[] = [],
  outer: { readonly around: readonly GroupAround[]; readonly above: readonly unknown[] } = {
    around: [],
    above: [],
  },
): readonly Found[] {
  const above = [...outer.above, tree];
  const around =
    tree[GROUP] === undefined
      ? outer.around
      : [...outer.around, { at: groups.length, ...tree[GROUP] }];
  const found = Object.keys(tree).map((name): readonly Found[] => {
    const value = tree[name];
    if (isCapability(value)) return [{ capability: value, name, groups, around }];
    if (!isGroup(value) || above.includes(value)) return [];
    return findCapabilities(value, [...groups, name], { around, above });
  });
  // The members of a module namespace are in the order of the alphabet.
  const orderOf = (all: readonly Found[]): number =>
    Math.min(...all.map(({ capability }) => capability[CAPABILITY].order));
  return (
    isNamespace(tree) ? found.toSorted((one, other) => orderOf(one) - orderOf(other)) : found
  ).flat();
}

/** A namespace of the runtime, or one that a bundler made, whose members are all getters. */
function isNamespace(group: object): boolean {
  if (Object.prototype.toString.call(group) === '[object Module]') return true;
  const names = Object.getOwnPropertyNames(group);
  return (
    names.length > 0 && names.every((name) => Object.getOwnPropertyDescriptor(group, name)?.get)
  );
}

/** Whether a value may hold capabilities: plain objects, of whatever realm, and module namespaces, also of Bun. */
export function isGroup(value: unknown): value is GroupTree {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function toOperation({ capability, name, groups, around }: Found): Operation {
  const names = [...groups, name];
  names.forEach(expectName);
  const key = names.join('.');
  const definition = capability[CAPABILITY];
  const intent = inferIntent(name, definition.intent);
  const { names: all, isOneObject } = findFieldNames(definition.schema);
  const fields = isOneObject ? all : undefined;
  const prefix = around.map(({ path = '' }) => path).join('');
  return Object.freeze({
    key,
    groups,
    groupsAround: around,
    name,
    intent,
    declaredIntent: definition.intent,
    declaredRoutes: definition.routes.map((route) => ({
      ...route,
      path: `${prefix}${route.path}` as never,
    })),
    fields,
    hasId: fields?.has('id') ?? false,
    readingGuards: definition.guards.filter(({ params }) => params.length > 0),
    ...toRun(definition, { key, intent }),
  });
}

function toRun(
  definition: CapabilityDefinition,
  { key, intent }: Pick<Operation, 'key' | 'intent'>,
  { state, observers }: Partial<Around> = {},
): Pick<Operation, 'definition' | 'steps' | 'timeoutMs'> {
  const guarded = definition.guards.length + definition.inputGuards.length > 0;
  const enhanced: EnhancedOperation = { key, intent, guarded };
  const timeoutMs = definition.enhancers.findLast(
    (enhancer) => enhancer.timeoutMs !== undefined,
  )?.timeoutMs;
  if (state !== undefined) setEnhancerState(enhanced, state);
  return { definition, timeoutMs, steps: lazySteps(definition, enhanced, observers) };
}

const NAME = /^[a-zA-Z][a-zA-Z0-9]*$/;

function expectName(name: string, at: number, names: readonly string[]): void {
  if (NAME.test(name)) return;
  const place = at === 0 ? 'at the root' : `in group '${names.slice(0, at).join('.')}'`;
  throw new TypeError(
    `compileRegistry: '${name}' ${place} cannot be the name of a capability or group. Use letters and digits, ` +
      `starting with a letter, for example 'getUser'.`,
  );
}
