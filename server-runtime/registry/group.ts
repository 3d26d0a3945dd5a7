// oxlint-disable typescript/no-explicit-any -- whatever context and output a capability has, its input is looked at
import { CAPABILITY, type Capability } from '../capability/capability.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { ParamsIn, PathFor } from '../capability/http.ts';
import { expectKnownOptions } from '../errors/expect-options.ts';
import type { Mistake } from '../errors/mistake.ts';
import { parsePathPattern } from '../routing/path-pattern.ts';
import { findFieldNames } from '../schema/describe.ts';
import type { Schema } from '../schema/schema.ts';
import { findCapabilities, GROUP, isGroup, type Operation } from './compile-registry.ts';

export interface GroupOptions {
  /** The purpose of the group, in Markdown: the description of its tag in documents. @default none */
  readonly description?: string | undefined;
}

/** The group, where a member's input lacks a field of the path: the type that the member must have. */
export type MembersOf<Tree, Path extends string> = [ParamsIn<Path>] extends [never]
  ? unknown
  : {
      readonly [Name in keyof Tree]: Tree[Name] extends Capability<infer S, any, any, any, any>
        ? S extends Schema
          ? PathFor<S, Path>
          : Mistake<`It has no input, so no field for the parameters of ${Path}. Declare it: .input(…)`>
        : MembersOf<Tree[Name], Path>;
    };

/** A group with a description. */
export function group<Tree extends GroupTree>(capabilities: Tree, options?: GroupOptions): Tree;
/** A group with a path in place of its name, whose parameters are fields of every input; `.route` stands behind it. */
export function group<const Path extends `/${string}`, Tree extends GroupTree>(
  path: Path,
  capabilities: Tree & MembersOf<NoInfer<Tree>, Path>,
  options?: GroupOptions,
): Tree;
export function group(...args: readonly unknown[]): unknown {
  const path = typeof args[0] === 'string' ? args[0] : undefined;
  const [capabilities, options = {}] = args.slice(path === undefined ? 0 : 1) as [
    GroupTree,
    GroupOptions?,
  ];
  const owner = path === undefined ? 'group' : `group('${path}')`;
  expectKnownOptions(owner, options, { description: true });
  if (!isGroup(capabilities))
    throw new TypeError(`${owner}: expected a group of capabilities such as {getUser}.`);
  const pattern = parsePathPattern(path ?? '/');
  if (typeof pattern === 'string') throw new TypeError(`${owner}: the path ${pattern}.`);
  for (const { capability } of pattern.params.length === 0 ? [] : findCapabilities(capabilities)) {
    const names = findFieldNames(capability[CAPABILITY].schema).names;
    const missing = pattern.params.find((param) => !names.has(param));
    if (missing !== undefined)
      throw new TypeError(
        `${owner}: the input of a capability in it has no field '${missing}'. Add it: .input(z.object({ ` +
          `${missing}: z.string() })).`,
      );
  }
  // The copy of a module namespace is one, too, because its members have an order of their own.
  const members = Object.defineProperties({}, Object.getOwnPropertyDescriptors(capabilities));
  return Object.assign(members, { [GROUP]: { path, text: options.description } });
}

export function findInGroups(
  part: 'path' | 'text',
  operations: readonly Operation[],
): Readonly<Record<string, string>> {
  const found = operations.flatMap(({ groups, groupsAround }) =>
    groupsAround.map(({ at, [part]: value }) => [groups.slice(0, at).join('.'), value]),
  );
  return Object.fromEntries(found.filter(([name, value]) => name !== '' && value !== undefined));
}
