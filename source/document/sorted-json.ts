/** A value of JSON with the fields of its objects in one order, so that the same value is the same text. */
export function toSortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSortedJson);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, toSortedJson(inner)]));
}

export function toSortedText(value: unknown): string {
  return JSON.stringify(toSortedJson(value));
}
