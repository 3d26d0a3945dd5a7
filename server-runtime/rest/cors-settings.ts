import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import type { RawHeaders } from '../http/exchange.ts';

/** Which pages of other origins a browser lets call the API. */
export interface CorsOptions {
  /**
   * `'*'`, one origin such as `'https://app.example'`, or a function that says whether an origin may; one that throws
   * refuses.
   * @default '*'
   */
  readonly origin?: string | ((origin: string) => boolean) | undefined;
  /** The literal `Access-Control-Allow-Methods`. @default 'GET, POST, PATCH, PUT, DELETE, OPTIONS' */
  readonly methods?: string | undefined;
  /** The literal `Access-Control-Allow-Headers`. @default 'Content-Type, Authorization' */
  readonly headers?: string | undefined;
  /**
   * The literal `Access-Control-Expose-Headers`: headers of answers that a page may read besides the few that every
   * page may; an empty text for none. @default those that capabilities declare, and those of `etag`, `withRateLimit`,
   * `withIdempotency` and of errors that say when to come back
   */
  readonly exposeHeaders?: string | undefined;
  /** Lets the browser send cookies; needs an origin other than `'*'`. @default false */
  readonly credentials?: boolean | undefined;
  /** The time that a browser may remember a preflight, seconds. @default the browser's own default */
  readonly maxAge?: number | undefined;
}

/** The names hold for the plugin too. */
export const corsOptionNames: OptionNames<CorsOptions> = {
  origin: true,
  methods: true,
  headers: true,
  exposeHeaders: true,
  credentials: true,
  maxAge: true,
};

/** The CORS headers of answers, computed once as far as they can be. */
export interface CorsSettings {
  /** The headers of every answer. `origin` is the request's header. */
  readonly headersFor: (origin: string | undefined) => RawHeaders;
  /** Besides, for the answer to OPTIONS. */
  readonly preflightHeadersFor: (origin: string | undefined) => RawHeaders;
  /** Whether an origin is allowed by name, and not because all are. */
  readonly trusts: (origin: string) => boolean;
  /** The same, with headers of answers that pages may read where the application has not said which. */
  readonly exposing: (names: readonly string[]) => CorsSettings;
}

/** The headers of a preflight, with the names of declared headers where the application names none. */
export function allowHeaders(preflight: RawHeaders, names: readonly string[]): RawHeaders {
  return preflight.map((text) => (text === DEFAULT_HEADERS && names.length > 0 ? [text, ...names].join(', ') : text));
}

const DEFAULT_HEADERS = 'Content-Type, Authorization';

/** @throws TypeError for credentials with the origin `'*'`, and for options of a wrong type */
export function toCorsSettings(options: CorsOptions | false): CorsSettings {
  const settings: CorsSettings = {
    ...(options === false ? noCors : toCorsHeaders(options)),
    exposing: (names) =>
      options === false || options.exposeHeaders !== undefined || names.length === 0
        ? settings
        : toCorsSettings({ ...options, exposeHeaders: names.join(', ') }),
  };
  return settings;
}

const none: RawHeaders = [];

type CorsHeaders = Omit<CorsSettings, 'exposing'>;

const noCors: CorsHeaders = {
  headersFor: () => none,
  preflightHeadersFor: () => none,
  trusts: () => false,
};

function toCorsHeaders(options: CorsOptions): CorsHeaders {
  expectKnownOptions('restTransport({cors})', options, corsOptionNames);
  const {
    origin = '*',
    methods = 'GET, POST, PATCH, PUT, DELETE, OPTIONS',
    headers = DEFAULT_HEADERS,
    exposeHeaders,
    credentials = false,
    maxAge,
  } = options;
  expectOptions({ origin, methods, headers, exposeHeaders, credentials, maxAge });

  const exposed =
    exposeHeaders === undefined || exposeHeaders === '' ? [] : ['access-control-expose-headers', exposeHeaders];
  const always = credentials ? ['access-control-allow-credentials', 'true', ...exposed] : exposed;
  const preflight = ['access-control-allow-methods', methods, 'access-control-allow-headers', headers];
  if (maxAge !== undefined) preflight.push('access-control-max-age', String(maxAge));
  if (origin === '*') {
    const anyone = ['access-control-allow-origin', '*', ...always];
    return { headersFor: () => anyone, preflightHeadersFor: () => preflight, trusts: () => false };
  }

  const vary = ['vary', 'Origin'];
  const allowedHeaders = (allowed: string): RawHeaders => ['access-control-allow-origin', allowed, ...always, ...vary];
  if (typeof origin === 'string') {
    // A request without an origin is not refused: it comes from the same origin, or from no browser.
    const allowed = allowedHeaders(origin);
    const allows = (asked: string | undefined): boolean => asked === undefined || asked === origin;
    return {
      headersFor: (asked) => (allows(asked) ? allowed : vary),
      preflightHeadersFor: (asked) => (allows(asked) ? preflight : none),
      trusts: (asked) => asked === origin,
    };
  }
  const allows = (asked: string | undefined): asked is string => asked !== undefined && isAllowed(origin, asked);
  return {
    headersFor: (asked) => (allows(asked) ? allowedHeaders(asked) : vary),
    preflightHeadersFor: (asked) => (allows(asked) ? preflight : none),
    trusts: allows,
  };
}

