import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseCookies } from 'cookie';
import { parse as parseQuery } from 'fast-querystring';
import { defaultErrors } from '../errors/default-errors.ts';
import type { ErrorFactory } from '../errors/define-error.ts';
import { failure, type MaybePromise, type Outcome } from '../errors/failure.ts';
import { addParams, type InputFields, toFieldValue, toInputFields, toInputPlan } from '../input/input-fields.ts';
import { type BodyKind, matchContentType } from '../input/match-content-type.ts';
import type { MultipartLimits } from '../input/multipart-limits.ts';
import { parseJsonBody } from '../input/parse-json-body.ts';
import type { Lens } from '../schema/lens.ts';
import type { RestRequest } from './request-handler.ts';
import type { RestSettings } from './rest-options.ts';
import type { ServedOperation } from './rest-pipeline.ts';

/** A body that was received; undefined where the method has none. */
export type ReceivedBody =
  | undefined
  | { readonly kind: 'json' | 'form'; readonly bytes: Buffer }
  | { readonly kind: 'multipart'; readonly limits: MultipartLimits };

/** The type and size of a body are checked before anything runs; a form is read later, once the guards have passed. */
export function receiveBody(
  request: RestRequest,
  { maxBodySize, multipart, cors }: Pick<RestSettings, 'maxBodySize' | 'multipart' | 'cors'>,
  done: (received: Outcome<ReceivedBody>, request: RestRequest) => void,
): void {
  const { exchange, served } = request;
  const headers = exchange.headers as IncomingHttpHeaders;
  const length = exchange.bodyLength;
  const { definition, intent } = served.operation;
  const takesForm = definition.request.form === true;
  const body = matchContentType(headers['content-type'], { encoding: headers['content-encoding'], takesForm });
  if (body.kind !== 'json' && isFromAnotherSite(headers, cors.trusts)) {
    const { cookie, authorization } = headers;
    // A request with a token may: a browser adds none by itself, and asks before a page may.
    const isAdded = /^\s*(basic|digest|negotiate|ntlm)\b/i.test(authorization ?? '');
    const isForm = length !== 0 && (body.kind === 'form' || (body.kind === 'multipart' && multipart !== undefined));
    if (isForm && (isAdded || authorization === undefined))
      return done(refuse(defaultErrors.Forbidden, 'Forms of other sites are not accepted'), request);
    if (intent !== 'query' && (isAdded || cookie !== undefined))
      return done(
        refuse(defaultErrors.Forbidden, 'Changes that pages of other sites ask for are not accepted'),
        request,
      );
  }
  if (length === 0) return done(noBody, request);
  if (body.kind === 'multipart' && multipart !== undefined)
    return done({ ok: true, value: { kind: 'multipart', limits: multipart } }, request);
  const { kind } = body;
  const isRead = kind === 'json' || kind === 'form';
  // A body that cannot be read may still be an empty one.
  const maxBytes = isRead ? maxBodySize : 0;
  if (length > maxBytes) return done(refuseBody(body, maxBodySize), request);
  request.arm();
  request.watchLeave();
  exchange.readBytes(maxBytes, (bytes) => {
    if (bytes === 'too long') return done(refuseBody(body, maxBodySize), request);
    if (bytes === 'broken off')
      return done(refuse(defaultErrors.BadRequest, 'The request body broke off before its end'), request);
    if (!request.isOpen) return;
    request.rawBody = bytes;
    done({ ok: true, value: { kind: kind === 'form' ? 'form' : 'json', bytes } }, request);
  });
}

const noBody: Outcome<ReceivedBody> = { ok: true, value: { kind: 'json', bytes: Buffer.alloc(0) } };

function refuse(kind: ErrorFactory, message: string): Outcome<never> {
  return { ok: false, failure: failure(kind, message) };
}

