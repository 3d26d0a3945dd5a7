/**
 * A value as JSON; undefined where JSON has nothing for it. A bigint is the text of its digits, and half of a surrogate
 * pair, which no encoding has, is U+FFFD. @throws TypeError for what JSON cannot hold
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
 * The JSON of a handler's value, `null` for undefined. JSON writes a `Map` as `{}` and `NaN` as `null`, in silence:
 * only a text that has either is walked. @throws TypeError that says what is wrong, and where: `tags[0] is NaN`
 */
export function toDataText(value: unknown, key = 'The handler'): string {
  try {
    const text = toJsonText(value) ?? 'null';
    // Most texts have no two l, which are looked for in a fifth of the time: a tenth of a list of 100.
    const hasNull = text.includes('ll') && text.includes('null');
    const lie = hasNull || text.includes('{}') ? findLie(value) : undefined;
    if (lie === undefined) return text;
    throw new TypeError(lie.startsWith(' ') ? `it${lie}` : lie.replace(/^\./, ''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${key} returned a value that cannot be written as JSON: ${reason}`, {
      cause,
    });
  }
}

/** The first part that JSON writes as something else: `.lines[0].sku is NaN`. */
function findLie(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ` is ${value}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Date && Number.isNaN(value.getTime())) return ' is an invalid Date';
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return findLie(Reflect.apply(toJSON, value, ['']));
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const names = Object.keys(value);
  // Nothing of a `Map`, a `Set` or a promise is a field.
  const isData = /^(Object|Array|String|Number|Boolean)$/.test(tag) || ArrayBuffer.isView(value);
  if (names.length === 0) return isData ? undefined : ` is a ${tag}`;
  for (const name of names) {
    const lie = findLie((value as Readonly<Record<string, unknown>>)[name]);
    if (lie !== undefined) return tag === 'Array' ? `[${name}]${lie}` : `.${name}${lie}`;
  }
  return undefined;
}
