import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import { expectInteger, expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import { findNamesFault, findUnsetFault } from '../errors/security-faults.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { RawHeaders } from './exchange.ts';

/** Which pages of other origins a browser lets call the API. */
export interface CorsOptions {
  /** `'*'`, one origin such as `'https://app.example'`, or a function that decides about an origin. @default '*' */
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
  /** Whether the pages of every origin may read. */
  readonly isForAll: boolean;
}

/** The headers that pages may read and send where the application does not say which. */
export type HeaderNames = Readonly<Record<'exposed' | 'allowed', readonly string[]>>;

/**
 * Gives what makes the headers, once a server starts: it throws there for an origin that is named and undefined, which
 * would let in everybody. @throws TypeError for credentials with the origin `'*'`, and for options of a wrong type
 */
export function toCors(options: CorsOptions | false = {}): (names: HeaderNames) => Cors {
  if (options === false) return () => closed;
  expectCors(options);
  const fault = findUnsetFault(options, 'origin', 'restTransport cors');
  return (names) => {
    if (fault !== undefined) throw new TypeError(fault);
    return createCors(options, names);
  };
}

/** No page of another origin reads anything. */
const closed: Cors = {
  fixed: [],
  headersFor: () => [],
  preflightHeadersFor: () => [],
  trusts: () => false,
  isForAll: false,
};

const corsOptionNames: OptionNames<CorsOptions> = {
  origin: true,
  methods: true,
  headers: true,
  exposeHeaders: true,
  credentials: true,
  maxAge: true,
};

function expectCors(options: CorsOptions): void {
  expectKnownOptions('restTransport({cors})', options, corsOptionNames);
  const { origin, methods, headers, exposeHeaders, credentials, maxAge } = options;
  if (typeof origin !== 'function') expectHeaderText('origin', origin, 'a string or a function');
  for (const [name, text] of Object.entries({ methods, headers, exposeHeaders }))
    expectHeaderText(name, text, 'a string');
  if (credentials === true && (origin === undefined || origin === '*'))
    throw new TypeError(
      "cors.credentials: browsers refuse credentials with the origin '*'. Name the origins instead.",
    );
  if (maxAge !== undefined) expectInteger('cors.maxAge', maxAge, { min: 0 });
}

function expectHeaderText(name: string, value: unknown, expected: string): void {
  if (value === undefined) return;
  if (typeof value === 'string' && !/[^\t\x20-\x7e]/.test(value)) return;
  const got = Array.isArray(value) ? 'an array' : JSON.stringify(value);
  throw new TypeError(
    `cors.${name}: expected ${expected}, got ${got}; lists are for cors({origin: [...]}).`,
  );
}

const METHODS = 'GET, POST, PATCH, PUT, DELETE, OPTIONS';

/** The parts that do not depend on a request are made once. */
function createCors(options: CorsOptions, names: HeaderNames): Cors {
  const { origin = '*', methods = METHODS, credentials = false, maxAge } = options;
  const { headers = ['Content-Type, Authorization', ...names.allowed].join(', ') } = options;
  const { exposeHeaders = names.exposed.join(', ') } = options;

  const besides: string[] = [];
  if (credentials) besides.push('access-control-allow-credentials', 'true');
  if (exposeHeaders !== '') besides.push('access-control-expose-headers', exposeHeaders);
  if (origin !== '*') besides.push(...varying);
  const toHeaders = (allowed: string): RawHeaders => [
    'access-control-allow-origin',
    allowed,
    ...besides,
  ];
  const preflight = ['access-control-allow-methods', methods];
  preflight.push('access-control-allow-headers', headers);
  if (maxAge !== undefined) preflight.push('access-control-max-age', String(maxAge));

  if (typeof origin === 'function') {
    const trusts = toSafeTest(origin);
    return {
      fixed: undefined,
      headersFor: (from) => (from !== undefined && trusts(from) ? toHeaders(from) : varying),
      preflightHeadersFor: (from) => (from !== undefined && trusts(from) ? preflight : []),
      trusts,
      isForAll: false,
    };
  }
  const named = toHeaders(origin);
  if (origin === '*')
    return {
      fixed: named,
      headersFor: () => named,
      preflightHeadersFor: () => preflight,
      trusts: () => false,
      isForAll: true,
    };
  // A request without an origin comes from a page of this server, or from no browser.
  const isAllowed = (from: string | undefined): boolean => from === undefined || from === origin;
  return {
    fixed: undefined,
    headersFor: (from) => (isAllowed(from) ? named : varying),
    preflightHeadersFor: (from) => (isAllowed(from) ? preflight : []),
    trusts: (from) => from === origin,
    isForAll: false,
  };
}

const varying: RawHeaders = ['vary', 'Origin'];

/** A test of the application that throws allows no origin. */
function toSafeTest(test: (origin: string) => boolean): (origin: string) => boolean {
  return (origin) => {
    try {
      return test(origin) === true;
    } catch {
      return false;
    }
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
  // An origin that is undefined stays undefined: a server with it does not start.
  const named = 'origin' in options ? { origin: options.origin as CorsOptions['origin'] } : {};
  if (typeof origin !== 'object') return { cors: { ...others, ...lists, ...named } };
  if (findNamesFault('cors origin', origin) !== undefined)
    return { cors: { ...others, ...lists, origin: undefined } };
  return {
    cors: {
      ...others,
      ...lists,
      origin: origin.includes('*') ? '*' : (from) => origin.includes(from),
    },
  };
}

/** The headers that a page of another origin may read and send by default: those that operations send and take. */
export function toHeaderNames(
  operations: readonly Operation[],
  { etag, calls }: Readonly<Record<'etag' | 'calls', boolean>>,
): HeaderNames {
  const exposed = operations.flatMap(toExposed);
  const allowed = operations.flatMap(toAllowed);
  // A client that tries again sends a key with its calls.
  const keys = calls && operations.length > 0 ? [KEY_HEADER] : [];
  return {
    exposed: [...new Set([...(etag ? ['ETag'] : []), ...exposed])],
    allowed: [...new Set([...keys, ...allowed])],
  };
}

/** The headers that the requests of an operation may have. */
function toAllowed(operation: Operation): readonly string[] {
  const { answers, sent, guards, enhancers } = operation.definition;
  if (answers.length + sent.length + guards.length + enhancers.length === 0) return [];
  const names = sent.flatMap(({ in: place, name }) => (place === 'header' ? name : []));
  for (const scheme of guards.flatMap(({ security }) => security))
    if (scheme.type === 'apiKey' && scheme.in === 'header') names.push(scheme.name);
  if (findKeyRule(operation) !== undefined) names.push(KEY_HEADER);
  // Clients use this header to request the rest of an interrupted stream.
  if (answers.some(({ kind }) => kind === 'stream')) names.push('Last-Event-ID');
  if (answers.some(({ kind }) => kind === 'bytes')) names.push('Range', 'If-Range');
  return names;
}

/** The headers that the answers of an operation may have. */
function toExposed({ definition: { answers, enhancers, errors } }: Operation): readonly string[] {
  if (answers.length + enhancers.length + errors.length === 0) return [];
  const all = [...answers, ...enhancers];
  const statuses = [...errors, ...enhancers.flatMap((each) => each.errors)].map(
    ({ status }) => status,
  );
  const names = all.flatMap(({ headers = {} }) => Object.keys(headers));
  if (all.some(({ kind }) => kind === 'redirect')) names.push('Location');
  if (all.some(({ kind }) => kind === 'bytes')) names.push('Accept-Ranges', 'Content-Range');
  if (all.some(({ kind }) => kind === 'idempotency')) names.push('Idempotency-Replayed');
  if (statuses.includes(429) || statuses.includes(503)) names.push('Retry-After');
  return names;
}
