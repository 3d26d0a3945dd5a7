import type { IncomingHttpHeaders } from 'node:http';
import type { InputSource } from '../capability/run-capability.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure } from '../errors/failure.ts';
import type { RequestScope } from '../execution/request-scope.ts';
import { type BodyKind, matchContentType } from '../input/match-content-type.ts';
import { type InputParts, readFormInput, toFormTextInput, toJsonInput } from './input-parts.ts';
import type { RestSettings } from './rest-options.ts';
import type { RestRequest } from './rest-request.ts';

/** The two ends of a body. */
export interface BodyReceiver {
  readonly settings: Pick<RestSettings, 'maxBodySize' | 'multipart' | 'cors'>;
  readonly run: (parts: InputParts, scope: RequestScope, source: InputSource) => void;
  readonly refuse: (request: RestRequest, reason: Failure) => void;
}

/** The type and size of a body are checked before anything runs; a form is read later, once the guards have passed. */
export function receiveBody(parts: InputParts, scope: RequestScope, receiver: BodyReceiver): void {
  const { request } = parts;
  const { exchange } = request;
  const { run, settings } = receiver;
  const { maxBodySize, multipart, cors } = settings;
  const headers = exchange.headers as IncomingHttpHeaders;
  const length = exchange.bodyLength;
  const { operation } = parts.served;
  const body = matchContentType(headers['content-type'], {
    encoding: headers['content-encoding'],
    takesForm: operation.definition.request.form === true,
  });
  const refuse = (reason: Failure): void => {
    if (scope.close()) receiver.refuse(request, reason);
  };
  const takesForm = body.kind === 'form' || (body.kind === 'multipart' && multipart !== undefined);
  if (takesForm && length !== 0 && isForeignForm(headers, cors.trusts))
    return refuse(failure(defaultErrors.Forbidden, 'Forms of other sites are not accepted'));
  if (body.kind !== 'json' && operation.intent !== 'query' && isForeignCall(headers, cors.trusts))
    return refuse(failure(defaultErrors.Forbidden, 'Changes that pages of other sites ask for are not accepted'));
  if (length === 0) return run(parts, scope, { readInput: () => toJsonInput(parts, noBytes) });
  if (body.kind === 'multipart' && multipart !== undefined) {
    return run(parts, scope, { readInput: () => readFormInput(parts, multipart) });
  }
  // A body that cannot be read may still be an empty one.
  const maxBytes = body.kind === 'json' || body.kind === 'form' ? maxBodySize : 0;
  if (length > maxBytes) return refuse(toBodyFailure(body, maxBodySize));
  request.watchLeave();
  exchange.readBytes(maxBytes, (bytes) => {
    if (bytes === 'too long') return refuse(toBodyFailure(body, maxBodySize));
    if (bytes === 'broken off')
      return refuse(failure(defaultErrors.BadRequest, 'The request body broke off before its end'));
    if (!scope.open) return;
    request.rawBody = bytes;
    run(parts, scope, {
      readInput: () => (body.kind === 'form' ? toFormTextInput(parts, bytes) : toJsonInput(parts, bytes)),
    });
  });
}

const noBytes = Buffer.alloc(0);

function toBodyFailure(body: BodyKind, maxBodySize: number): Failure {
  switch (body.kind) {
    case 'json':
    case 'form':
      return failure(defaultErrors.PayloadTooLarge, `The request body is larger than ${maxBodySize} bytes`);
    case 'multipart':
      return failure(defaultErrors.UnsupportedMediaType, 'Forms are not accepted here; send application/json');
    case 'unsupported':
      return failure(defaultErrors.UnsupportedMediaType, body.reason);
  }
}

type Trusts = (origin: string) => boolean;

/**
 * Whether a page of another site sent a form, which a browser does without a preflight. A request with a token may: a
 * browser adds none by itself, and asks before a page may.
 */
function isForeignForm(headers: IncomingHttpHeaders, trusts: Trusts): boolean {
  const { authorization } = headers;
  return (authorization === undefined || addedByBrowsers.test(authorization)) && isFromAnotherSite(headers, trusts);
}

/** Whether a page of another site sent a request without a body, with what a browser adds by itself. */
function isForeignCall(headers: IncomingHttpHeaders, trusts: Trusts): boolean {
  const { cookie, authorization = '' } = headers;
  return (cookie !== undefined || addedByBrowsers.test(authorization)) && isFromAnotherSite(headers, trusts);
}

/**
 * Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`; a caller that says neither is no browser. Origins that
 * `cors` names are trusted.
 */
function isFromAnotherSite({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders, trusts: Trusts): boolean {
  if (site === 'same-origin' || site === 'none') return false;
  if (site === undefined && (origin === undefined || origin.split('://')[1] === (host ?? ''))) return false;
  return origin === undefined || !trusts(origin);
}

/** The schemes of credentials that a browser sends again without being told to. */
const addedByBrowsers = /^\s*(basic|digest|negotiate|ntlm)\b/i;
