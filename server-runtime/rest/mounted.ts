import { defaultErrors } from '../errors/define-error.ts';
import { failure } from '../errors/failure.ts';
import { createWebStream, findItemSource, isResponse } from '../resources/item-source.ts';
import { toPrefix } from '../routing/path-pattern.ts';
import type { RestRequest } from './request-handler.ts';
import { openBody } from './whole-body.ts';

/** Answers requests below a path: `auth.handler` of better-auth, an application of Hono, a callback of OAuth. */
export type MountedFetch = (request: Request) => Response | Promise<Response>;

/** A handler of a server that answers every request at its path and below. */
export interface Mount {
  /** With the prefix of the transport: `/api/auth`. */
  readonly path: string;
  /** As metrics and logs name it, where they have a capability else: `/api/auth/*`. */
  readonly name: string;
  readonly handle: MountedFetch;
}

/** Those of the longest paths first. @throws TypeError for an invalid path, and for what is not a function */
export function toMounts(
  mounts: Readonly<Record<string, MountedFetch>>,
  prefix = '',
  owner = 'restTransport',
): readonly Mount[] {
  const made = Object.entries(mounts).map(([at, handle]) => {
    const own = toMountPath(at, owner);
    if (typeof handle !== 'function')
      throw new TypeError(
        `${owner} mounts: ${at} takes a function of a Request, got ${typeof handle}. ` +
          'Write (request) => auth.handler(request).',
      );
    const path = `${prefix}${own}`;
    return { path, name: `${path}/*`, handle };
  });
  return made.toSorted((one, other) => other.path.length - one.path.length);
}

function toMountPath(at: string, owner: string): string {
  try {
    const path = toPrefix(at);
    if (path !== '') return path;
  } catch {
    // The message below says what a path is.
  }
  throw new TypeError(
    `${owner} mounts: expected a path such as '/auth', got ${JSON.stringify(at)}. All below it is answered too.`,
  );
}

/** The faults between mounts and the paths of capabilities and pages, which the mount would hide. */
export function findMountFaults(
  mounts: readonly Mount[],
  routes: readonly { readonly path: string; readonly name: string }[],
): readonly string[] {
  return mounts.flatMap((mount) =>
    routes
      .filter(({ path }) => isBelow(path, mount))
      .map(
        ({ path, name }) =>
          `${path} of ${name} is below ${mount.name}, which is mounted. Move one of them.`,
      ),
  );
}

/** Whether a path is that of a mount or below it. */
export function isBelow(path: string, mount: Pick<Mount, 'path'>): boolean {
  return path === mount.path || path.startsWith(`${mount.path}/`);
}

export function findMount(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.find((mount) => isBelow(path, mount));
}

/** Answers a request that is for one of them; false for another one. */
export function takeMounted(request: RestRequest, mounts: readonly Mount[]): boolean {
  const mount = findMount(mounts, request.path);
  if (mount === undefined) return false;
  if (isPreflight(request)) sendPreflight(request);
  else void answerMounted(request, mount);
  return true;
}

/** Other requests of OPTIONS are for the handler. */
function isPreflight({ method, headers }: RestRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** Answers a request of OPTIONS with what pages of other origins may do. */
export function sendPreflight(request: RestRequest): void {
  const { responder, headers: sent } = request;
  const headers = responder.parts.cors.preflightHeadersFor(sent.origin);
  responder.send(request, { status: 204, headers });
}

/** Answers a request by its mount: outside of context, guards and middleware, and within limits, log and metrics. */
async function answerMounted(request: RestRequest, mount: Mount): Promise<void> {
  const { app, settings } = request.responder.parts;
  request.mount = mount;
  request.capability = mount.name;
  request.timeoutMs = settings.timeoutMs ?? app.timeoutMs;
  const { exchange } = request;
  if (NO_REQUEST.test(request.method)) return request.refuse(failure(MethodNotAllowed));
  const url = toUrl(request);
  if (url === undefined || !isBelow(url.pathname, mount))
    return request.refuse(failure(BadRequest, 'The address of the request cannot be read'));
  const { maxBodySize } = settings;
  const tooLong = failure(PayloadTooLarge, `The request body is larger than ${maxBodySize} bytes`);
  if (exchange.bodyLength > maxBodySize) return request.refuse(tooLong);
  request.arm();
  request.watchLeave();
  let isTooLong = false;
  const onTooLong = (): Error => {
    isTooLong = true;
    return PayloadTooLarge(tooLong.message);
  };
  try {
    const response = await mount.handle(toRequest(request, url, onTooLong));
    if (!isResponse(response))
      throw new TypeError(`The handler at ${mount.name} gave no Response, but ${typeof response}.`);
    if (isTooLong) request.fail(tooLong);
    else request.succeed(response);
  } catch (thrown) {
    request.fail(isTooLong ? tooLong : app.toFailure(thrown));
  }
}

const { BadRequest, MethodNotAllowed, PayloadTooLarge } = defaultErrors;
/** The methods that a `Request` cannot have. */
const NO_REQUEST = /^(?:CONNECT|TRACE|TRACK)$/;

/** As the caller wrote it: a proxy that is trusted says by which protocol. */
function toUrl({ exchange, remoteAddress, url, headers }: RestRequest): URL | undefined {
  const isForwarded = remoteAddress !== exchange.remoteAddress;
  const forwarded = isForwarded ? String(headers['x-forwarded-proto'] ?? '').split(',')[0] : '';
  const usual = exchange.isSecure ? 'https' : 'http';
  const protocol = forwarded === 'https' || forwarded === 'http' ? forwarded : usual;
  try {
    return new URL(`${protocol}://${headers.host ?? 'localhost'}${url}`);
  } catch {
    return undefined;
  }
}

function toRequest(request: RestRequest, url: URL, onTooLong: () => Error): Request {
  const { exchange, method, signal, headers: sent, responder } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent)) {
    // HTTP/2 has the host and the path among its headers.
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  if (method === 'GET' || method === 'HEAD' || exchange.bodyLength === 0)
    return new Request(url, { method, headers, signal });
  const { maxBodySize } = responder.parts.settings;
  const source = findItemSource(openBody(exchange, maxBodySize, onTooLong));
  const body = source && createWebStream<Uint8Array>(source);
  return new Request(url, { method, headers, signal, body: body ?? null, duplex: 'half' });
}
