import { isUtf8 } from 'node:buffer';
import { parse as parseQuery } from 'fast-querystring';
import type { SentField } from '../capability/http.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { failure, type Outcome } from '../errors/failure.ts';
import { addParams, type InputFields, toFieldValue, toInputFields } from '../input/input-fields.ts';
import type { MultipartLimits } from '../input/multipart-limits.ts';
import { parseJsonBody } from '../input/parse-json-body.ts';
import type { PathParams } from '../routing/create-matcher.ts';
import type { Lens } from '../schema/lens.ts';
import type { RestRequest } from './rest-request.ts';
import type { ServedOperation } from './served-routes.ts';

/** The sources of one request's input, besides its body. */
export interface InputParts {
  readonly request: RestRequest;
  readonly served: ServedOperation;
  readonly params: PathParams;
}

/** Query and path, for methods without a body; the path wins. */
export function toQueryInput(parts: InputParts): Outcome {
  return toTextInput(parts, parts.request.query);
}

/** The body of a form that is written as a query is, and path; the path wins. */
export function toFormTextInput(parts: InputParts, bytes: Buffer): Outcome {
  if (isUtf8(bytes)) return toTextInput(parts, bytes.toString('utf8'));
  return { ok: false, failure: failure(defaultErrors.BadRequest, 'The request body is not valid UTF-8') };
}

function toTextInput(parts: InputParts, text: string): Outcome {
  const input = text === '' ? {} : toInputFields(parseQuery(text), parts.served.plan());
  addOthers(input, parts);
  return { ok: true, value: input };
}

/** Headers and cookies that are declared, and the path, which wins. */
function addOthers(input: InputFields, { request, served, params }: InputParts): void {
  if (served.sent.length > 0) addSentFields(input, request, served);
  addParams(input, params, served.plan);
}

/** JSON body and path; the path wins. */
export function toJsonInput(parts: InputParts, bytes: Buffer): Outcome {
  const parsed = parseJsonBody(bytes);
  if (parsed.ok) addOthers(parsed.value, parts);
  return parsed;
}

/** Form and path; the path wins. The parser is loaded with the first form. */
export async function readFormInput(parts: InputParts, limits: MultipartLimits): Promise<Outcome> {
  const { readMultipartBody } = await import('../input/read-multipart-body.ts');
  const { body, headers } = parts.request.exchange;
  const parsed = await readMultipartBody({
    body,
    contentType: String(headers['content-type']),
    limits,
    plan: parts.served.plan(),
  });
  if (parsed.ok) addOthers(parsed.value, parts);
  return parsed;
}

/** Fields that a header or a cookie carries come from there alone. */
export function addSentFields(
  input: InputFields,
  { exchange: { headers } }: RestRequest,
  { sent, plan }: { readonly sent: readonly SentField[]; readonly plan: () => Lens },
): void {
  let cookies: ReadonlyMap<string, string> | undefined;
  for (const { field, in: place, name } of sent) {
    delete input[field];
    if (place === 'cookie') cookies ??= parseCookies(headers['cookie']);
    const text = place === 'cookie' ? cookies?.get(name) : toText(headers[name]);
    if (text === undefined) continue;
    const lens = plan()
      .narrow((other) => input[other])
      .inside(field);
    const isList = place === 'header' && lens !== undefined && lens.reading.list !== 'never';
    input[field] = toFieldValue(lens, isList ? text.split(',').map((item) => item.trim()) : [text]);
  }
}

function toText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' || header === undefined ? header : header.join(', ');
}

/** The cookies by name; of two with one name the first counts, which is the one of the longer path (RFC 6265, 5.4). */
function parseCookies(header: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header === undefined ? '' : typeof header === 'string' ? header : header.join(';')).split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, toDecoded(pair.slice(at + 1).trim()));
  }
  return cookies;
}

function toDecoded(text: string): string {
  const bare = text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text;
  if (!bare.includes('%')) return bare;
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}
