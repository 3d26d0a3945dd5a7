import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseCookies } from 'cookie';
import { parse as parseQuery } from 'fast-querystring';
import type { SentField } from '../capability/http.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, type MaybePromise, type Outcome } from '../errors/failure.ts';
import type { RawHeaders } from '../http/exchange.ts';
import {
  type InputFields,
  toFieldValue,
  toInputFields,
  toInputPlan,
} from '../input/input-fields.ts';
import type { MultipartLimits } from '../input/multipart-limits.ts';
import { parseJsonBody } from '../input/safe-input.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { Route } from '../routing/route.ts';
import type { Lens } from '../schema/lens.ts';
import type { RestRequest } from './request-handler.ts';

/** A route as the transport serves it. */
export interface RestRoute
  extends Pick<Route<Operation>, 'operation' | 'method' | 'path' | 'routerPath' | 'params'> {
  /** The fields that headers and cookies carry. */
  readonly sent: readonly SentField[];
  /** The headers of every response, besides. */
  readonly headers: RawHeaders;
  /** The plan by which query, path and form become values; the first request makes it. */
  plan: Lens | undefined;
  /** Whether the parameters of the path are texts in the input, too; the first request finds it. */
  hasTextParams: boolean | undefined;
}

const { BadRequest, Forbidden, PayloadTooLarge, UnsupportedMediaType } = defaultErrors;

/** Checks a body before anything runs, and reads it; a multipart form is read once the guards have passed. */
export function receiveBody(
  request: RestRequest,
  operation: Operation,
  done: (request: RestRequest, operation: Operation, refusal?: Failure) => void,
): void {
  const { exchange, responder } = request;
  const { maxBodySize, multipart } = responder.parts.settings;
  const headers = exchange.headers as IncomingHttpHeaders;
  const length = exchange.bodyLength;
  const takesForm = operation.definition.form === true;
  const kind = matchBodyKind(headers['content-type'], headers['content-encoding'], takesForm);
  const isForm = kind === 'form' || (kind === 'multipart' && multipart !== undefined);
  if (kind !== 'json' && isFromAnotherSite(headers, responder.parts.cors.trusts)) {
    const { cookie, authorization } = headers;
    // A request with a token may: a browser adds none by itself, and asks before a page may.
    const isAdded = /^\s*(basic|digest|negotiate|ntlm)\b/i.test(authorization ?? '');
    const isChange = operation.intent !== 'query' && (isAdded || cookie !== undefined);
    if (isChange || (isForm && length !== 0 && (isAdded || authorization === undefined)))
      return done(
        request,
        operation,
        failure(Forbidden, 'Changes that pages of other sites ask for are not accepted'),
      );
  }
  request.bodyKind = isForm && length !== 0 ? kind : 'json';
  if (length === 0 || request.bodyKind === 'multipart') return done(request, operation);
  // A body that cannot be read may still be an empty one.
  const maxBytes = kind === 'json' || kind === 'form' ? maxBodySize : 0;
  if (length > maxBytes) return done(request, operation, toRefusal(kind, maxBodySize));
  request.arm();
  request.watchLeave();
  exchange.readBytes(maxBytes, (bytes) => {
    if (bytes === 'too long') return done(request, operation, toRefusal(kind, maxBodySize));
    if (bytes === 'broken off')
      return done(
        request,
        operation,
        failure(BadRequest, 'The request body broke off before its end'),
      );
    request.rawBody = bytes;
    if (request.isOpen) done(request, operation);
  });
}

type BodyKind = 'json' | 'multipart' | 'form';

/** A body without a type is not JSON: a page of another site can send it without asking first. */
function matchBodyKind(
  header = '',
  encoding: string | undefined,
  takesForm: boolean,
): BodyKind | Failure {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return unsupported(
      `Content encoding '${encoding.slice(0, 40)}' is not supported; send the body as it is`,
    );
  if (header === 'application/json') return 'json';
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (type === 'multipart/form-data') return 'multipart';
  const isForm = takesForm && type === 'application/x-www-form-urlencoded';
  if (!isForm && !/^application\/(json|[^\s/]+\+json)$/.test(type)) {
    const fault = `Content type '${type.slice(0, 100)}' is not supported`;
    const what = type === '' ? 'The request body has no content type' : fault;
    return unsupported(`${what}; send application/json or multipart/form-data`);
  }
  const [charset = 'utf-8'] = parameters.flatMap(
    (each) => /^charset\s*=\s*"?(.*?)"?$/.exec(each)?.[1] ?? [],
  );
  if (charset !== 'utf-8' && charset !== 'utf8')
    return unsupported(`Charset '${charset.slice(0, 40)}' is not supported; send UTF-8`);
  return isForm ? 'form' : 'json';
}

