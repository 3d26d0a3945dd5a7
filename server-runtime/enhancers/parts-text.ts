/** Gives the text of an instance of a class, by that of its parts. Throws where it has none. */
export type TellInstance = (instance: object, tell: (part: unknown) => string) => string;

/**
 * A text that is equal for equal values, whatever the order of their fields. Undefined for a value that holds itself, a
 * function, or an instance of a class that `tellInstance` has no text for.
 */
export function toPartsText(value: unknown, tellInstance: TellInstance = refuse): string | undefined {
  const tell = (part: unknown): string => {
    if (typeof part === 'string') return JSON.stringify(part);
    if (typeof part === 'bigint') return `${part}n`;
    if (typeof part === 'function' || typeof part === 'symbol') return refuse();
    if (typeof part !== 'object' || part === null) return String(part);
    if (Array.isArray(part)) return `[${part.map(tell).join()}]`;
    if (part instanceof Date) return `Date(${part.getTime()})`;
    const prototype: unknown = Object.getPrototypeOf(part);
    return prototype === Object.prototype || prototype === null ? tellFields(part, tell) : tellInstance(part, tell);
  };
  try {
    return tell(value);
  } catch {
    // A value inside itself comes here too, by the depth of the calls.
    return undefined;
  }
}

/** `{"a":1}`, sorted by name; a field that is undefined is none. */
export function tellFields(value: object, tell: (part: unknown) => string): string {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const texts = fields.map(([name, field]) => `${JSON.stringify(name)}:${tell(field)}`);
  return `{${texts.sort().join()}}`;
}

function refuse(): never {
  throw new TypeError('It has no text of its own.');
}
