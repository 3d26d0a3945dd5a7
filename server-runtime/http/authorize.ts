import type { IncomingHttpHeaders } from 'node:http';
import { defaultErrors } from '../errors/define-error.ts';
import { type Outcome, toFailure } from '../errors/failure.ts';
import type { Logger } from '../server/logger.ts';

/** The facts about a caller, before anything of the request is read. */
export interface AuthorizeRequest {
  /** The token of `Authorization: Bearer …`; undefined without one. */
  readonly token: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The address of the caller, if known; behind proxies, the one that `trustProxy` finds. */
  readonly remoteAddress: string | undefined;
}

/**
 * Decides about a caller: returns its identity, which contexts get as `identity`, or nothing to refuse it. Throw an
 * error of your own with status 401 or 403 to give a reason.
 */
export type Authorize = (request: AuthorizeRequest) => unknown;

export function findBearerToken({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/**
 * Finds the identity of a caller, or the reason to refuse it. Never rejects: an unexpected error goes to the log, under
 * `owner`.
 */
export async function admitCaller(
  authorize: Authorize | undefined,
  request: AuthorizeRequest,
  { owner, logger }: { readonly owner: string; readonly logger: Logger | undefined },
): Promise<Outcome> {
  if (authorize === undefined) return { ok: true, value: undefined };
  try {
    const identity = await authorize(request);
    const isKnown = identity !== undefined && identity !== null && identity !== false;
    if (isKnown) return { ok: true, value: identity };
    const { token } = request;
    throw defaultErrors.Unauthorized(
      token === undefined ? 'A bearer token is needed.' : 'The bearer token is not accepted.',
    );
  } catch (error) {
    const reason = toFailure(error);
    if (reason.unexpected === true)
      logger?.error(`[capix] authorize of ${owner} failed`, { error: reason.cause });
    return { ok: false, failure: reason };
  }
}
