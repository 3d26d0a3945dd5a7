import { type ApiSchema, type NamedSchema, toObjectSchema } from '../../document/branch.ts';
import type { SharedPart } from '../../document/operations/api-operation.ts';
import { toRefName } from '../../document/read-branches.ts';
import { isSchemaObject } from '../../document/schema-json.ts';
import { onceFor, remember } from '../../values/once.ts';
import {
  type ChangedComponent,
  type ContractChange,
  toChange,
} from '../changes/contract-change.ts';
import { type Direction, type FoundPart, toLimitFinding } from './finding.ts';
import type { LimitChange } from './limits.ts';
import { findSharedReference, type PlacedChange, SchemaPairs } from './schema-pairs.ts';

export interface SchemaPlace {
  /** `input.address.city` */
  readonly at: string;
  readonly direction: Direction;
}

/** The differences between two schemas, field by field; where only one is declared, that is the difference. */
export function compareSchemas(
  before: ApiSchema | undefined,
  after: ApiSchema | undefined,
  place: SchemaPlace,
): readonly ContractChange[] {
  if (before === after) return [];
  const { at, direction } = place;
  if (before === undefined || after === undefined) {
    const verb = after === undefined ? 'removed' : 'added';
    return [
      toChange(`${direction}-schema-${verb}`, { at, message: `${direction} schema was ${verb}` }),
    ];
  }
  const found = findSchemaPairs(before.root, after.root).compare(before, after, direction);
  const changes = found.map((each) => toPlaced(each, place));
  // A rule of a union holds for each of its branches; of two components each has its own.
  const toId = ({ rule, at, message, component }: ContractChange): string =>
    [rule, at, message, component?.name].join(' ');
  return [...new Map(changes.map((change) => [toId(change), change])).values()];
}

/** Compares a value like the field of an object: one that only one side has was removed or added. */
export function compareAsField(
  before: NamedSchema | undefined,
  after: NamedSchema | undefined,
  place: SchemaPlace,
): readonly ContractChange[] {
  const root = (before ?? after)?.schema.root;
  const toObject = (field: NamedSchema | undefined): ApiSchema =>
    field === undefined ? toObjectSchema([], root) : toObjectSchema([field]);
  return compareSchemas(toObject(before), toObject(after), place);
}

const findPairsOf = onceFor((_before: object) => new WeakMap<object, SchemaPairs>());

/** The pairs of schemas of two documents that are known: they live as long as the documents. */
export function findSchemaPairs(before: unknown, after: unknown): SchemaPairs {
  if (!isSchemaObject(before) || !isSchemaObject(after)) return new SchemaPairs(before, after);
  return remember(findPairsOf(before), after, () => new SchemaPairs(before, after));
}

export function toLimitChange(limit: LimitChange, place: SchemaPlace): ContractChange {
  return toPlaced({ ...toLimitFinding(limit, place.direction), path: '' }, place);
}

type Placed = FoundPart & Pick<PlacedChange, 'path'> & Partial<Pick<PlacedChange, 'component'>>;

/** A change at a place, as a sentence about its field: `became required` becomes ``` `email` became required```. */
function toPlaced(found: Placed, { at: root, direction }: SchemaPlace): ContractChange {
  const { rule, path, part, message, before, after, class: changeClass } = found;
  const at = `${root}${path}${part}`;
  const name = at.startsWith(`${direction}.`) ? at.slice(direction.length + 1) : at;
  return toChange(rule, {
    at,
    message: `\`${name}\` ${message}`,
    before,
    after,
    class: changeClass,
    ...(found.component && { component: toChangedComponent(found, found.component) }),
  });
}

/** Names a change by its place in the component: the path that leads to the component says nothing about it. */
function toChangedComponent(
  { path, part, message }: Placed,
  { name, path: start }: NonNullable<PlacedChange['component']>,
): ChangedComponent {
  const inside = `${path.slice(start.length)}${part}`;
  return { name, message: `\`${name}${inside}\` ${message}` };
}

/** The same part of an operation in both documents. */
interface PartPair<Part extends SharedPart = SharedPart> {
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
