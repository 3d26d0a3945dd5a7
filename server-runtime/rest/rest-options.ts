import type { ServerOptions as HttpsOptions } from 'node:https';
import { expectKind } from '../capability/definition.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { GUARD, type Guard } from '../capability/guard.ts';
import { expectNoParams } from '../capability/guard-call.ts';
import {
  expectInteger,
  expectKnownOptions,
  expectTimeout,
  type OptionNames,
} from '../errors/expect-options.ts';
import { createBodyMatcher, type MatchBody } from '../http/body-plan.ts';
import { type Cors, type CorsOptions, type HeaderNames, toCors } from '../http/cors.ts';
import { type Envelope, toEnvelope } from '../http/envelope.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { type LimitOptions, type Limits, toLimits } from '../http/limits.ts';
import { type CallerFinder, type TrustProxy, toCallerFinder } from '../http/trust-proxy.ts';
import {
  type MultipartLimits,
  type MultipartOptions,
  toMultipartLimits,
} from '../input/multipart-limits.ts';
import { type DocsOptions, docsOptionNames } from '../openapi/openapi-document.ts';
import { type UrlCase, urlCases } from '../routing/infer-route.ts';
import { toPrefix } from '../routing/path-pattern.ts';
import type { RouteOverrides } from '../routing/route.ts';
import { type Mount, type MountedFetch, toMounts } from './mounted.ts';

/**
 * The options of serving capabilities over HTTP. `Key` are the keys that `overrides` may name: `{…} satisfies
 * RestOptions<KeyOf<typeof capabilities>>` completes and checks them. `Own` are capabilities of this transport.
 */
export interface RestOptions<Key extends string = string, Own extends GroupTree = GroupTree> {
  /** 0 lets the system choose. @default 3000 */
  readonly port?: number | undefined;
  /** The address to listen at, or a name of it. @default every address of the machine, as for an empty text */
  readonly host?: string | undefined;
  /** Path of a Unix socket to listen at, in place of `port`. */
  readonly unix?: string | undefined;
  /** Key and certificate, as for `node:https`. @default HTTP */
  readonly https?: HttpsOptions | undefined;
  /** Case of group and capability names in paths. @default 'kebab' */
  readonly urlCase?: UrlCase | undefined;
  /** Before every path, those of `docs` too: `/api`. @default none */
  readonly prefix?: string | undefined;
  /** Routes in place of the inferred ones, by key. */
  readonly overrides?: RouteOverrides<Key> | undefined;
  /** The JSON around data and errors: of `defineEnvelope`, or a preset. @default dataEnvelope */
  readonly envelope?: Envelope | undefined;
  /** Compresses answers of text of 1 KiB and more, except event streams: brotli, else gzip. @default false */
  readonly compression?: boolean | undefined;
  /** Adds an entity tag to answers to GET, and sends 304 to a caller whose copy has the same tag. @default false */
  readonly etag?: boolean | undefined;
  /** Cross-origin requests; `false` answers none. @default every origin, without credentials */
  readonly cors?: CorsOptions | false | undefined;
  /**
   * Headers by which browsers protect an API, on every response: no sniffing of types, no frames, no scripts, HTTPS
   * from now on. An object changes them by name, and `false` leaves one out: `{'x-frame-options': 'SAMEORIGIN'}`.
   * @default false
   */
  readonly securityHeaders?: boolean | Readonly<Record<string, string | false>> | undefined;
  /** The proxies to trust for the address of the caller: their number, or their addresses. @default false */
  readonly trustProxy?: TrustProxy | undefined;
  /** Limits of connections, requests and slow callers. */
  readonly limits?: LimitOptions | undefined;
  /** Limits of forms; `false` accepts none. @default 10 files of 5 MiB, 1 MiB of texts, 1000 parts */
  readonly multipart?: MultipartOptions | false | undefined;
  /** The longest JSON body, bytes. @default 1048576 (1 MiB) */
  readonly maxBodySize?: number | undefined;
  /** The time of a request, milliseconds; `withTimeout` replaces it. @default the server's, 30000 */
  readonly timeoutMs?: number | undefined;
  /** The time that an event stream may be silent before a heartbeat, milliseconds. @default 15000 */
  readonly heartbeatMs?: number | undefined;
  /** Serves the document at `/openapi.json`, and a page of Swagger UI, from a CDN, at `/docs`. @default false */
  readonly docs?: boolean | ServedDocsOptions | undefined;
  /** Takes calls by key, `POST /_call/users.getUser`, for `createClient` of `capix/client`. @default false */
  readonly calls?: boolean | undefined;
  /**
   * Handlers of `Request` to `Response` that answer all at a path, behind the prefix, and below it:
   * `{ '/auth': (request) => auth.handler(request) }`. They are outside of context, guards and middleware.
   */
  readonly mounts?: Readonly<Record<`/${string}`, MountedFetch>> | undefined;
  /** Capabilities of this transport, in place of the application's. */
  readonly capabilities?: Own | undefined;
}

/** The document and its page, as a server serves them. */
export interface ServedDocsOptions extends DocsOptions {
  /** The guards of the document and its page: all of them must let a caller pass. @default everybody */
  readonly guards?: readonly Guard[] | undefined;
}

const servedDocsOptionNames: OptionNames<ServedDocsOptions> = {
  ...docsOptionNames,
  guards: true,
};

