import { type ApiSchema, type NamedSchema, toObjectSchema } from '../../document/branch.ts';
import { isSchemaObject } from '../../document/schema-json.ts';
import { onceFor, remember } from '../../values/once.ts';
import type { ChangedComponent, ContractChange } from '../changes/contract-change.ts';
import { toChange } from '../changes/rules.ts';
import { type Direction, type FoundPart, toLimitFinding } from './finding.ts';
import type { LimitChange } from './limits.ts';
import { type PlacedChange, SchemaPairs } from './schema-pairs.ts';

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
