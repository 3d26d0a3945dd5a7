import type { SharedPart } from '../document/operations/api-operation.ts';
import { toRefName } from '../document/read-branches.ts';
import type { ContractChange } from './changes/contract-change.ts';
import { findSharedReference } from './schemas/schema-pairs.ts';

/** The same part of an operation in both documents. */
export interface PartPair<Part extends SharedPart = SharedPart> {
  readonly before: Part;
  readonly after: Part;
  /** The newer document. */
  readonly root: unknown;
}

/** The items of one name in both lists, in the order of the newer one. */
export function pairBy<Item>(
  older: readonly Item[],
  newer: readonly Item[],
  toName: (item: Item) => string,
): readonly { readonly before: Item; readonly after: Item }[] {
  const known = new Map(older.map((item) => [toName(item), item]));
  return newer.flatMap((after) => {
    const before = known.get(toName(after));
    return before === undefined ? [] : [{ before, after }];
  });
}

/** Compares a part, and names it in messages: by the component that it is, or else by its place in the operation. */
type ComparePart = (component: string | undefined) => readonly ContractChange[];

/**
 * Gives the changes of a part of an operation. Where both documents have it from one component, they are those of the
 * component, in words that hold for all operations that refer to it.
 */
export function compareParts(pair: PartPair, comparePart: ComparePart): readonly ContractChange[] {
  const { before, after, root } = pair;
  const reference = findSharedReference(before.reference, after.reference, root);
  const name = reference && toRefName(reference);
  const changes = comparePart(undefined);
  if (reference === undefined || name === undefined || changes.length === 0) return changes;
  const kind = findKind(reference);
  const ofComponent = comparePart(name);
  return changes.map((change, index) => {
    const { message } = ofComponent[index] ?? change;
    const isAboutPart = message.startsWith('`');
    const component = {
      name: `${kind} ${name}`,
      message: isAboutPart ? `${kind} ${message}` : message,
    };
    return change.component === undefined ? { ...change, component } : change;
  });
}

/** What the lists of components hold, in messages. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['parameters', 'parameter'],
  ['requestBodies', 'body'],
  ['responses', 'answer'],
  ['headers', 'header'],
  ['links', 'link'],
  ['callbacks', 'callback'],
]);

function findKind(reference: string): string {
  const list = /\/components\/(\w+)\//.exec(reference)?.[1];
  return (list && kinds.get(list)) ?? 'component';
}
