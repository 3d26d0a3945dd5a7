import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';
import { findNamesFault, findUnsetFault } from '../errors/security-faults.ts';
import type { RawHeaders } from './exchange.ts';

/** Which pages of other origins a browser lets call the API. */
export interface CorsOptions {
  /** `'*'`, one origin such as `'https://app.example'`, or a function that says whether one may. @default '*' */
  readonly origin?: string | ((origin: string) => boolean) | undefined;
  /** The literal `Access-Control-Allow-Methods`. @default 'GET, POST, PATCH, PUT, DELETE, OPTIONS' */
  readonly methods?: string | undefined;
  /** The literal `Access-Control-Allow-Headers`. @default 'Content-Type, Authorization', and those that are declared */
  readonly headers?: string | undefined;
  /** The literal `Access-Control-Expose-Headers`, an empty text for none. @default those that the capabilities send */
  readonly exposeHeaders?: string | undefined;
  /** Lets the browser send cookies; needs an origin other than `'*'`. @default false */
  readonly credentials?: boolean | undefined;
  /** The time that a browser may remember a preflight, seconds. @default the browser's own default */
  readonly maxAge?: number | undefined;
}

/** The CORS headers of responses to a request of an origin. */
export interface Cors {
  /** The headers of every response, where the origin does not matter. */
  readonly fixed: RawHeaders | undefined;
  readonly headersFor: (origin: string | undefined) => RawHeaders;
  /** The further headers of a response to OPTIONS. */
  readonly preflightHeadersFor: (origin: string | undefined) => RawHeaders;
  /** Whether an origin is allowed by name, and not because all are. */
  readonly trusts: (origin: string) => boolean;
}

/** The headers that pages may read and send where the application does not say which. */
type HeaderNames = Readonly<Record<'exposed' | 'allowed', readonly string[]>>;

/**
 * Gives what makes the headers, once a server starts: it throws there for an origin that is named and undefined, which
 * would let in everybody. @throws TypeError for credentials with the origin `'*'`, and for options of a wrong type
 */
export function toCors(options: CorsOptions | false = {}): (names: HeaderNames) => Cors {
  const none = (): RawHeaders => [];
  if (options === false)
    return () => ({ fixed: [], headersFor: none, preflightHeadersFor: none, trusts: () => false });
  const {
    origin = '*',
    methods = 'GET, POST, PATCH, PUT, DELETE, OPTIONS',
    credentials = false,
    maxAge,
  } = options;
  const { headers, exposeHeaders } = options;
  const texts = { origin, methods, headers, exposeHeaders };
  expectKnownOptions('restTransport({cors})', options, { ...texts, credentials, maxAge });
  for (const [name, value] of Object.entries(texts)) {
    if (value === undefined || (name === 'origin' && typeof value === 'function')) continue;
    if (typeof value === 'string' && !/[^\t\x20-\x7e]/.test(value)) continue;
    const expected = name === 'origin' ? 'a string or a function' : 'a string';
    const got = Array.isArray(value) ? 'an array' : JSON.stringify(value);
    throw new TypeError(
      `cors.${name}: expected ${expected}, got ${got}; lists are for cors({origin: [...]}).`,
    );
  }
  if (credentials && origin === '*')
    throw new TypeError(
      "cors.credentials: browsers refuse credentials with the origin '*'. Name the origins instead.",
    );
  if (maxAge !== undefined) expectInteger('cors.maxAge', maxAge, { min: 0 });
  const trusts = (asked: string): boolean => {
    if (typeof origin === 'string') return asked === origin && origin !== '*';
    try {
      return origin(asked) === true;
    } catch {
      return false;
    }
  };
  // A request without an origin comes from the one that is named, or from no browser.
  const isRefused = (asked: string | undefined): boolean =>
    origin !== '*' && !(asked === undefined ? typeof origin === 'string' : trusts(asked));
  const fault = findUnsetFault(options, 'origin', 'restTransport cors');
  return ({ exposed, allowed }) => {
    if (fault !== undefined) throw new TypeError(fault);
    const readable = exposeHeaders ?? exposed.join(', ');
    const always = [
      ...(credentials ? ['access-control-allow-credentials', 'true'] : []),
      ...(readable === '' ? [] : ['access-control-expose-headers', readable]),
      ...(origin === '*' ? [] : ['vary', 'Origin']),
    ];
    const toHeaders = (name: string): RawHeaders => [
      'access-control-allow-origin',
      name,
      ...always,
    ];
    const ofText = typeof origin === 'string' ? toHeaders(origin) : undefined;
    const sendable = headers ?? ['Content-Type, Authorization', ...allowed].join(', ');
    const preflight = [
      'access-control-allow-methods',
      methods,
      'access-control-allow-headers',
      sendable,
    ];
    if (maxAge !== undefined) preflight.push('access-control-max-age', String(maxAge));
    return {
      fixed: origin === '*' ? ofText : undefined,
      headersFor: (asked) =>
        isRefused(asked) ? ['vary', 'Origin'] : (ofText ?? toHeaders(asked ?? '')),
      preflightHeadersFor: (asked) => (isRefused(asked) ? [] : preflight),
      trusts,
    };
  };
}

type List = string | readonly string[] | undefined;

export interface CorsPluginOptions extends Pick<CorsOptions, 'credentials' | 'maxAge'> {
  readonly origin?: CorsOptions['origin'] | readonly string[];
  readonly methods?: List;
  readonly headers?: List;
  readonly exposeHeaders?: List;
}

/** Options to spread into a transport: `restTransport({ ...cors({ origin: ['https://a.example'] }) })`. */
export function cors(options: CorsPluginOptions = {}): { readonly cors: CorsOptions } {
  const { origin, methods, headers, exposeHeaders, ...others } = options;
  const join = (list: List): string | undefined =>
    typeof list === 'object' ? list.join(', ') : list;
  const lists = {
    methods: join(methods),
    headers: join(headers),
    exposeHeaders: join(exposeHeaders),
  };
  // An origin that is undefined stays one, at which no server starts.
  const named = 'origin' in options ? { origin: options.origin as CorsOptions['origin'] } : {};
  if (typeof origin !== 'object') return { cors: { ...others, ...lists, ...named } };
  if (findNamesFault('cors origin', origin) !== undefined)
    return { cors: { ...others, ...lists, origin: undefined } };
  return {
    cors: {
      ...others,
      ...lists,
      origin: origin.includes('*') ? '*' : (asked) => origin.includes(asked),
    },
  };
}
