/** Whether a key could reach a prototype; such keys never get to a handler. */
export function isUnsafeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** Removes unsafe keys from a parsed JSON value, at any depth, in place. A loop, because a caller chooses the depth. */
export function dropUnsafeKeys(root: object): void {
  const pending: object[] = [root];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const key of Object.keys(at)) {
      const value = (at as Record<string, unknown>)[key];
      if (isUnsafeKey(key) && !Array.isArray(at)) delete (at as Record<string, unknown>)[key];
      else if (typeof value === 'object' && value !== null) pending.push(value);
    }
  }
}
