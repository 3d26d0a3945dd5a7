/**
 * The places in a value whose texts in JSON stand for something else: `{createdAt: 'date', lines: [{cents: 'bigint'}]}`. A list of one is
 * about every item; items that differ are named by their index.
 */
export type Kinds = 'date' | 'bigint' | readonly [Kinds] | { readonly [name: string]: Kinds };

/** The dates and big integers in a value, wherever they are; undefined where there are none. The value is one that JSON can hold. */
export function findKinds(value: unknown): Kinds | undefined {
  if (typeof value === 'bigint') return 'bigint';
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : 'date';
  if (Array.isArray(value)) return findInItems(value);
  if (ArrayBuffer.isView(value)) return undefined;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function'
    ? findKinds(Reflect.apply(toJSON, value, ['']))
    : findInFields(value as Readonly<Record<string, unknown>>);
}

function findInFields(value: Readonly<Record<string, unknown>>): Kinds | undefined {
  let found: Record<string, Kinds> | undefined;
  for (const name of Object.keys(value)) {
    const kinds = findKinds(value[name]);
    if (kinds !== undefined) found = setField(found, name, kinds);
  }
  return found;
}

function findInItems(items: readonly unknown[]): Kinds | undefined {
  const all = items.map(findKinds);
  const common = findCommon(items, all);
  if (common !== undefined) return [common];
  let found: Record<string, Kinds> | undefined;
  for (const [index, kinds] of all.entries()) if (kinds !== undefined) found = setField(found, String(index), kinds);
  return found;
}

/** The kinds that can be told of every item at once; undefined where that would be wrong for one. */
function findCommon(items: readonly unknown[], all: readonly (Kinds | undefined)[]): Kinds | undefined {
  let common: Kinds | undefined;
  for (const kinds of all) {
    if (kinds === undefined) continue;
    if (common === undefined) common = kinds;
    else if (!isSame(common, kinds)) {
      const joined = join(common, kinds);
      if (joined === undefined) return undefined;
      common = joined;
    }
  }
  return common !== undefined && items.every((item, index) => holds(common, item, all[index])) ? common : undefined;
}

function join(one: Kinds, other: Kinds): Kinds | undefined {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other ? one : undefined;
  if (isList(one) !== isList(other)) return undefined;
  let joined: Record<string, Kinds> = { ...(one as object) };
  for (const [name, kinds] of Object.entries(other)) {
    const both = Object.hasOwn(joined, name) ? join(joined[name] as Kinds, kinds) : kinds;
    if (both === undefined) return undefined;
    joined = setField(joined, name, both);
  }
  return isList(one) ? [joined[0] as Kinds] : joined;
}

const textless: ReadonlySet<string> = new Set(['number', 'boolean', 'undefined']);

/** Whether the kinds that are told of many values are those of this one, whose own are `own`: fields without a kind must not be texts. */
function holds(common: Kinds, value: unknown, own: Kinds | undefined): boolean {
  if (own === common || value === null || textless.has(typeof value)) return true;
  if (typeof common !== 'object' || typeof value !== 'object') return own === common;
  if (isList(common)) {
    if (!Array.isArray(value)) return false;
    return value.every((item, index) => holds(common[0], item, findOwn(own, isListOf(own) ? '0' : String(index))));
  }
  if (Array.isArray(value) || typeof (value as { readonly toJSON?: unknown }).toJSON === 'function')
    return own !== undefined && isSame(common, own);
  return Object.entries(common).every(
    ([name, kinds]) =>
      !Object.hasOwn(value, name) || holds(kinds, (value as Record<string, unknown>)[name], findOwn(own, name)),
  );
}

function findOwn(own: Kinds | undefined, name: string): Kinds | undefined {
  return typeof own === 'object' && Object.hasOwn(own, name)
    ? (own as Readonly<Record<string, Kinds>>)[name]
    : undefined;
}

function isListOf(kinds: Kinds | undefined): boolean {
  return kinds !== undefined && isList(kinds);
}

function isList(kinds: Kinds): kinds is readonly [Kinds] {
  return Array.isArray(kinds);
}

function isSame(one: Kinds, other: Kinds): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  const names = Object.keys(one);
  if (isList(one) !== isList(other) || names.length !== Object.keys(other).length) return false;
  return names.every((name) => {
    const kinds = findOwn(other, name);
    return kinds !== undefined && isSame(findOwn(one, name) as Kinds, kinds);
  });
}

/** A name such as `__proto__` is a field like any other. */
function setField(to: Record<string, Kinds> | undefined, name: string, kinds: Kinds): Record<string, Kinds> {
  if (to === undefined) return { [name]: kinds };
  if (name === '__proto__') Object.defineProperty(to, name, { value: kinds, enumerable: true, configurable: true });
  else to[name] = kinds;
  return to;
}
