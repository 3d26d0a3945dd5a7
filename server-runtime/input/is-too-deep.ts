/** How deep objects and arrays of an input may be nested. What follows walks an input by functions that call themselves. */
const MAX_INPUT_DEPTH = 64;

/** What a caller is told. */
export function tooDeepMessage(subject: 'The request body' | 'The input'): string {
  return `${subject} is nested deeper than ${MAX_INPUT_DEPTH} levels`;
}

/** Whether plain objects and arrays are nested deeper than {@link MAX_INPUT_DEPTH}. Instances of classes are not looked into. */
export function isTooDeep(value: unknown): boolean {
  return isPlain(value) && isDeeperThan(value, MAX_INPUT_DEPTH, isPlain);
}

/** The same of what `JSON.parse` made of `text`, which has no instances of classes. */
export function isJsonTooDeep(value: object, text: string): boolean {
  return mayBeTooDeep(text) && isDeeperThan(value, MAX_INPUT_DEPTH, isObject);
}

/**
 * Whether a JSON text has brackets enough to be too deep. Most have not, and are spared the walk; these are two native searches, and a
 * walk of those that have is 5 % of parsing them, where counting levels in the text would be 25 %.
 */
function mayBeTooDeep(json: string): boolean {
  return json.length > 2 * MAX_INPUT_DEPTH && (hasMany(json, '{') || hasMany(json, '['));
}

/** Half of what is too deep is of one kind. */
function hasMany(json: string, bracket: string): boolean {
  let count = 0;
  for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) {
    if (++count > MAX_INPUT_DEPTH / 2) return true;
  }
  return false;
}

type IsContainer = (value: unknown) => value is object;

/** By `for … in`, which makes no list of the values. */
function isDeeperThan(container: object, levels: number, isContainer: IsContainer): boolean {
  if (levels === 0) return true;
  if (Array.isArray(container)) {
    for (const item of container as readonly unknown[]) {
      if (isContainer(item) && isDeeperThan(item, levels - 1, isContainer)) return true;
    }
    return false;
  }
  for (const key in container) {
    const value = (container as Readonly<Record<string, unknown>>)[key];
    if (isContainer(value) && isDeeperThan(value, levels - 1, isContainer)) return true;
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: unknown): value is object {
  if (!isObject(value)) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
