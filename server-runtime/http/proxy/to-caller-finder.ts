import * as net from 'node:net';
import type { Exchange } from '../exchange.ts';
import { parseForwarded } from './parse-forwarded.ts';
import type { ProxySettings } from './to-proxy-settings.ts';

/** Finds the address of the caller; undefined where nobody tells it. */
export type CallerFinder = (exchange: Pick<Exchange, 'remoteAddress' | 'headers'>) => string | undefined;

/** Whether the one who named the next address is a proxy to be believed. The first, at 0, is the one who connected. */
type Trusts = (address: string | undefined, at: number) => boolean;

const ranges: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
]);

/**
 * Goes from the connection towards the caller, for as long as the one who names the next address is trusted. Where a proxy names no address
 * (`unknown`, a made-up name, text), the address is that of this proxy.
 *
 * @throws TypeError for text that is neither an address nor a subnet
 */
export function toCallerFinder({ from, header, owner }: ProxySettings): CallerFinder {
  const trusts = toTrusts(from, owner);
  const toAddresses = header === 'forwarded' ? parseForwarded : (text: string): readonly string[] => text.split(',');
  return ({ remoteAddress, headers }) => {
    const sent = headers[header];
    if (sent === undefined || !trusts(remoteAddress, 0)) return remoteAddress;
    const named = toAddresses(typeof sent === 'string' ? sent : sent.join(','));
    let caller = remoteAddress;
    for (let at = 1; at <= named.length; at++) {
      const address = findAddress(named[named.length - at] ?? '');
      if (address === undefined) return caller;
      caller = address;
      if (!trusts(address, at)) return caller;
    }
    return caller;
  };
}

function toTrusts(from: ProxySettings['from'], owner: string): Trusts {
  if (from === true) return () => true;
  if (typeof from === 'number') return (_address, at) => at < from;
  const list = new net.BlockList();
  for (const text of typeof from === 'string' ? from.split(',') : from) {
    for (const range of ranges.get(text.trim()) ?? [text.trim()])
      if (!addRange(list, range)) throw toRangeError(range, owner);
  }
  return (address) => {
    const bare = address === undefined ? undefined : findAddress(address);
    return bare !== undefined && list.check(bare, toFamily(bare));
  };
}

/** False for text that is neither an address nor a subnet. */
function addRange(list: net.BlockList, range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const most = net.isIPv6(address) ? 128 : 32;
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  if (net.isIP(address) === 0 || !isBits || rest.length > 0) return false;
  list.addSubnet(address, bits === undefined ? most : Number(bits), toFamily(address));
  return true;
}

function toRangeError(range: string, owner: string): TypeError {
  return new TypeError(
    `${owner} trustProxy: expected an address, a subnet such as '10.0.0.0/8', or one of ${[...ranges.keys()].join(', ')}, got ${JSON.stringify(range)}.`,
  );
}

function toFamily(address: string): 'ipv4' | 'ipv6' {
  return net.isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** `[2001:db8::1]:4711`, `192.0.2.1:80`, `::ffff:192.0.2.1` as the address alone. */
function findAddress(text: string): string | undefined {
  const bare = text.trim();
  const host = /^\[([^\]]+)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  const address = /^::ffff:([\d.]+)$/i.exec(host)?.[1] ?? host;
  return net.isIP(address) === 0 ? undefined : address;
}
