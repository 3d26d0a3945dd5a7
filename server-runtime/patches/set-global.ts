/** Sets a value under a symbol of the global registry, where code finds it that imports nothing of this copy. */
export function setGlobal(name: string, value: unknown): void {
  Object.assign(globalThis, { [Symbol.for(name)]: value });
}
