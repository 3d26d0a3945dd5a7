/** A value that is nested deeper has no key: keys are written by functions that call themselves. */
const MAX_DEPTH = 100;

/**
 * A text that is equal for equal inputs, whatever the order of their fields. Undefined for an input that holds
 * something without a text of its own: a file, a stream, an instance of a class, itself; and for one that is nested
 * very deep.
 */
export function toCacheKey(input: unknown): string | undefined {
  return write(input, new Set());
}

/** `above` is what `value` is in. One set serves the walk: a copy a level would make it quadratic. */
function write(value: unknown, above: Set<object>): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return `${value}n`;
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      return value === null ? 'null' : writeInside(value, above);
    case 'function':
    case 'symbol':
      return undefined;
  }
}

function writeInside(value: object, above: Set<object>): string | undefined {
  if (above.size === MAX_DEPTH || above.has(value)) return undefined;
  above.add(value);
  const text = toObjectKey(value, above);
  above.delete(value);
  return text;
}

function toObjectKey(value: object, above: Set<object>): string | undefined {
  if (Array.isArray(value))
    return join(
      '[]',
      value.map((item) => write(item, above)),
    );
  if (value instanceof Date) return `Date(${value.getTime()})`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = fields.map(([name, field]) => {
    const text = write(field, above);
    return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
  });
  return join('{}', parts);
}

function join(brackets: '[]' | '{}', parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : `${brackets[0]}${parts.join(',')}${brackets[1]}`;
}
