/**
 * Sets a value on `globalThis` under a symbol of the global registry, where code finds it that imports nothing of this
 * copy. The returned function takes it away.
 */
export function setGlobal(name: string, value: unknown): () => void {
  const key = Symbol.for(name);
  Object.assign(globalThis, { [key]: value });
  return () => void Reflect.deleteProperty(globalThis, key);
}
