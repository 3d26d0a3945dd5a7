const PREFIX = /^\/\/# sourceMappingURL=data:application\/json;base64,(.*)\n$/;
const MAPPINGS = /"mappings":\s*"/;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The line of a source map, for code whose first line begins so many columns later. */
export function shiftMap(mapLine: string, columns: number): string {
  const [, data] = PREFIX.exec(mapLine) ?? [];
  if (data === undefined || columns === 0) return mapLine;
  const text = shiftMapText(Buffer.from(data, 'base64').toString(), columns);
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(text).toString('base64')}\n`;
}

/** The same for a map as JSON: its mappings are letters that JSON does not escape. */
export function shiftMapText(map: string, columns: number): string {
  const found = MAPPINGS.exec(map);
  if (found === null || columns === 0) return map;
  const from = found.index + found[0].length;
  const end = map.indexOf('"', from);
  return map.slice(0, from) + shiftFirst(map.slice(from, end), columns) + map.slice(end);
}

/** Columns count from the position before, so that only the first of a line has to change. */
function shiftFirst(mappings: string, columns: number): string {
  let [value, length] = [0, 0];
  for (let isLast = false; !isLast; length++) {
    const digit = DIGITS.indexOf(mappings[length] ?? '');
    // The first line is of no source.
    if (digit < 0) return mappings;
    value += (digit & 31) * 32 ** length;
    isLast = (digit & 32) === 0;
  }
  return toDigits(value + columns * 2) + mappings.slice(length);
}

/** A number of a source map: five bits a digit, the lowest first, and one that says whether more follow. */
function toDigits(value: number): string {
  const digit = value % 32;
  const rest = (value - digit) / 32;
  return rest === 0 ? (DIGITS[digit] ?? '') : (DIGITS[digit + 32] ?? '') + toDigits(rest);
}
