/** Data that is nested deeper is not copied, nor is data that holds itself. */
const MAX_DEPTH = 200;

/**
 * A copy that shares nothing with `value` that can be changed: objects, lists, maps, sets, dates, bytes. What else is in it, functions and
 * instances of classes, is the same in the copy.
 *
 * @throws RangeError for data that is nested more than 200 levels deep
 */
export function copyData(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new RangeError(`The data is nested more than ${MAX_DEPTH} levels deep.`);
  const copy = (inner: unknown): unknown => copyData(inner, depth + 1);
  if (Array.isArray(value)) return value.map(copy);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return copyFields(value, copy);
  if (value instanceof Date) return new Date(value);
  if (value instanceof Uint8Array) return Uint8Array.prototype.slice.call(value);
  if (value instanceof Map) return new Map([...value].map(([key, inner]) => [copy(key), copy(inner)]));
  if (value instanceof Set) return new Set([...value].map(copy));
  return value;
}

/** With symbols and without a prototype where it has none. */
function copyFields(value: object, copy: (inner: unknown) => unknown): object {
  const made: Record<string, unknown> =
    Object.getPrototypeOf(value) === null ? Object.assign(Object.create(null), value) : { ...value };
  for (const key of Object.keys(made)) made[key] = copy(made[key]);
  return made;
}
