import { findNearest } from '../errors/find-nearest.ts';
import { toBranches } from './issues/to-branches.ts';
import { definitionOf, type Schema } from './schema.ts';

/** A field that was sent and that a schema does not have. */
export interface UnknownKey {
  /** The place of the object that it is in. */
  readonly parent: readonly string[];
  readonly key: string;
  /** `Did you mean email?`, or else the names that there are. */
  readonly advice: string;
}

/** A caller can send any number of them; these are enough to see what is wrong. */
const MAX_KEYS = 5;
const MAX_DEPTH = 20;
/** Items of a list that are looked at. */
const MAX_ITEMS = 20;
const MAX_NAMES = 20;

/**
 * The fields of an input that no branch of its schema has, the first few of them. Objects that take any field have none. For those who tell a
 * caller of a misspelt name: a schema drops such fields without a word.
 */
export function findUnknownKeys(schema: Schema | undefined, input: unknown): readonly UnknownKey[] {
  const found: UnknownKey[] = [];
  if (schema !== undefined) look([schema], { value: input, parent: [] }, found);
  return found;
}

interface Sent {
  readonly value: unknown;
  readonly parent: readonly string[];
}

function look(schemas: readonly Schema[], { value, parent }: Sent, found: UnknownKey[]): void {
  if (typeof value !== 'object' || value === null || parent.length > MAX_DEPTH || found.length >= MAX_KEYS) return;
  const branches = schemas.flatMap((schema) => toBranches(schema));
  if (Array.isArray(value)) {
    const elements = branches.map((branch) => definitionOf(branch).element).filter((each) => each !== undefined);
    for (const [at, item] of value.slice(0, MAX_ITEMS).entries())
      look(elements, { value: item, parent: [...parent, String(at)] }, found);
    return;
  }
  const known = toKnownFields(branches);
  if (known === undefined) return;
  for (const [key, inner] of Object.entries(value)) {
    const fields = known.get(key);
    if (fields !== undefined) look(fields, { value: inner, parent: [...parent, key] }, found);
    else if (found.length < MAX_KEYS) found.push({ parent, key, advice: toKeyAdvice(key, known.keys()) });
  }
}

/** Kinds of schema that say nothing of the fields that an object may have. */
const takingAny: ReadonlySet<string> = new Set(['record', 'any', 'unknown', 'custom', 'pipe', 'transform']);

/** The fields of all objects among them, by name; undefined where one takes any field. */
function toKnownFields(branches: readonly Schema[]): ReadonlyMap<string, readonly Schema[]> | undefined {
  const fields = new Map<string, readonly Schema[]>();
  let isObject = false;
  for (const branch of branches) {
    const { type, shape = {}, catchall } = definitionOf(branch);
    if (takingAny.has(type)) return undefined;
    if (type !== 'object') continue;
    if (catchall !== undefined && definitionOf(catchall).type !== 'never') return undefined;
    isObject = true;
    for (const [name, field] of Object.entries(shape)) fields.set(name, [...(fields.get(name) ?? []), field]);
  }
  return isObject ? fields : undefined;
}

/** `Did you mean email?`, `The fields are id and name.` */
function toKeyAdvice(key: string, names: Iterable<string>): string {
  const all = [...names];
  const nearest = findNearest(key, all);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  if (all.length === 0) return 'There are no fields.';
  const shown = all.slice(0, MAX_NAMES).join(', ');
  return `The fields are ${shown}${all.length > MAX_NAMES ? ' and more' : ''}.`;
}
