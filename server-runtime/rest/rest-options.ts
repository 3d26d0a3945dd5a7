import type { GroupTree } from '../capability/group-tree.ts';
import { expectTimeout } from '../enhancers/with-timeout.ts';
import type { RouteOverrides } from '../routing/route-override.ts';
import type { UrlCase } from '../routing/words.ts';
import type { CorsOptions } from './cors.ts';

export interface RestOptions {
  /** 0 lets the system choose. @default 3000 */
  readonly port?: number | undefined;
  /** The address to listen at. @default every address of the machine */
  readonly host?: string | undefined;
  /** Case of group and capability names in paths. @default 'kebab' */
  readonly urlCase?: UrlCase | undefined;
  /** Routes in place of the inferred ones, by key. */
  readonly overrides?: RouteOverrides | undefined;
  /** Cross-origin requests; `false` answers none. @default every origin, without credentials */
  readonly cors?: CorsOptions | false | undefined;
  /** The longest JSON body, bytes. @default 1048576 (1 MiB) */
  readonly maxBodySize?: number | undefined;
  /** How long a request may take, milliseconds; `withTimeout` replaces it for a capability. @default the server's, 30000 */
  readonly timeoutMs?: number | undefined;
  /** Capabilities of this transport, in place of the application's. */
  readonly capabilities?: GroupTree | undefined;
}

/** The options with every default applied. */
export interface RestSettings {
  readonly port: number;
  readonly host: string | undefined;
  readonly urlCase: UrlCase;
  readonly overrides: RouteOverrides;
  readonly cors: CorsOptions | false;
  readonly maxBodySize: number;
  readonly timeoutMs: number | undefined;
}

const MIB = 1024 * 1024;

/** @throws TypeError or RangeError that names the option, what it must be and what it is */
export function toRestSettings(options: RestOptions): RestSettings {
  const settings: RestSettings = {
    port: options.port ?? 3000,
    host: options.host,
    urlCase: options.urlCase ?? 'kebab',
    overrides: options.overrides ?? {},
    cors: options.cors ?? {},
    maxBodySize: options.maxBodySize ?? MIB,
    timeoutMs: options.timeoutMs,
  };
  expectInteger('port', settings.port, 0, 65_535);
  expectInteger('maxBodySize', settings.maxBodySize, 0, Number.MAX_SAFE_INTEGER);
  if (!['kebab', 'snake', 'camel'].includes(settings.urlCase)) {
    throw new TypeError(`restTransport urlCase: expected 'kebab', 'snake' or 'camel', got '${String(settings.urlCase)}'.`);
  }
  if (settings.timeoutMs !== undefined) expectTimeout(settings.timeoutMs, 'restTransport timeoutMs');
  return settings;
}

function expectInteger(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`restTransport ${option}: expected an integer ${range}, got ${typeof value === 'string' ? `the string '${String(value)}'` : String(value)}.`);
}
