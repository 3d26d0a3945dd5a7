import { toRepeatedHeaders } from '../../../record/repeated-headers.ts';
import type { RequestRecord } from '../../../record/request-record.ts';

/** The headers of a request to be called with again, secrets with them, by names in lower case; those of one name as one. */
export function toReplayHeaders(request: Pick<RequestRecord, 'details'>): Readonly<Record<string, string>> {
  // The call writes a body of its own, and reads its answer in its own way.
  const headers = toRepeatedHeaders(request).filter(([name]) => !/^(content-.*|accept)$/i.test(name));
  return Object.fromEntries(new Headers(headers.map(([name, value]): [string, string] => [name, value])));
}