function isAllowed(allows: (origin: string) => boolean, origin: string): boolean {
  try {
    return allows(origin) === true;
  } catch {
    return false;
  }
}

function expectOptions({ origin, methods, headers, exposeHeaders, credentials, maxAge }: CorsOptions): void {
  if (typeof origin !== 'string' && typeof origin !== 'function') {
    throw new TypeError(
      `cors.origin: expected a string or a function, got ${describe(origin)}. For a list of origins use the ` +
        'plugin: restTransport({...cors({origin: [...]})}).',
    );
  }
  if (typeof methods !== 'string')
    throw new TypeError(`cors.methods: expected a string such as 'GET, POST', got ${describe(methods)}.`);
  if (typeof headers !== 'string')
    throw new TypeError(`cors.headers: expected a string such as 'Content-Type', got ${describe(headers)}.`);
  if (exposeHeaders !== undefined && typeof exposeHeaders !== 'string')
    throw new TypeError(
      `cors.exposeHeaders: expected a string such as 'X-Total-Count', got ${describe(exposeHeaders)}.`,
    );
  for (const [option, value] of Object.entries({ origin, methods, headers, exposeHeaders })) {
    if (typeof value === 'string' && /[^\t\x20-\x7e]/.test(value))
      throw new TypeError(`cors.${option}: ${JSON.stringify(value)} has a character that a header cannot hold.`);
  }
  if (credentials === true && origin === '*') {
    throw new TypeError(
      "cors.credentials: browsers refuse credentials with the origin '*'. Name the origins that may send them.",
    );
  }
  if (maxAge !== undefined && !(Number.isInteger(maxAge) && maxAge >= 0))
    throw new TypeError(`cors.maxAge: expected whole seconds, got ${String(maxAge)}.`);
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
}

/** The options of `cors`: as `CorsOptions`, with lists. */
export interface CorsPluginOptions {
  /** One origin, a list of them, `'*'`, or a function that says whether an origin may. @default '*' */
  readonly origin?: string | readonly string[] | ((origin: string) => boolean) | undefined;
  /** @default GET, POST, PATCH, PUT, DELETE, OPTIONS */
  readonly methods?: string | readonly string[] | undefined;
  /** Request headers that a page may set. @default Content-Type, Authorization */
  readonly headers?: string | readonly string[] | undefined;
  /** Headers of answers that a page may read besides the few that every page may. @default as of `CorsOptions` */
  readonly exposeHeaders?: string | readonly string[] | undefined;
  /** Lets the browser send cookies; needs an origin other than `'*'`. @default false */
  readonly credentials?: boolean | undefined;
  /** The time that a browser may remember a preflight, seconds. */
  readonly maxAge?: number | undefined;
}

/**
 * Options to spread into a transport, for several origins or lists of methods and headers.
 *
 * @throws TypeError for an option that there is not
 *
 * @example
 * ```ts
 * const transport = restTransport({ ...cors({ origin: ['https://a.example'], methods: ['GET', 'POST'] }) });
 * ```
 */
export function cors(options: CorsPluginOptions = {}): { readonly cors: CorsOptions } {
  expectKnownOptions('cors', options, corsOptionNames);
  const { origin = '*', methods, headers, exposeHeaders, credentials, maxAge } = options;
  return {
    cors: {
      origin: typeof origin === 'object' ? createOriginTest(origin) : origin,
      methods: toList(methods),
      headers: toList(headers),
      exposeHeaders: toList(exposeHeaders),
      credentials,
      maxAge,
    },
  };
}

function createOriginTest(origins: readonly string[]): string | ((origin: string) => boolean) {
  if (origins.includes('*')) return '*';
  const allowed = new Set(origins);
  return (origin) => allowed.has(origin);
}

function toList(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value;
}
