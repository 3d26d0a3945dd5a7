import { expectInteger, expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
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
   * The literal `Access-Control-Expose-Headers`, headers of responses that a page may read; an empty text for none.
   * @default those that the capabilities of the server send
   */
  readonly exposeHeaders?: string | undefined;
  /** Lets the browser send cookies; needs an origin other than `'*'`. @default false */
  readonly credentials?: boolean | undefined;
  /** The time that a browser may remember a preflight, seconds. @default the browser's own default */
  readonly maxAge?: number | undefined;
}

/** The names hold for the plugin too. */
const corsOptionNames: OptionNames<CorsOptions> = {
  origin: true,
  methods: true,
  headers: true,
  exposeHeaders: true,
  credentials: true,
  maxAge: true,
};

/** The CORS headers of responses, computed once as far as they can be. */
export interface CorsSettings {
  /** The headers of every response, where the origin of the request does not matter. */
  readonly fixed: RawHeaders | undefined;
  /** The headers of every response. `origin` is the request's header. */
  readonly headersFor: (origin: string | undefined) => RawHeaders;
  /** Besides, for the response to OPTIONS. `declared` are headers to allow where the application names none. */
  readonly preflightHeadersFor: (origin: string | undefined, declared: readonly string[]) => RawHeaders;
  /** Whether an origin is allowed by name, and not because all are. */
  readonly trusts: (origin: string) => boolean;
  /** The same, with headers of responses that pages may read where the application has not said which. */
  readonly exposing: (names: readonly string[]) => CorsSettings;
}

/** @throws TypeError for credentials with the origin `'*'`, and for options of a wrong type */
export function toCorsSettings(options: CorsOptions | false): CorsSettings {
  const none = (): RawHeaders => [];
  if (options === false) {
    const off = { fixed: [], headersFor: none, preflightHeadersFor: none, trusts: () => false, exposing: () => off };
    return off;
  }
  expectOptions(options);
  const { origin = '*', methods = 'GET, POST, PATCH, PUT, DELETE, OPTIONS', headers } = options;
  const { exposeHeaders, credentials, maxAge } = options;
  const always = [
    ...(credentials === true ? ['access-control-allow-credentials', 'true'] : []),
    ...(exposeHeaders ? ['access-control-expose-headers', exposeHeaders] : []),
    ...(origin === '*' ? [] : ['vary', 'Origin']),
  ];
  const allow = (allowed: string): RawHeaders => ['access-control-allow-origin', allowed, ...always];
  const trusts = (asked: string): boolean => (typeof origin === 'string' ? asked === origin : isAllowed(origin, asked));
  // A request without an origin comes from the one that is named, or from no browser.
  const find = (asked = typeof origin === 'string' ? origin : undefined): string | undefined =>
    origin === '*' || (asked !== undefined && trusts(asked)) ? asked : undefined;
  return {
    fixed: origin === '*' ? allow('*') : undefined,
    headersFor: (asked) => {
      const allowed = find(asked);
      return allowed === undefined ? ['vary', 'Origin'] : allow(allowed);
    },
    preflightHeadersFor: (asked, declared) => {
      if (find(asked) === undefined) return [];
      const allowed = headers ?? ['Content-Type, Authorization', ...declared].join(', ');
      const age = maxAge === undefined ? [] : ['access-control-max-age', String(maxAge)];
      return ['access-control-allow-methods', methods, 'access-control-allow-headers', allowed, ...age];
    },
    trusts: (asked) => origin !== '*' && trusts(asked),
    exposing: (names) => toCorsSettings({ ...options, exposeHeaders: exposeHeaders ?? names.join(', ') }),
  };
}

function isAllowed(allows: (origin: string) => boolean, origin: string): boolean {
  try {
    return allows(origin) === true;
  } catch {
    return false;
  }
}

function expectOptions(options: CorsOptions): void {
  expectKnownOptions('restTransport({cors})', options, corsOptionNames);
  const { origin = '*', methods, headers, exposeHeaders, credentials, maxAge } = options;
  if (typeof origin !== 'string' && typeof origin !== 'function')
    throw new TypeError(
      `cors.origin: expected a string or a function, got ${Array.isArray(origin) ? 'an array' : typeof origin}. ` +
        'For a list of origins use the plugin: restTransport({...cors({origin: [...]})}).',
    );
  for (const [name, value] of Object.entries({ origin, methods, headers, exposeHeaders })) {
    if (value === undefined || typeof value === 'function') continue;
    if (typeof value !== 'string' || /[^\t\x20-\x7e]/.test(value))
      throw new TypeError(`cors.${name}: expected a string that a header can hold, got ${JSON.stringify(value)}.`);
  }
  if (credentials === true && origin === '*')
    throw new TypeError(
      "cors.credentials: browsers refuse credentials with the origin '*'. Name the origins that may send them.",
    );
  if (maxAge !== undefined) expectInteger('cors.maxAge', maxAge, { min: 0 });
}

type List = string | readonly string[] | undefined;

/** The options of `cors`: those of `restTransport({cors})`, with lists. */
export interface CorsPluginOptions extends Pick<CorsOptions, 'credentials' | 'maxAge'> {
  /** One origin, a list of them, `'*'`, or a function that says whether an origin may. @default '*' */
  readonly origin?: CorsOptions['origin'] | readonly string[];
  readonly methods?: List;
  readonly headers?: List;
  readonly exposeHeaders?: List;
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
  const { origin, methods, headers, exposeHeaders } = options;
  const join = (value: List): string | undefined => (typeof value === 'object' ? value.join(', ') : value);
  const lists = { methods: join(methods), headers: join(headers), exposeHeaders: join(exposeHeaders) };
  if (typeof origin !== 'object') return { cors: { ...options, ...lists, origin } };
  return { cors: { ...options, ...lists, origin: origin.includes('*') ? '*' : (asked) => origin.includes(asked) } };
}
