import { type AnyCapability, definitionOfCapability, isCapability } from '../capability/capability.ts';
import type { CapabilityDefinition } from '../capability/definition.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { inferIntent } from '../routing/name-rules.ts';
import { findFieldNames } from '../schema/find-field-names.ts';
import { declaredEntries, isGroup } from './declared-entries.ts';
import { groupPathsOf, type Operation, type RunnableOperation, toRun } from './operation.ts';

const REGISTRY: unique symbol = Symbol.for('capix.registry') as never;
declare const TREE: unique symbol;

/**
 * The capabilities of an application, compiled: what servers, documents and commands are made from. `Tree` are the
 * groups that it was made of.
 */
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
 * const registry = compileRegistry({ users: { getUser: capability(() => ({ id: '7' })) } });
 * console.log(registry.operations.map(({ key, intent }) => `${key} ${intent}`)); // ['users.getUser query']
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
  return toRegistry(toOperations(tree, { groups: [], above: [] })) as CompiledRegistry<Tree>;
}

/** An operation that a server does not start with, and why. */
export interface OperationFault {
  readonly key: string;
  /** The thrown value. */
  readonly error: unknown;
}

/**
 * Compiles as `compileRegistry` does, for those who tell all mistakes at once: an operation whose enhancers refuse it
 * is a fault, and fails when it is called.
 *
 * @throws TypeError for a name that is not letters and digits starting with a letter
 */
export function compileWithFaults(tree: GroupTree): CompiledWithFaults {
  const faults: OperationFault[] = [];
  const onFault = (fault: OperationFault): void => void faults.push(fault);
  const registry = isRegistry(tree) ? tree : toRegistry(toOperations(tree, { groups: [], above: [], onFault }));
  return { registry, faults };
}

interface CompiledWithFaults {
  readonly registry: CompiledRegistry;
  readonly faults: readonly OperationFault[];
}

/** A registry of operations whose keys are known to differ. */
export function toRegistry(operations: readonly Operation[]): CompiledRegistry {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  const find = (key: string): Operation | undefined => byKey.get(key);
  return Object.freeze({ [REGISTRY]: true as const, operations, find }) as unknown as CompiledRegistry;
}

export function isRegistry(value: unknown): value is CompiledRegistry {
  return typeof value === 'object' && value !== null && REGISTRY in value;
}

interface TreePlace {
  readonly groups: readonly string[];
  /** The groups that this one is inside of. */
  readonly above: readonly unknown[];
  /** Told of an operation that cannot be made ready. @default it is thrown */
  readonly onFault?: ((fault: OperationFault) => void) | undefined;
}

/** The operations of a tree, its groups named from the root. A group within itself is passed over. */
function toOperations(tree: GroupTree, { groups, above, onFault }: TreePlace): Operation[] {
  const operations: Operation[] = [];
  for (const [name, value] of declaredEntries(tree)) {
    if (isCapability(value)) {
      expectName(name, groups);
      operations.push(toOperation(value, name, { groups, onFault }));
      continue;
    }
    if (!isGroup(value) || value === tree || above.includes(value)) continue;
    const inner = toOperations(value, { groups: [...groups, name], above: [...above, tree], onFault });
    if (inner.length > 0) expectName(name, groups);
    operations.push(...inner);
  }
  return operations;
}

function expectName(name: string, groups: readonly string[]): void {
  if (/^[a-zA-Z][a-zA-Z0-9]*$/.test(name)) return;
  const place = groups.length === 0 ? 'at the root' : `in group '${groups.join('.')}'`;
  throw new TypeError(
    `compileRegistry: '${name}' ${place} cannot be the name of a capability or group. Use letters and digits, ` +
      `starting with a letter, for example 'getUser'.`,
  );
}

function toOperation(
  capability: AnyCapability,
  name: string,
  { groups, onFault }: Omit<TreePlace, 'above'>,
): RunnableOperation {
  const definition = definitionOfCapability(capability);
  const { intent: declaredIntent, routes: declaredRoutes } = definition;
  const key = [...groups, name].join('.');
  const intent = inferIntent(name, declaredIntent);
  const fields = findFieldNames(definition.schema);
  const hasId = fields?.has('id') ?? false;
  const place = { key, groups, groupPaths: groupPathsOf(definition), name };
  const ready = toReady(definition, { key, intent }, onFault);
  return Object.freeze({ ...place, intent, declaredIntent, declaredRoutes, fields, hasId, ...ready });
}

/** An operation whose enhancers refuse it fails when it is called. */
function toReady(
  definition: CapabilityDefinition,
  named: Pick<Operation, 'key' | 'intent'>,
  onFault: TreePlace['onFault'],
): ReturnType<typeof toRun> {
  try {
    return toRun(definition, named);
  } catch (error) {
    if (onFault === undefined) throw error;
    onFault({ key: named.key, error });
    const fail = (): never => {
      throw error;
    };
    const enhancers = definition.enhancers.map((enhancer) => ({ ...enhancer, wrap: () => fail }));
    return { ...toRun({ ...definition, enhancers }, named), definition };
  }
}
