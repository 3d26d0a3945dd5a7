import { expectKnownOptions } from '../errors/expect-options.ts';
import { type CorsOptions, corsOptionNames } from './cors-settings.ts';

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
