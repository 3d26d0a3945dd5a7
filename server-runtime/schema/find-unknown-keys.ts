import { findNearest } from '../errors/find-nearest.ts';
import { describe } from './describe.ts';
import { isObject, type JsonBranch, toJsonBranches, toOneObject } from './json-branches.ts';
import type { Schema } from './schema.ts';
import { toInsideBranches } from './to-telling-message.ts';

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
  if (schema === undefined) return [];
  const root = describe(schema).input;
  const found: UnknownKey[] = [];
  look(toJsonBranches(root, root), input, []);
  return found;

  function look(branches: readonly JsonBranch[], value: unknown, parent: readonly string[]): void {
    if (typeof value !== 'object' || value === null || parent.length > MAX_DEPTH || found.length >= MAX_KEYS) return;
    const lookInside = (key: string, inner: unknown): void =>
      look(toInsideBranches(branches, key, root), inner, [...parent, key]);
    if (Array.isArray(value)) {
      for (const [at, item] of value.slice(0, MAX_ITEMS).entries()) lookInside(String(at), item);
      return;
    }
    const objects = branches.filter(isObject);
    if (objects.length === 0 || branches.some(takesAnyField)) return;
    const { fields } = toOneObject(objects);
    for (const [key, inner] of Object.entries(value)) {
      if (fields.has(key)) lookInside(key, inner);
      else if (found.length < MAX_KEYS) found.push({ parent, key, advice: toKeyAdvice(key, [...fields.keys()]) });
    }
  }
}

function takesAnyField(branch: JsonBranch): boolean {
  if (!isObject(branch)) return branch.kind === 'any' || branch.isRaw === true;
  return branch.isRaw === true || (branch.json['additionalProperties'] ?? false) !== false;
}

/** `Did you mean email?`, `The fields are id and name.` */
function toKeyAdvice(key: string, names: readonly string[]): string {
  const nearest = findNearest(key, names);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  if (names.length === 0) return 'There are no fields.';
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return `The fields are ${shown}${names.length > MAX_NAMES ? ' and more' : ''}.`;
}
