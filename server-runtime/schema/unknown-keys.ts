import { findNearest } from '../errors/expect-options.ts';
import { describe } from './describe.ts';
import { isObject, isRaw, type JsonBranch, type Lens, partsOf } from './lens.ts';
import type { Schema } from './schema.ts';

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
 * The fields of an input that no branch of its schema has, the first few of them. Objects that take any field, or that
 * have none, have none. For those who tell a caller of a misspelt name: a schema drops such fields without a word.
 */
export function findUnknownKeys(schema: Schema | undefined, input: unknown): readonly UnknownKey[] {
  const found: UnknownKey[] = [];
  if (schema !== undefined) look(describe(schema).lens, input, []);
  return found;

  function look(lens: Lens | undefined, value: unknown, parent: readonly string[]): void {
    if (lens === undefined || typeof value !== 'object' || value === null || parent.length > MAX_DEPTH) return;
    const isList = Array.isArray(value);
    const names = new Set(lens.branches.filter(isObject).flatMap((branch) => Object.keys(partsOf(branch))));
    if (!isList && (names.size === 0 || lens.branches.some(takesAnyField))) return;
    for (const [key, inner] of Object.entries(isList ? value.slice(0, MAX_ITEMS) : value)) {
      if (found.length >= MAX_KEYS) return;
      if (isList || names.has(key)) look(lens.inside(key), inner, [...parent, key]);
      else found.push({ parent, key, advice: toAdvice(key, [...names]) });
    }
  }
}

function takesAnyField(branch: JsonBranch): boolean {
  const { type, additionalProperties = false } = branch;
  return isRaw(branch) || type === undefined || (type === 'object' && additionalProperties !== false);
}

/** `Did you mean email?`, `The fields are id and name.` */
function toAdvice(key: string, names: readonly string[]): string {
  const nearest = findNearest(key, names);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  return `The fields are ${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ' and more' : ''}.`;
}
