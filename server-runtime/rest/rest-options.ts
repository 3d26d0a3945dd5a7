import type { ServerOptions as HttpsOptions } from 'node:https';
import type { GroupTree } from '../capability/group-tree.ts';
import { expectCacheControl } from '../capability/http.ts';
import { expectTimeout } from '../enhancers/with-timeout.ts';
import { expectInteger, expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import { type DocsOptions, expectDocsOptions } from '../http/docs-options.ts';
import { type Envelope, toEnvelope } from '../http/envelope.ts';
import type { RawHeaders } from '../http/exchange.ts';
import type { ListenSettings } from '../http/http-listener.ts';
import { type LimitOptions, toLimits } from '../http/limits.ts';
import { type EtagKind, toEtagKind } from '../http/to-etag-kind.ts';
import { type CallerFinder, type TrustProxy, toCallerFinder } from '../http/trust-proxy.ts';
import { type MultipartLimits, type MultipartOptions, toMultipartLimits } from '../input/multipart-limits.ts';
import type { UrlCase } from '../routing/infer-route.ts';
import { toPrefix } from '../routing/path-pattern.ts';
import type { RouteOverrides } from '../routing/route.ts';
import { type CorsOptions, type CorsSettings, toCorsSettings } from './cors-settings.ts';
import type { Preparation } from './create-prepared-sender.ts';

/** The answers that are compressed. */
export interface CompressionOptions {
  /** The size from which a body is compressed, bytes; smaller ones are sent sooner as they are. @default 1024 */
  readonly minSize?: number | undefined;
}

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
  /** Compresses answers of text for callers that accept it, but for event streams: brotli, else gzip. @default false */
  readonly compression?: boolean | CompressionOptions | undefined;
  /**
   * Gives answers to GET an `ETag` of their bytes, and 304 without a body to who has one already (`If-None-Match`).
   * `true` is `'weak'`.
   * @default false
   */
  readonly etag?: boolean | EtagKind | undefined;
  /** `Cache-Control` of good answers to GET where the capability declares none: `'no-store'`. @default none */
  readonly cacheControl?: string | undefined;
  /** Cross-origin requests; `false` answers none. @default every origin, without credentials */
  readonly cors?: CorsOptions | false | undefined;
  /**
   * Headers by which browsers protect an API, on every response: no sniffing of types, no frames, no scripts, HTTPS
   * from now on. An object changes them by name, and `false` leaves one out: `{'x-frame-options': 'SAMEORIGIN'}`.
   * @default false
   */
  readonly securityHeaders?: boolean | Readonly<Record<string, string | false>> | undefined;
  /**
   * The proxies before the server, whose word for the address of the caller is taken: their number, or their addresses.
   * Of anyone else a header that names an address says nothing.
   * @default false
   */
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
  /** Serves the OpenAPI document at `/openapi.json` and a page to read it at `/docs`. @default false */
  readonly docs?: boolean | DocsOptions | undefined;
  /**
   * Takes calls by their keys too, `POST /_call/users.getUser` with the whole input as its body: for `createClient` of
   * `capix/client`.
   * @default false
   */
  readonly calls?: boolean | undefined;
  /** Capabilities of this transport, in place of the application's. */
  readonly capabilities?: Own | undefined;
}

export const restOptionNames: OptionNames<RestOptions> = {
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
  cacheControl: true,
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
  capabilities: true,
};

/** The options, valid and with every default applied. */
export interface RestSettings extends ListenSettings, Preparation {
  readonly urlCase: UrlCase;
  /** Empty, or begins with a slash and ends with none. */
  readonly prefix: string;
  readonly overrides: RouteOverrides;
  readonly envelope: Envelope;
  readonly cacheControl: string | undefined;
  readonly cors: CorsSettings;
  /** The headers of every answer that has no own ones of these names, names in lower case. */
  readonly standing: RawHeaders;
  /** Undefined where no proxy is trusted. */
  readonly findCaller: CallerFinder | undefined;
  readonly multipart: MultipartLimits | undefined;
  readonly maxBodySize: number;
  readonly timeoutMs: number | undefined;
  readonly heartbeatMs: number;
  readonly docs: DocsOptions | undefined;
  readonly calls: boolean;
  readonly capabilities: GroupTree | undefined;
}

const MIB = 1024 * 1024;

/** @throws TypeError or RangeError that names the option, what it must be and what it is */
export function toRestSettings(options: RestOptions): RestSettings {
  expectKnownOptions('restTransport', options, restOptionNames);
  if (typeof options.docs === 'object') expectDocsOptions('restTransport({docs})', options.docs);
  const settings: RestSettings = {
    port: options.port ?? 3000,
    host: options.host === '' ? undefined : options.host,
    unix: options.unix,
    https: options.https,
    urlCase: options.urlCase ?? 'kebab',
    prefix: toPrefix(options.prefix),
    overrides: options.overrides ?? {},
    envelope: toEnvelope(options.envelope),
    compressFrom: toCompressFrom(options.compression),
    etag: toEtagKind(options.etag),
    cacheControl:
      options.cacheControl === undefined
        ? undefined
        : expectCacheControl('restTransport cacheControl', options.cacheControl),
    cors: toCorsSettings(options.cors ?? {}),
    standing: toSecurityHeaders(options.securityHeaders),
    findCaller: toCallerFinder(options.trustProxy, 'restTransport'),
    limits: toLimits(options.limits),
    multipart: options.multipart === false ? undefined : toMultipartLimits(options.multipart),
    maxBodySize: options.maxBodySize ?? MIB,
    timeoutMs: options.timeoutMs,
    heartbeatMs: options.heartbeatMs ?? 15_000,
    docs: options.docs === true ? {} : options.docs === false ? undefined : options.docs,
    calls: options.calls ?? false,
    capabilities: options.capabilities,
  };
  expectInteger('restTransport port', settings.port, { min: 0, max: 65_535 });
  expectInteger('restTransport maxBodySize', settings.maxBodySize, { min: 0 });
  expectTimeout(settings.heartbeatMs, 'restTransport heartbeatMs');
  if (settings.timeoutMs !== undefined) expectTimeout(settings.timeoutMs, 'restTransport timeoutMs');
  if (!['kebab', 'snake', 'camel'].includes(settings.urlCase)) {
    throw new TypeError(
      `restTransport urlCase: expected 'kebab', 'snake' or 'camel', got '${String(settings.urlCase)}'.`,
    );
  }
  return settings;
}

function toCompressFrom(compression: RestOptions['compression'] = false): number | undefined {
  if (compression === false) return undefined;
  if (compression === true) return 1024;
  expectKnownOptions('restTransport({compression})', compression, { minSize: true });
  const { minSize = 1024 } = compression;
  expectInteger('restTransport compression.minSize', minSize, { min: 0 });
  return minSize;
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
  const changes = own === true ? [] : Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  const all = Object.entries({ ...securityHeaders, ...Object.fromEntries(changes) });
  for (const [name, value] of all)
    if (value !== false && (typeof value !== 'string' || !/^[\w-]+$/.test(name) || /[^\t\x20-\x7e]/.test(value)))
      throw new TypeError(`restTransport securityHeaders: ${name} cannot be ${JSON.stringify(value)}.`);
  return all.flatMap(([name, value]) => (value === false ? [] : [name, value]));
}