function refuseBody(body: BodyKind, maxBodySize: number): Outcome<never> {
  const { PayloadTooLarge, UnsupportedMediaType } = defaultErrors;
  if (body.kind === 'unsupported') return refuse(UnsupportedMediaType, body.reason);
  return body.kind === 'multipart'
    ? refuse(UnsupportedMediaType, 'Forms are not accepted here; send application/json')
    : refuse(PayloadTooLarge, `The request body is larger than ${maxBodySize} bytes`);
}

/**
 * Whether a page of another site sent a request that is not JSON, which a browser does without a preflight. Browsers
 * say so in `Sec-Fetch-Site`, older ones in `Origin`; a caller that says neither is not a browser. Origins that `cors`
 * names are trusted.
 */
function isFromAnotherSite(
  { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  trusts: (origin: string) => boolean,
): boolean {
  if (site === 'same-origin' || site === 'none') return false;
  if (site === undefined && (origin === undefined || origin.split('://')[1] === (host ?? ''))) return false;
  return origin === undefined || !trusts(origin);
}

/** The input of a request: query or body, what headers and cookies are declared to carry, and the path, which wins. */
export function readInput(request: RestRequest): MaybePromise<Outcome<InputFields>> {
  const { body } = request;
  return body?.kind === 'multipart' ? readForm(request, body.limits) : addOthers(readFields(request, body), request);
}

function readFields(
  { url, path, served }: RestRequest,
  body: Exclude<ReceivedBody, { kind: 'multipart' }>,
): Outcome<InputFields> {
  if (body?.kind === 'json') return parseJsonBody(body.bytes);
  if (body !== undefined && !isUtf8(body.bytes))
    return refuse(defaultErrors.BadRequest, 'The request body is not valid UTF-8');
  const text = body === undefined ? url.slice(path.length + 1) : body.bytes.toString();
  return { ok: true, value: text === '' ? {} : toInputFields(parseQuery(text), planOf(served)) };
}

/** The parser is loaded with the first form. */
async function readForm(request: RestRequest, limits: MultipartLimits): Promise<Outcome<InputFields>> {
  const { readMultipartBody } = await import('../input/read-multipart-body.ts');
  const { body, headers } = request.exchange;
  const contentType = String(headers['content-type']);
  return addOthers(await readMultipartBody({ body, contentType, limits, plan: planOf(request.served) }), request);
}

function addOthers(input: Outcome<InputFields>, request: RestRequest): Outcome<InputFields> {
  if (!input.ok) return input;
  const { served, params } = request;
  if (served.sent.length > 0) addSentFields(input.value, request, served);
  addParams(input.value, params, () => planOf(served));
  return input;
}

/** Many capabilities of a server are not called in its first minutes, and a plan takes longer to make than a route. */
function planOf(served: ServedOperation): Lens {
  return (served.plan ??= toInputPlan(served.operation.definition.schema));
}

/** Texts of which a schema that takes more than texts would make something else. */
const OTHERS = ['1.5e3', 'true', 'false'];

/** Whether the parameters of its paths are texts in the input of an operation, too. */
export function hasTextParams(served: ServedOperation): boolean {
  const plan = planOf(served);
  return served.params.every((name) => {
    const reading = plan.inside(name)?.reading;
    return reading === undefined || (reading.list === 'never' && OTHERS.every((text) => reading.coerce(text) === text));
  });
}

/** Fields that a header or a cookie carries come from there alone. */
function addSentFields(input: InputFields, { headers }: RestRequest, served: ServedOperation): void {
  // Of two with one name the first counts, which is the one of the longer path (RFC 6265, 5.4).
  const cookies = parseCookies(headers.cookie ?? '');
  for (const { field, in: place, name } of served.sent) {
    delete input[field];
    const header = headers[name];
    const sent = Array.isArray(header) ? header.join(', ') : header;
    const text = place === 'cookie' ? cookies[name]?.replace(/^"(.*)"$/, '$1') : sent;
    if (text === undefined) continue;
    const lens = planOf(served).inside(field);
    const isList = place === 'header' && lens !== undefined && lens.reading.list !== 'never';
    input[field] = toFieldValue(lens, isList ? text.split(',').map((item) => item.trim()) : [text]);
  }
}
