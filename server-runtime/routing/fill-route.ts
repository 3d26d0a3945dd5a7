// The client carries this file: it imports nothing.

/** The way in which an operation is called over HTTP. */
export interface CalledRoute {
  readonly method: string;
  /** `/users/:id` or `/users/{id}` */
  readonly path: string;
  /** The fields in headers and cookies. */
  readonly sent?:
    | readonly { readonly field: string; readonly in: 'header' | 'cookie'; readonly name: string }[]
    | undefined;
  /** The field that is the whole body, in the first of these media types. */
  readonly body?: { readonly field: string; readonly types: readonly string[] } | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an input at their places in a request. */
export interface FilledRoute {
  /** Path and query. */
  readonly url: string;
  /** The fields of the body: none of GET and DELETE, and where one of them is all of it. */
  readonly rest: Fields;
  /** The field that is the whole body, where it has a value. */
  readonly whole?: { readonly value: unknown; readonly type: string } | undefined;
  /** The headers of declared fields, with the cookies in one. */
  readonly headers: Readonly<Record<string, string>>;
}

export function fillRoute(
  { method, path, sent = [], body }: CalledRoute,
  input: unknown,
): FilledRoute {
  const fields = (input ?? {}) as Fields;
  // An object from which a field is deleted is slow from then on.
  const taken = new Set<string>();
  const take = (name: string): string | undefined => {
    const value = taken.has(name) ? undefined : fields[name];
    taken.add(name);
    if (value === undefined || value === null) return undefined;
    return [value].flat().map(toParameterText).join(', ');
  };
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const { field, in: place, name } of sent) {
    const text = take(field);
    if (text !== undefined && place === 'header') headers[name] = text;
    else if (text !== undefined) cookies.push(`${name}=${encodeURIComponent(text)}`);
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const filled = path.replace(
    /(?<=\/)[:*](\w+)|{(.+?)}/g,
    (whole, name: string | undefined, other: string) => {
      const text = take(name ?? other);
      return text === undefined ? whole : encodeURIComponent(text);
    },
  );
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const whole = hasBody ? takeWhole(body, fields, taken) : undefined;
  const others = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && !taken.has(name),
  );
  if (hasBody && !body) return { url: filled, rest: Object.fromEntries(others), headers };
  const query = others.map(([name, value]) => toQueryText(name, value)).join('');
  return { url: filled + query.replace('&', '?'), rest: {}, headers, whole };
}

/** The address of a path and a query below a base, which may have a query itself: the key of a gateway. */
export function toAddress(base: string | URL, url: string): string {
  const parts = /^(.*?)\/*(\?.*)?$/.exec(`${base}`);
  const query = parts?.[2];
  return parts?.[1] + (query ? url.replace(/\?|$/, (mark) => query + (mark && '&')) : url);
}

/** Takes the field that is the whole body. */
function takeWhole(
  body: CalledRoute['body'],
  fields: Fields,
  taken: Set<string>,
): FilledRoute['whole'] {
  if (!body) return undefined;
  const { field, types } = body;
  const value = taken.has(field) ? undefined : fields[field];
  taken.add(field);
  return value === undefined ? undefined : { value, type: types[0] ?? 'application/json' };
}

/** A whole body as its media type writes it: JSON, a line of JSON for each item, or a text. */
export function toWholeText({ value, type }: NonNullable<FilledRoute['whole']>): string {
  const toJson = (each: unknown): string =>
    typeof each === 'object' && each !== null ? toPlainJson(each) : JSON.stringify(each);
  if (/[/+]json$/i.test(type)) return toJson(value);
  const isLines = /\/(x-)?(ndjson|jsonl|jsonlines)$/i.test(type);
  // An empty line is not an item. An empty body would not say that it is a list.
  if (isLines && Array.isArray(value))
    return value.map((each) => `${toJson(each)}\n`).join('') || '\n';
  return toParameterText(value);
}

/** `&tags=a`, `&filter[state]=open`, `&lines[0][sku]=x`, `&filter={}`; none of a field without a value. */
function toQueryText(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  const isList = Array.isArray(value);
  // A date has no keys.
  if (typeof value !== 'object' || (!isList && Object.keys(value).length === 0))
    return `&${encodeURIComponent(name)}=${encodeURIComponent(toParameterText(value))}`;
  const hasParts = !isList || value.some((each) => typeof each === 'object');
  return Object.entries(value)
    .map(([key, each]) => toQueryText(hasParts ? `${name}[${key}]` : name, each))
    .join('');
}

/** A value as a text in a path, a query, a header or a form. Half of a surrogate pair, which no URL has, is U+FFFD. */
export function toParameterText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'object' && value !== null ? toPlainJson(value) : String(value);
  return /[\ud800-\udfff]/.test(text) ? text.replaceAll(/\p{Surrogate}/gu, '\u{fffd}') : text;
}

/** A bigint, which JSON has no word for, is the text of its digits. A look at each value takes twice as long. */
export function toPlainJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_name, each: unknown) =>
      typeof each === 'bigint' ? String(each) : each,
    );
  }
}
