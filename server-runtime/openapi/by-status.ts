/**
 * An object by status, from entries; of two with one status the later. V8 keeps names such as `500` in an array with a
 * place for each number below, 6 KB for an operation, unless the object once had a name that is far from all others.
 */
export function byStatus<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const object: Record<string, Value> = { [FAR]: undefined as Value };
  delete object[FAR];
  for (const [status, value] of entries) object[status] = value;
  return object;
}

const FAR = '9999';
