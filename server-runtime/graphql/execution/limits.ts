import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { GraphqlSettings } from './options.ts';

/** What a selection asks for, with its fragments. */
interface Extent {
  readonly selections: number;
  readonly levels: number;
}

const nothing: Extent = { selections: 0, levels: 0 };

/** Why a document asks for too much, as a sentence. It looks at each fragment once, however often that is spread. */
export function findExcess(
  document: DocumentNode,
  limits: GraphqlSettings['limits'],
): string | undefined {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  );
  const known = new Map<string, Extent>();

  const measureSpread = (name: string): Extent => {
    const fragment = fragments.get(name);
    if (fragment === undefined) return nothing;
    const before = known.get(name);
    if (before !== undefined) return before;
    // A fragment within itself is refused by the rules of GraphQL.
    known.set(name, nothing);
    const extent = measure(fragment.selectionSet);
    known.set(name, extent);
    return extent;
  };

  const measure = ({ selections }: SelectionSetNode): Extent => {
    let count = 0;
    let levels = 0;
    for (const each of selections) {
      const isField = each.kind === Kind.FIELD;
      const extent =
        each.kind === Kind.FRAGMENT_SPREAD
          ? measureSpread(each.name.value)
          : measureInner(
              isField && each.name.value.startsWith('__') ? undefined : each.selectionSet,
            );
      count += extent.selections + (isField ? 1 : 0);
      levels = Math.max(levels, extent.levels + (isField ? 1 : 0));
    }
    return { selections: count, levels };
  };
  /** The schema, which has its own depth, is not data of the application. */
  const measureInner = (inner: SelectionSetNode | undefined): Extent =>
    inner === undefined ? nothing : measure(inner);

  for (const each of document.definitions) {
    if (each.kind !== Kind.OPERATION_DEFINITION) continue;
    const { selections, levels } = measure(each.selectionSet);
    const calls = findRootFields(each.selectionSet, fragments).size;
    const excess = Object.entries({ calls, levels, selections }).find(
      ([name, count]) => count > limits[name as keyof Extent],
    );
    if (excess !== undefined)
      return `The operation has ${excess[1]} ${words[excess[0]]}; it may have ${limits[excess[0] as keyof Extent]}.`;
  }
  return undefined;
}

const words: Readonly<Record<string, string>> = {
  calls: 'fields at its root',
  levels: 'levels of fields',
  selections: 'fields',
};

/** The fields at the root by their names in the answer: two of one name are one call. */
function findRootFields(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  found = new Set<string>(),
): ReadonlySet<string> {
  const rest = new Map(fragments);
  for (const each of selections) {
    if (each.kind === Kind.FIELD) found.add((each.alias ?? each.name).value);
    else if (each.kind === Kind.INLINE_FRAGMENT) findRootFields(each.selectionSet, rest, found);
    else {
      const fragment = rest.get(each.name.value);
      rest.delete(each.name.value);
      if (fragment !== undefined) findRootFields(fragment.selectionSet, rest, found);
    }
  }
  return found;
}
