/** Objects and arrays of an input may be nested so deep. What follows walks an input by functions that call themselves. */
export const MAX_INPUT_DEPTH = 64;

/** The message for the caller. */
export function tooDeepMessage(subject: 'The request body' | 'The input'): string {
  return `${subject} is nested deeper than ${MAX_INPUT_DEPTH} levels`;
}

/** Whether plain objects and arrays are nested deeper than {@link MAX_INPUT_DEPTH}. Instances of classes are not looked into. */
export function isTooDeep(value: unknown): boolean {
  return isPlain(value) && isDeeperThan(value, MAX_INPUT_DEPTH);
}

/** It walks by `for … in`, which makes no list of the values. */
function isDeeperThan(container: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(container)) {
    for (const item of container as readonly unknown[]) {
      if (isPlain(item) && isDeeperThan(item, levels - 1)) return true;
    }
    return false;
  }
  for (const key in container) {
    const value = (container as Readonly<Record<string, unknown>>)[key];
    if (isPlain(value) && isDeeperThan(value, levels - 1)) return true;
  }
  return false;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
