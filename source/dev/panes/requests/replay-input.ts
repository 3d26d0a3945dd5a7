import { MASK } from '../../../record/preview.ts';
import type { RequestRecord } from '../../../record/request-record.ts';

/** The input of a request as JSON, to be called with again. A secret is left out: it is for the user to fill in. */
export function toReplayInput({ details }: Pick<RequestRecord, 'details'>): string {
  return JSON.stringify(details?.input ?? {}, (_, value: unknown) => (value === MASK ? undefined : value));
}
