import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { Exchange } from './exchange.ts';

/**
 * The proxies to trust. `true`: every caller is a proxy of yours, and so is every proxy that it names. A number: so
 * many proxies stand in a row. Addresses and subnets of the proxies, `10.0.0.0/8`, or `loopback`, `private` and
 * `link-local` for those ranges.
 */
export type TrustProxy = boolean | number | string | readonly string[];

/** Finds the address of the caller; undefined where it is unknown. */
export type CallerFinder = (
  exchange: Pick<Exchange, 'remoteAddress' | 'headers'>,
) => string | undefined;

/**
 * Follows `X-Forwarded-For` from the connection towards the caller, as long as the proxy that names the next address is
 * trusted. Undefined where none is trusted. @throws TypeError that names the option, whose function is `owner`
 */
export function toCallerFinder(
  option: TrustProxy = false,
  owner = 'restTransport',
): CallerFinder | undefined {
  if (option === false || option === 0) return undefined;
  const trusts = toTrusts(option, owner);
  return ({ remoteAddress, headers }) => {
    const names = String(headers['x-forwarded-for'] ?? '').split(',');
    const addresses = names.map(findAddress);
    // Where a proxy names no address (`unknown`, text), the address is that of this proxy.
    const known = addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ');
    const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': known } };
    return proxyAddr(request as unknown as Parameters<typeof proxyAddr>[0], trusts);
  };
}

function toTrusts(
  option: Exclude<TrustProxy, false>,
  owner: string,
): (address: string, at: number) => boolean {
  if (option === true) return () => true;
  if (typeof option === 'number' && Number.isInteger(option) && option > 0)
    return (_address, at) => at < option;
  // The other ranges have these names in the library.
  const ranges: Readonly<Record<string, string>> = {
    private: 'uniquelocal',
    'link-local': 'linklocal',
  };
  try {
    const texts = (typeof option === 'string' ? option.split(',') : option) as readonly string[];
    return proxyAddr.compile(texts.map((text) => ranges[text.trim()] ?? text.trim()));
  } catch {
    const expected = "a subnet such as '10.0.0.0/8', or one of loopback, private, link-local";
    const got = JSON.stringify(option);
    throw new TypeError(
      `${owner} trustProxy: expected true, the number of proxies, or their addresses: ${expected}; got ${got}.`,
    );
  }
}

/** `[2001:db8::1]:4711`, `192.0.2.1:80`, `::ffff:192.0.2.1` as the address alone. */
function findAddress(text: string): string | undefined {
  const host = text.trim().replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');
  const address = host.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? undefined : address;
}
