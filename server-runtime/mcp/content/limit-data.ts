import { toJsonText } from '../../http/to-json-text.ts';

/** The start of a value that is too large for one answer, whole in itself. */
export interface Limited {
  readonly data: unknown;
  /** The part that it is: `120 of 5000 items`, `lines: 120 of 5000 items`. */
  readonly part: string;
}

/**
 * As much of a value as fits into so many bytes of JSON: the first items of a list, the first characters of a text, or an object in which its
 * longest field is cut so. Undefined where no such part fits.
 */
export function limitData(data: unknown, maxBytes: number): Limited | undefined {
  if (typeof data === 'string') return limitText(data, maxBytes);
  if (Array.isArray(data)) return limitList(data, maxBytes);
  return typeof data === 'object' && data !== null ? limitField(data, maxBytes) : undefined;
}

/** The number of bytes of a value as JSON. */
export function toJsonBytes(value: unknown): number {
  return Buffer.byteLength(toJsonText(value) ?? 'null');
}

function limitText(text: string, maxBytes: number): Limited | undefined {
  const characters = Array.from(text.slice(0, maxBytes));
  let bytes = 2;
  const end = characters.findIndex((character) => {
    bytes += toJsonBytes(character) - 2;
    return bytes > maxBytes;
  });
  const start = characters.slice(0, end === -1 ? characters.length : end).join('');
  return start === '' ? undefined : { data: start, part: `${start.length} of ${text.length} characters` };
}

function limitList(list: readonly unknown[], maxBytes: number): Limited | undefined {
  let bytes = 1;
  const end = list.findIndex((item) => {
    bytes += toJsonBytes(item) + 1;
    return bytes > maxBytes;
  });
  const count = end === -1 ? list.length : end;
  return count === 0 ? undefined : { data: list.slice(0, count), part: `${count} of ${list.length} items` };
}

function limitField(value: object, maxBytes: number): Limited | undefined {
  const sized = Object.entries(value).map(([name, field]) => ({
    name,
    field: field as unknown,
    bytes: toJsonBytes(field),
  }));
  const longest = sized.reduce<(typeof sized)[number] | undefined>(
    (most, each) => (most === undefined || each.bytes > most.bytes ? each : most),
    undefined,
  );
  if (longest === undefined) return undefined;
  const others = toJsonBytes({ ...value, [longest.name]: null });
  const limited = limitData(longest.field, maxBytes - others);
  if (limited === undefined) return undefined;
  return { data: { ...value, [longest.name]: limited.data }, part: `${longest.name}: ${limited.part}` };
}
