// oxlint-disable typescript/no-explicit-any -- whatever context and output a capability has, its input is looked at
import { type Capability, definitionOfCapability, isCapability, toCapability } from '../capability/capability.ts';
import type { CapabilityDefinition } from '../capability/definition.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { DeclaredRoute, ParamsIn, PathFor } from '../capability/http.ts';
import { expectKnownOptions } from '../errors/expect-options.ts';
import type { Mistake } from '../errors/mistake.ts';
import { parsePathPattern } from '../routing/path-pattern.ts';
import { findFieldNames } from '../schema/describe.ts';
import type { Schema } from '../schema/schema.ts';
import { isGroup, membersOf } from './compile-registry.ts';
import type { Operation } from './operation.ts';

export interface GroupOptions {
  /** The purpose of the group, in Markdown: the description of its tag in documents. @default none */
  readonly description?: string | undefined;
}

/** The group, where a member's input lacks a field of the path: the type that the member must have. */
export type MembersOf<Tree, Path extends string> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Capability<infer S, any, any, any, any>
    ? S extends Schema
      ? PathFor<S, Path>
      : Mistake<`It has no input, so no field for the parameters of ${Path}. Declare it: .input(…)`>
    : MembersOf<Tree[Name], Path>;
};

/** `unknown` for a group. Compilers tell of the last way of calling, so it says what the members of a path need. */
export type PathMistake<Tree> = Tree extends string
  ? Mistake<`Each input in this group needs the fields of its path: ${ParamsIn<Tree>}. Add those that are missing.`>
  : unknown;

/**
 * A group with a path in place of its name, or a description. Parameters of the path are fields of every input, and
 * `.route` of a capability stands behind it.
 *
 * @throws TypeError for a parameter that is not a field of an input
 */
export function group<const Path extends `/${string}`, Tree extends GroupTree>(
  path: Path,
  capabilities: Tree & MembersOf<NoInfer<Tree>, Path>,
  options?: GroupOptions,
): Tree;
export function group<Tree extends GroupTree | string>(
  capabilities: Tree & PathMistake<Tree>,
  options?: GroupOptions,
): Tree;
export function group(...args: readonly unknown[]): unknown {
  type Given = readonly [path: string | undefined, capabilities: GroupTree, options?: GroupOptions];
  const [path, capabilities, options = {}] = (typeof args[0] === 'string' ? args : [undefined, ...args]) as Given;
  const owner = path === undefined ? 'group' : `group('${path}')`;
  expectKnownOptions(owner, options, { description: true });
  if (!isGroup(capabilities)) throw new TypeError(`${owner}: expected a group of capabilities such as {getUser}.`);
  const pattern = parsePathPattern(path ?? '/');
  if (typeof pattern === 'string') throw new TypeError(`${owner}: the path ${pattern}.`);
  const toRoute = (route: DeclaredRoute): DeclaredRoute => ({ ...route, path: `${path ?? ''}${route.path}` as never });
  return change(capabilities, (definition, depth) => {
    const names = findFieldNames(definition.schema).names;
    const missing = pattern.params.find((param) => !names.has(param));
    if (missing !== undefined)
      throw new TypeError(
        `${owner}: the input of a capability in it has no field '${missing}'. Add it: .input(z.object({ ` +
          `${missing}: z.string() })).`,
      );
    const groupsAround = [...definition.groupsAround, { path, text: options.description, depth }];
    return { ...definition, routes: definition.routes.map(toRoute), groupsAround };
  });
}

export function findInGroups(
  part: 'path' | 'text',
  operations: readonly Operation[],
): Readonly<Record<string, string>> {
  const found = operations.flatMap(({ groups, definition }) =>
    definition.groupsAround.map(({ depth, [part]: value }) => [
      groups.slice(0, groups.length - depth).join('.'),
      value,
    ]),
  );
  return Object.fromEntries(found.filter(([name, value]) => name !== '' && value !== undefined)) as Record<
    string,
    string
  >;
}

/** A group that contains itself is kept as it is the second time. */
function change(
  tree: GroupTree,
  toChanged: (definition: CapabilityDefinition, depth: number) => CapabilityDefinition,
  above: readonly unknown[] = [],
): GroupTree {
  const within = [...above, tree];
  const entries = membersOf(tree).map(([name, value]) => {
    if (isCapability(value)) return [name, toCapability(toChanged(definitionOfCapability(value), above.length))];
    return [name, isGroup(value) && !within.includes(value) ? change(value, toChanged, within) : value];
  });
  return Object.fromEntries(entries) as GroupTree;
}
