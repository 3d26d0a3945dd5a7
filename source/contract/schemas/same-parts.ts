import { findTarget, isSchemaObject, type SchemaJson } from '../../document/schema-json.ts';

/**
 * Finds parts of two documents that say the same to callers, with all that they refer to, whatever their descriptions,
 * their examples and the order of their keys. It reads each component once. It never calls two parts the same that
 * differ, but it may miss two that say the same in other words.
 */
export class SameParts {
  readonly #before: unknown;
  readonly #after: unknown;
  readonly #targets = new Map<string, Target>();

  constructor(before: unknown, after: unknown) {
    this.#before = before;
    this.#after = after;
  }

  isSame(old: unknown, now: unknown): boolean {
    if (old === now && this.#before === this.#after) return true;
    const likeness = new Likeness();
    if (!likeness.isAlike(old, now, 'keywords')) return false;
    for (const reference of likeness.references) if (!this.#isSameTarget(reference)) return false;
    return true;
  }

  /** A target is the same if it and all that it leads to are alike: a circle of targets is. */
  #isSameTarget(reference: string): boolean {
    const known = this.#targets.get(reference);
    if (known !== undefined) return known.isSame;
    const first = this.#addTarget(reference);
    const fresh = [first];
    for (const target of fresh)
      for (const name of target.references) {
        let next = this.#targets.get(name);
        if (next === undefined) {
          next = this.#addTarget(name);
          fresh.push(next);
        }
        next.parents.push(target);
        if (!next.isSame) target.isSame = false;
      }
    const others = fresh.filter(({ isSame }) => !isSame);
    for (const { parents } of others)
      for (const parent of parents) {
        if (!parent.isSame) continue;
        parent.isSame = false;
        others.push(parent);
      }
    return first.isSame;
  }

  #addTarget(reference: string): Target {
    const likeness = new Likeness();
    const old = findTarget(reference, this.#before);
    const now = findTarget(reference, this.#after);
    const isSame = likeness.isAlike(old, now, 'keywords');
    const target: Target = { isSame, references: likeness.references, parents: [] };
    this.#targets.set(reference, target);
    return target;
  }
}

/** The parts of both documents that a reference leads to. */
interface Target {
  isSame: boolean;
  readonly references: ReadonlySet<string>;
  readonly parents: Target[];
}

/** The keys of an object are keywords, names that its author chose, or parts of a value of the application. */
type Keys = 'keywords' | 'names' | 'values';

/** Looks whether two parts differ in nothing but notes and the order of keys. */
class Likeness {
  /** The references in both parts, which are not followed. */
  readonly references = new Set<string>();

  isAlike(old: unknown, now: unknown, keys: Keys): boolean {
    if (typeof old === 'string') {
      if (keys !== 'values' && old.startsWith('#/')) this.references.add(old);
      return old === now;
    }
    if (typeof old !== 'object' || old === null) return old === now;
    if (Array.isArray(old))
      return (
        Array.isArray(now) &&
        old.length === now.length &&
        old.every((item, index) => this.isAlike(item, now[index], keys))
      );
    return isSchemaObject(now) && this.#isAlikeObject(old as SchemaJson, now, keys);
  }

  #isAlikeObject(old: SchemaJson, now: SchemaJson, keys: Keys): boolean {
    const counts = (key: string): boolean => keys !== 'keywords' || !notes.has(key);
    for (const key of Object.keys(old)) {
      if (!counts(key)) continue;
      if (!Object.hasOwn(now, key)) return false;
      // Another file or an anchor, which is not read here.
      if (keys === 'keywords' && isElsewhere(key, old[key])) return false;
      if (!this.isAlike(old[key], now[key], toInnerKeys(key, keys))) return false;
    }
    return Object.keys(now).every((key) => !counts(key) || Object.hasOwn(old, key));
  }
}

function isElsewhere(key: string, value: unknown): boolean {
  if (key === '$dynamicRef' || key === '$recursiveRef') return true;
  return key === '$ref' && !(typeof value === 'string' && value.startsWith('#/'));
}

function toInnerKeys(key: string, keys: Keys): Keys {
  if (keys !== 'keywords') return keys === 'names' ? 'keywords' : 'values';
  if (maps.has(key)) return 'names';
  return valueKeywords.has(key) ? 'values' : 'keywords';
}

/** Callers notice nothing of these. */
const notes: ReadonlySet<string> = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  '$comment',
]);

const maps: ReadonlySet<string> = new Set(
  `properties patternProperties $defs definitions dependentSchemas content encoding headers responses callbacks links
  mapping variables`.split(/\s+/),
);

const valueKeywords: ReadonlySet<string> = new Set(['default', 'const', 'enum']);
