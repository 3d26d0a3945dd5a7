/**
 * The network of an IPv6 address, `2001:db8:1:200:0:0:0:0/56`: whoever has one address has the whole network. An IPv4
 * address that is written as IPv6 is itself, and text that is no IPv6 address stays as it is.
 */
export function toNetwork(address: string, bits: number): string {
  const groups = address.includes(':') ? parseGroups(address) : undefined;
  if (groups === undefined) return address;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [6, 7].flatMap((at) => [(groups[at] ?? 0) >> 8, (groups[at] ?? 0) & 0xff]).join('.');
  const masked = groups.map((group, at) => {
    const kept = Math.min(16, Math.max(0, bits - at * 16));
    return group & (0xffff << (16 - kept)) & 0xffff;
  });
  return `${masked.map((group) => group.toString(16)).join(':')}/${bits}`;
}

/** The eight numbers of an IPv6 address, by the one form in which a URL writes it. */
function parseGroups(address: string): readonly number[] | undefined {
  const [bare = ''] = address.split('%');
  const host = `http://[${bare}]`;
  if (!/^[\da-f:.]+$/i.test(bare) || !URL.canParse(host)) return undefined;
  const [before = '', after] = new URL(host).hostname.slice(1, -1).split('::');
  const [left, right] = [before, after ?? ''].map((text) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)),
  );
  const zeros = Array<number>(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill(0);
  return [...(left ?? []), ...zeros, ...(right ?? [])];
}