function unsupported(message: string): Failure {
  return failure(UnsupportedMediaType, message);
}

function toRefusal(kind: BodyKind | Failure, maxBodySize: number): Failure {
  if (typeof kind !== 'string') return kind;
  if (kind === 'multipart')
    return unsupported('Forms are not accepted here; send application/json');
  return failure(PayloadTooLarge, `The request body is larger than ${maxBodySize} bytes`);
}

/**
 * Whether a page of another site sent a request that is not JSON, which a browser does without a preflight. It says so
 * in `Sec-Fetch-Site` or, an older one, in `Origin`; a caller that says neither is not a browser.
 */
function isFromAnotherSite(
  { host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  trusts: (origin: string) => boolean,
): boolean {
  if (site === 'same-origin' || site === 'none') return false;
  if (site === undefined && (origin === undefined || origin.split('://')[1] === host)) return false;
  return origin === undefined || !trusts(origin);
}

/** The input of a request: query or body, what headers and cookies are declared to carry, and the path, which wins. */
export function readInput(
  request: RestRequest,
  route: RestRoute,
): MaybePromise<Outcome<InputFields>> {
  const { bodyKind, rawBody = NO_BYTES, responder } = request;
  const { multipart } = responder.parts.settings;
  if (bodyKind === 'json') return addOthers(parseJsonBody(rawBody), request, route);
  if (bodyKind === 'multipart' && multipart !== undefined)
    return readForm(request, route, multipart);
  if (!isUtf8(rawBody))
    return { ok: false, failure: failure(BadRequest, 'The request body is not valid UTF-8') };
  const text =
    bodyKind === 'form' ? rawBody.toString() : request.url.slice(request.path.length + 1);
  const value = text === '' ? {} : toInputFields(parseQuery(text), planOf(route));
  return addOthers({ ok: true, value }, request, route);
}

const NO_BYTES = Buffer.alloc(0);

async function readForm(request: RestRequest, route: RestRoute, limits: MultipartLimits) {
  const { body, headers } = request.exchange;
  const form = { body, contentType: String(headers['content-type']), limits, plan: planOf(route) };
  // The parser is loaded with the first form.
  const { readMultipartBody } = await import('../input/read-multipart-body.ts');
  return addOthers(await readMultipartBody(form), request, route);
}

function addOthers(
  input: Outcome<InputFields>,
  request: RestRequest,
  route: RestRoute,
): Outcome<InputFields> {
  if (!input.ok) return input;
  if (route.sent.length > 0) addSentFields(input.value, request, route);
  for (const name of route.params) {
    const text = request.params[name];
    if (text !== undefined) input.value[name] = toFieldValue(planOf(route).inside(name), [text]);
  }
  return input;
}

/** Many capabilities of a server are not called in its first minutes, and a plan takes longer to make than a route. */
function planOf(route: RestRoute): Lens {
  return (route.plan ??= toInputPlan(route.operation.definition.schema));
}

/** Whether the parameters are texts in the input: a schema that takes more makes something else of these texts. */
export function hasTextParams(route: RestRoute): boolean {
  return route.params.every((name) => {
    const reading = planOf(route).inside(name)?.reading;
    const isText = (text: string): boolean => reading?.coerce(text) === text;
    return (
      reading === undefined ||
      (reading.list === 'never' && ['1.5e3', 'true', 'false'].every(isText))
    );
  });
}

/** Fields that a header or a cookie carries come from there alone. */
function addSentFields(input: InputFields, { headers }: RestRequest, route: RestRoute): void {
  // Of two with one name the first counts, which is the one of the longer path (RFC 6265, 5.4).
  const cookies = parseCookies(headers.cookie ?? '');
  for (const { field, in: place, name } of route.sent) {
    delete input[field];
    const sent =
      place === 'cookie' ? cookies[name]?.replace(/^"(.*)"$/, '$1') : headers[name]?.toString();
    if (sent === undefined) continue;
    const lens = planOf(route).inside(field);
    const isList = place === 'header' && lens !== undefined && lens.reading.list !== 'never';
    input[field] = toFieldValue(lens, isList ? sent.split(',').map((item) => item.trim()) : [sent]);
  }
}
