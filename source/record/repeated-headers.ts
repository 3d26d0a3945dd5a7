import type { RequestRecord } from './request-record.ts';

/** Headers of one connection, those that every client sets by itself, and the id, which is new each time. */
const ownHeaders = new RegExp(
  '^(host|connection|keep-alive|upgrade|expect|te|trailer|content-length|transfer-encoding|accept-encoding|' +
    'user-agent|x-request-id|:.*)$',
  'i',
);

/** The headers of a recorded request that belong to one that repeats it; one name may come more than once. */
export function toRepeatedHeaders({ details }: Pick<RequestRecord, 'details'>): readonly (readonly [string, string])[] {
  return (details?.headers ?? []).filter(([name]) => !ownHeaders.test(name));
}
