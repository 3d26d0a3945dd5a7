/**
 * A text that is equal for equal inputs, whatever the order of their fields. Undefined for an input that holds something
 * without a text of its own: a file, a stream, an instance of a class, itself.
 */
export function toCacheKey(input: unknown): string | undefined {
  return write(input, []);
}

function write(value: unknown, above: readonly object[]): string | undefined {
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
      if (value === null) return 'null';
      return above.includes(value) ? undefined : writeObject(value, [...above, value]);
    case 'function':
    case 'symbol':
      return undefined;
  }
}

function writeObject(value: object, above: readonly object[]): string | undefined {
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
