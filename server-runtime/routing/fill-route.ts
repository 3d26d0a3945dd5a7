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
}

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an input at their places in a request. */
export interface FilledRoute {
  /** Path and query. */
  readonly url: string;
  /** The fields of the body: none of GET and DELETE. */
  readonly rest: Fields;
  /** The headers of declared fields, with the cookies in one. */
  readonly headers: Readonly<Record<string, string>>;
}

export function fillRoute({ method, path, sent = [] }: CalledRoute, input: unknown): FilledRoute {
  const fields: Record<string, unknown> = { ...(input as Fields) };
  const take = (name: string): string | undefined => {
    const { [name]: value } = fields;
    delete fields[name];
    return value === undefined || value === null
      ? undefined
      : [value].flat().map(toParameterText).join(', ');
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
  const others = Object.entries(fields).filter((field) => field[1] !== undefined);
  if (method !== 'GET' && method !== 'DELETE')
    return { url: filled, rest: Object.fromEntries(others), headers };
  const query = others.flatMap(([name, value]) => toQueryFields(name, value)).join('&');
  return { url: query === '' ? filled : `${filled}?${query}`, rest: {}, headers };
}

/** `tags=a`, `filter[state]=open`, `lines[0][sku]=x`, `filter={}`; none of a field without a value. */
function toQueryFields(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const isEmpty = !Array.isArray(value) && Object.keys(value).length === 0;
  if (typeof value !== 'object' || value instanceof Date || isEmpty)
    return [`${encodeURIComponent(name)}=${encodeURIComponent(toParameterText(value))}`];
  const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
  return Object.entries(value).flatMap(([key, each]) =>
    toQueryFields(hasParts ? `${name}[${key}]` : name, each),
  );
}

/** A value as a text in a path, a query, a header or a form. Half of a surrogate pair, which no URL has, is U+FFFD. */
export function toParameterText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'object' && value !== null ? toPlainJson(value) : String(value);
  return text.replaceAll(/\p{Surrogate}/gu, '\u{fffd}');
}

/** A bigint, which JSON has no word for, is the text of its digits. */
export function toPlainJson(value: object): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each,
  );
}
