import { type RecordedFailure, readDevJournal } from '../files/server-state.ts';
import type { RequestDetails, RequestRecord } from './request-record.ts';

/** A request as a `capix dev` writes it down for other processes: its event `request`, and why it failed. */
export interface WrittenRequest
  extends Pick<
      RequestRecord,
      'method' | 'url' | 'capability' | 'status' | 'durationMs' | 'requestId'
    >,
    Pick<RequestDetails, 'marks'> {
  /** When it ended, as a date of ISO 8601. */
  readonly time: string;
  /** The path of its route; missing where none matched. */
  readonly route?: string | undefined;
  readonly failure?: RecordedFailure | undefined;
}

/** The last requests of a `capix dev`, the one that ended first at first. `pid`: the id of its process. */
export async function readRequests(root: string, pid: number): Promise<readonly WrittenRequest[]> {
  const events = (await readDevJournal(root, pid)) as readonly {
    readonly event?: unknown;
  }[];
  const failures = new Map<unknown, RecordedFailure>();
  for (const event of events) if (isFailure(event)) failures.set(event.requestId, event);
  return (events as readonly (WrittenRequest & { readonly event?: unknown })[])
    .filter(({ event }) => event === 'request')
    .map((request) => ({
      ...request,
      // A job has the id of the request that has enqueued it, and may fail where that did not.
      failure: request.status < 500 ? undefined : failures.get(request.requestId),
    }));
}

function isFailure(event: { readonly event?: unknown }): event is RecordedFailure {
  return event.event === 'failure';
}
