import type { RequestRecord } from '../../../record/request-record.ts';

/** Headers that concern one connection or one body, or that every client sets by itself. */
const ownHeaders =
  /^(host|connection|keep-alive|upgrade|expect|te|content-(length|type|encoding)|accept-encoding|user-agent|accept|transfer-encoding|:.*)$/i;

/** The headers of a request to be called with again, secrets with them, by names in lower case; those of one name as one. */
export function toReplayHeaders({ details }: Pick<RequestRecord, 'details'>): Readonly<Record<string, string>> {
  const headers = (details?.headers ?? []).filter(([name]) => !ownHeaders.test(name));
  return Object.fromEntries(new Headers(headers.map(([name, value]): [string, string] => [name, value])));
}
