import type { SentField } from '../capability/http.ts';
import { looksSecret } from '../schema/received.ts';

/** The way in which a capability is called over HTTP. */
export interface CalledRoute {
  readonly method: string;
  /** `/users/:id` */
  readonly path: string;
  /** The fields in the path. */
  readonly params: readonly string[];
  /** The fields in headers and cookies. */
  readonly sent?: readonly SentField[] | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an input at their places in a request; `rest` are those of the body: none of GET and DELETE. */
interface FilledRoute {
  readonly url: string;
  readonly rest: Fields;
  readonly headers: Readonly<Record<string, string>>;
}

export function fillRoute({ method, path, params, sent = [] }: CalledRoute, input: unknown): FilledRoute {
  const fields = typeof input === 'object' && input !== null ? (input as Fields) : {};
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const { field, in: place, name } of sent) {
    if (fields[field] === undefined || fields[field] === null) continue;
    const text = [fields[field]].flat().map(toText).join(', ');
    if (place === 'header') headers[name] = text;
    else cookies.push(`${name}=${encodeURIComponent(text)}`);
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const filled = path.replace(/[:*](\w+)/g, (whole, name: string) =>
    fields[name] === undefined ? whole : encodeURIComponent(toText(fields[name])),
  );
  const elsewhere = new Set([...params, ...sent.map(({ field }) => field)]);
  const others = Object.entries(fields).filter(([name, value]) => !elsewhere.has(name) && value !== undefined);
  if (method !== 'GET' && method !== 'DELETE') return { url: filled, rest: Object.fromEntries(others), headers };
  const query = others.flatMap(([name, value]) => toQueryFields(name, value)).join('&');
  return { url: query === '' ? filled : `${filled}?${query}`, rest: {}, headers };
}

/** `tags=a`, `filter[state]=open`, `lines[0][sku]=x`. */
function toQueryFields(name: string, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null)
    return [`${encodeURIComponent(name)}=${encodeURIComponent(toText(value))}`];
  const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
  return Object.entries(value).flatMap(([key, each]) => toQueryFields(hasParts ? `${name}[${key}]` : name, each));
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Pairs = readonly (readonly [name: string, value: string])[];

/** The options of curl for a body of these fields, and of files by their paths: `['-F', 'avatar=@me.png']`. */
export function toBodyOptions(fields: Fields, files: Readonly<Record<string, readonly string[]>>): Pairs {
  const toParts = (flag: string, all: Fields, sign: string): Pairs =>
    Object.entries(all).flatMap(([name, value]) =>
      [value].flat().map((one: unknown) => [flag, `${name}=${sign}${toText(one)}`] as const),
    );
  const parts = toParts('-F', files, '@');
  if (parts.length > 0) return [...toParts('--form-string', fields, ''), ...parts];
  const json = ['-d', JSON.stringify(fields)] as const;
  return Object.keys(fields).length === 0 ? [] : [['-H', 'content-type: application/json'], json];
}

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pairs;
  readonly options: Pairs;
}

/** The command line of a request. A secret is a variable of the shell, so that it does not land in a file or a chat. */
export function toCurlText({ method, url, headers, options }: CurlRequest): string {
  const words = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quote(url)];
  for (const [name, value] of headers)
    words.push('-H', looksSecret(name) ? `"${name}: $${toVariableName(name)}"` : quote(`${name}: ${value}`));
  for (const [flag, text] of options) words.push(flag, quote(text));
  return words.join(' ');
}

/** Stands for a variable of the shell until the text around it is quoted; characters that no text of others has. */
export function toVariable(name: string): string {
  return `\uE000${toVariableName(name)}\uE001`;
}

/** `x-api-key` as `X_API_KEY`. */
export function toVariableName(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

/** In single quotes, where a shell changes nothing; a variable in double ones: `'{"password":"'"$PASSWORD"'"}'`. */
function quote(text: string): string {
  const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return quoted.replaceAll(/\uE000(\w+)\uE001/g, `'"$$$1"'`).replace(/"''$/, '"');
}