const restOptionNames: OptionNames<RestOptions> = {
  port: true,
  host: true,
  unix: true,
  https: true,
  urlCase: true,
  prefix: true,
  overrides: true,
  envelope: true,
  compression: true,
  etag: true,
  cors: true,
  securityHeaders: true,
  trustProxy: true,
  limits: true,
  multipart: true,
  maxBodySize: true,
  timeoutMs: true,
  heartbeatMs: true,
  docs: true,
  calls: true,
  mounts: true,
  capabilities: true,
};

/** The options, valid and with every default applied. */
export interface RestSettings
  extends Pick<RestOptions, 'host' | 'unix' | 'https' | 'timeoutMs' | 'capabilities'> {
  readonly port: number;
  readonly urlCase: UrlCase;
  /** An empty text for none. */
  readonly prefix: string;
  readonly overrides: RouteOverrides;
  readonly envelope: Envelope;
  readonly compression: boolean;
  readonly etag: boolean;
  /** Makes the CORS headers once a server starts. @throws TypeError for an origin that is undefined */
  readonly cors: (names: HeaderNames) => Cors;
  /** Whether every page may read, because the code declares no origins. */
  readonly isOpenByDefault: boolean;
  readonly securityHeaders: RawHeaders;
  readonly trustProxy: CallerFinder | undefined;
  /** Those of connections and requests. */
  readonly limits: Limits;
  /** Undefined where no forms are taken. */
  readonly multipart: MultipartLimits | undefined;
  readonly matchBody: MatchBody;
  readonly maxBodySize: number;
  readonly heartbeatMs: number;
  /** Undefined where no document is served. */
  readonly docs: ServedDocsOptions | undefined;
  readonly calls: boolean;
  readonly mounts: readonly Mount[];
}

/** @throws TypeError or RangeError that names the option, its value and the values that are allowed */
export function toRestSettings(options: RestOptions, owner = 'restTransport'): RestSettings {
  expectKnownOptions(owner, options, restOptionNames);
  const { host, urlCase = 'kebab', overrides = {}, multipart } = options;
  const { port = 3000, maxBodySize = 1024 * 1024, timeoutMs, heartbeatMs = 15_000 } = options;
  expectInteger('restTransport maxBodySize', maxBodySize, { min: 0 });
  if (timeoutMs !== undefined) expectTimeout(timeoutMs, 'restTransport timeoutMs');
  expectRouting(urlCase, overrides);
  const prefix = toPrefix(options.prefix);
  return {
    port: expectInteger('restTransport port', port, { min: 0, max: 65_535 }),
    host: host === '' ? undefined : host,
    unix: options.unix,
    https: options.https,
    urlCase,
    prefix,
    overrides,
    envelope: toEnvelope(options.envelope),
    compression: Boolean(options.compression),
    etag: Boolean(options.etag),
    cors: toCors(options.cors),
    isOpenByDefault: options.cors === undefined,
    securityHeaders: toSecurityHeaders(options.securityHeaders),
    trustProxy: toCallerFinder(options.trustProxy),
    limits: toLimits(options.limits),
    multipart: multipart === false ? undefined : toMultipartLimits(multipart),
    maxBodySize,
    matchBody: createBodyMatcher({ maxBodySize, takesMultipart: multipart !== false }),
    timeoutMs,
    heartbeatMs: expectTimeout(heartbeatMs, 'restTransport heartbeatMs'),
    docs: toServedDocs(options.docs),
    calls: Boolean(options.calls),
    mounts: toMounts(options.mounts ?? {}, prefix, owner),
    capabilities: options.capabilities,
  };
}

function expectRouting(urlCase: unknown, overrides: unknown): void {
  if (!(urlCases as readonly unknown[]).includes(urlCase))
    throw new TypeError(
      `restTransport urlCase: expected 'kebab', 'snake' or 'camel', got '${String(urlCase)}'.`,
    );
  if (typeof overrides !== 'object' || Array.isArray(overrides))
    throw new TypeError(
      "restTransport overrides: expected { 'users.getUser': { method: 'GET', path: '/people' } }.",
    );
}

function toServedDocs(docs: RestOptions['docs']): ServedDocsOptions | undefined {
  if (docs === undefined || docs === false) return undefined;
  if (docs === true) return {};
  expectKnownOptions('restTransport({docs})', docs, servedDocsOptionNames);
  expectGuards(docs);
  return docs;
}

/** @throws TypeError for guards that are named and are none, as one from a configuration may be undefined */
function expectGuards(docs: ServedDocsOptions): void {
  if (!('guards' in docs)) return;
  const wanted = 'restTransport({docs}) guards: expected a list of what defineGuard(…) makes';
  const guards = expectKind<readonly Guard[]>(docs.guards, Array.isArray, wanted);
  for (const guard of guards) expectKind(guard, (value) => GUARD in Object(value), wanted);
  expectNoParams('restTransport({docs})', guards);
}

/** The headers of helmet that say something of an API. */
const securityHeaders: Readonly<Record<string, string | false>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

function toSecurityHeaders(own: RestOptions['securityHeaders'] = false): RawHeaders {
  if (own === false) return [];
  const changes = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.entries({ ...securityHeaders, ...Object.fromEntries(changes) }).flatMap(
    ([name, value]) => {
      if (value === false) return [];
      if (typeof value === 'string' && /^[\w-]+$/.test(name) && !/[^\t\x20-\x7e]/.test(value))
        return [name, value];
      throw new TypeError(
        `restTransport securityHeaders: ${name} cannot be ${JSON.stringify(value)}.`,
      );
    },
  );
}
