import { expectKnownOptions, type OptionNames } from '../../errors/expect-known-options.ts';

/** Which proxies stand before the server, and the header in which they say who called them. */
export interface ProxyOptions {
  /**
   * `true`: whoever connects is a proxy of yours, and so is everyone it names. A number: as many proxies as stand one behind the other. Addresses
   * and subnets of the proxies, `10.0.0.0/8`, or `loopback`, `private` and `link-local` for those ranges.
   */
  readonly from: true | number | string | readonly string[];
  /** The header that the outermost proxy sets. Only this one is read: a proxy hands the other on as the caller wrote it. @default 'x-forwarded-for' */
  readonly header?: 'x-forwarded-for' | 'forwarded' | undefined;
}

/** The proxies to trust; anything but an object is the `from` of `ProxyOptions`. */
export type TrustProxy = boolean | number | string | readonly string[] | ProxyOptions;

/** The options with their defaults. */
export interface ProxySettings {
  readonly from: ProxyOptions['from'];
  readonly header: 'x-forwarded-for' | 'forwarded';
  /** The function whose option it is, for errors. */
  readonly owner: string;
}

const optionNames: OptionNames<ProxyOptions> = { from: true, header: true };

/**
 * Undefined where no proxy is trusted. `owner`: the function whose option it is.
 *
 * @throws TypeError that names the option and what it is
 */
export function toProxySettings(option: TrustProxy | undefined, owner: string): ProxySettings | undefined {
  if (option === undefined || option === false || option === 0) return undefined;
  const { from, header = 'x-forwarded-for' } = toObject(option, owner);
  const isCount = typeof from === 'number' && Number.isInteger(from) && from > 0;
  const isList = typeof from === 'string' || (Array.isArray(from) && from.every((each) => typeof each === 'string'));
  if (from !== true && !isCount && !isList) {
    throw new TypeError(
      `${owner} trustProxy: expected true, the number of proxies, or their addresses, got ${JSON.stringify(from)}.`,
    );
  }
  if (header !== 'x-forwarded-for' && header !== 'forwarded') {
    throw new TypeError(
      `${owner} trustProxy: expected the header 'x-forwarded-for' or 'forwarded', got ${JSON.stringify(header)}.`,
    );
  }
  return { from, header, owner };
}

function toObject(option: Exclude<TrustProxy, false>, owner: string): ProxyOptions {
  if (typeof option !== 'object' || option === null || Array.isArray(option))
    return { from: option as ProxyOptions['from'] };
  expectKnownOptions(`${owner}({trustProxy})`, option, optionNames);
  return option as ProxyOptions;
}
