import type { IncomingHttpHeaders } from 'node:http';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure } from '../errors/failure.ts';
import { type BodyKind, matchContentType } from '../input/match-content-type.ts';
import type { RestSettings } from './rest-options.ts';
import type { ReceivedBody, RoutedRequest } from './rest-request.ts';

/** The two ends of a body. */
export interface BodyEnds {
  readonly take: (body: ReceivedBody) => void;
  readonly refuse: (reason: Failure) => void;
}

type BodySettings = Pick<RestSettings, 'maxBodySize' | 'multipart' | 'cors'>;

/** The type and size of a body are checked before anything runs; a form is read later, once the guards have passed. */
export function receiveBody(
  { request, served, scope }: RoutedRequest,
  { maxBodySize, multipart, cors }: BodySettings,
  { take, refuse }: BodyEnds,
): void {
  const { exchange } = request;
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
      return refuse(failure(defaultErrors.Forbidden, 'Forms of other sites are not accepted'));
    if (intent !== 'query' && (isAdded || cookie !== undefined))
      return refuse(failure(defaultErrors.Forbidden, 'Changes that pages of other sites ask for are not accepted'));
  }
  if (length === 0) return take({ kind: 'json', bytes: noBytes });
  if (body.kind === 'multipart' && multipart !== undefined) return take({ kind: 'multipart', limits: multipart });
  const isRead = body.kind === 'json' || body.kind === 'form';
  // A body that cannot be read may still be an empty one.
  const maxBytes = isRead ? maxBodySize : 0;
  if (length > maxBytes) return refuse(toBodyFailure(body, maxBodySize));
  request.watchLeave();
  exchange.readBytes(maxBytes, (bytes) => {
    if (bytes === 'too long') return refuse(toBodyFailure(body, maxBodySize));
    if (bytes === 'broken off')
      return refuse(failure(defaultErrors.BadRequest, 'The request body broke off before its end'));
    if (!scope.open) return;
    request.rawBody = bytes;
    take({ kind: body.kind === 'form' ? 'form' : 'json', bytes });
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
 * Whether a page of another site sent a request that is not JSON, which a browser does without a preflight. Browsers
 * say so in `Sec-Fetch-Site`, older ones in `Origin`; a caller that says neither is not a browser. Origins that `cors`
 * names are trusted.
 */
function isFromAnotherSite({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders, trusts: Trusts): boolean {
  if (site === 'same-origin' || site === 'none') return false;
  if (site === undefined && (origin === undefined || origin.split('://')[1] === (host ?? ''))) return false;
  return origin === undefined || !trusts(origin);
}
