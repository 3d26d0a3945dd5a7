/**
 * A value as JSON; undefined where JSON has nothing for it. A bigint becomes the text of its digits, and half of a
 * surrogate pair, which no encoding has, becomes U+FFFD. @throws TypeError for a value that JSON cannot hold
 */
export function toJsonText(value: unknown): string | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = JSON.stringify(value, (_name, each: unknown) =>
      typeof each === 'bigint' ? String(each) : each,
    );
  }
  // JSON escapes such a half, and no other letter.
  return text?.includes('\\ud') === true
    ? text.replaceAll(/(?<!\\)((?:\\\\)*)\\ud[89a-f]../g, '$1\u{fffd}')
    : text;
}

/**
 * The JSON of a handler's value, `null` for undefined. In silence, `JSON.stringify` writes a `Map` as `{}`, `NaN` as
 * `null` and a typed array as `{"0":…}`. Only a text that holds one of these makes this function walk the value.
 * @throws TypeError that says what is wrong, and where: `tags[0] is NaN`
 */
export function toDataText(value: unknown, key = 'The handler'): string {
  try {
    const text = toJsonText(value) ?? 'null';
    if (!mayLie(text)) return text;
    const lie = findLie(value);
    if (lie === undefined) return text;
    const where = lie.path.replace(/^\./, '');
    throw new TypeError(`${where === '' ? 'it' : where} is ${lie.what}`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${key} returned a value that cannot be written as JSON: ${reason}`, {
      cause,
    });
  }
}

/**
 * Whether the text holds what a value that JSON cannot say becomes. A search takes as long as its first letter is
 * frequent: a text has fewer `{` than `0` or `"`, and most have no two `l`.
 */
function mayLie(text: string): boolean {
  if (text.includes('{}') || text.includes('{"0":')) return true;
  return text.includes('ll') && text.includes('null');
}

/** A part that JSON writes as something else: `{ path: '.lines[0].sku', what: 'NaN' }`. */
interface Lie {
  readonly path: string;
  readonly what: string;
}

/** The first of them. */
function findLie(value: unknown): Lie | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { path: '', what: String(value) };
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Date && Number.isNaN(value.getTime()))
    return { path: '', what: 'an invalid Date' };
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return findLie(Reflect.apply(toJSON, value, ['']));
  return findLieWithin(value);
}

function findLieWithin(value: object): Lie | undefined {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (ArrayBuffer.isView(value)) return { path: '', what: `a ${tag}` };
  const names = Object.keys(value);
  // Nothing of a `Map`, a `Set` or a promise is a field.
  const isData = /^(Object|Array|String|Number|Boolean)$/.test(tag);
  if (names.length === 0) return isData ? undefined : { path: '', what: `a ${tag}` };
  for (const name of names) {
    const lie = findLie((value as Readonly<Record<string, unknown>>)[name]);
    if (lie === undefined) continue;
    const step = tag === 'Array' ? `[${name}]` : `.${name}`;
    return { path: step + lie.path, what: lie.what };
  }
  return undefined;
}
