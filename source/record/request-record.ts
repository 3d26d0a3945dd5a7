import type { BegunOperation, ClosedConnection } from '../../server-runtime/server/application.ts';
import type { Marks } from './call-marks.ts';

/**
 * A request and its answer, from the server to the screen. Text is as sent; the code that shows it masks and strips it.
 */
export interface RequestRecord {
  /** Unique among all processes of the server. */
  readonly id: string;
  /** When it came, milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly capability?: string | undefined;
  /** The operation of GraphQL in its body. */
  readonly operation?: OperationRecord | undefined;
  /** Its fields, unless there were too many requests. */
  readonly fields?: readonly FieldRecord[] | undefined;
  /** 0 where the client left before an answer. */
  readonly status: number;
  readonly durationMs: number;
  /** Bytes of the answer with its head; known where there are details. */
  readonly bytes?: number | undefined;
  readonly requestId?: string | undefined;
  /** How the connection that it opened has ended. The record comes again with it, under the same id. */
  readonly closed?: ClosedRecord | undefined;
  /** Missing where there were more requests than records with details. */
  readonly details?: RequestDetails | undefined;
}

/** The end of a connection, and what it has carried. */
export interface ClosedRecord extends Omit<ClosedConnection, 'connection'> {
  readonly openMs: number;
}

/** The details of a request. Values are `Preview`s: cut where long, and free of secrets. */
export interface RequestDetails {
  /** Names as they were sent, values whole: a replay needs them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Headers of the answer, as they were sent; none where nothing was. */
  readonly answerHeaders: readonly (readonly [name: string, value: string])[];
  /** The body as text, where it is short text: a replay needs it. */
  readonly body?: string | undefined;
  /** The input of the handler, validated. It is merged and coerced only, where the call ended before the validation. */
  readonly input?: Preview;
  /** The input before its validation, where that has made another one of it. */
  readonly sent?: Preview;
  readonly hasRun: boolean;
  readonly context?: Preview;
  readonly guards: readonly GuardRecord[];
  readonly answer?: Preview;
  readonly error?: RecordedError | undefined;
  readonly logs: readonly RecordedLine[];
  /** Where its time went. */
  readonly marks?: Marks | undefined;
  /** The names that its capability declares to hold secrets, besides those that look like it. */
  readonly secretNames?: readonly string[];
}

/** An operation of GraphQL, by its name, or by its fields: `{ getUser listPosts }`. */
export type OperationRecord = Pick<BegunOperation, 'kind' | 'title'>;

/** A field of an operation which is a call, or as many calls as a link makes. */
export interface FieldRecord {
  /** Its path in the answer, without the places in lists: `listPosts.author`. */
  readonly path: string;
  readonly capability: string;
  readonly calls: number;
  readonly failed: number;
  /** That of its first error; 200 without one, and 0 where its caller left before. */
  readonly status: number;
  readonly error: Pick<RecordedError, 'name' | 'message'> | undefined;
  /** From the start of its first call to the end of the last one. */
  readonly durationMs: number;
  readonly details: RequestDetails;
}

export interface RecordedLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface GuardRecord {
  readonly name: string;
  /** Why it rejected; missing where it let the request pass. */
  readonly rejection?: string | undefined;
}

export interface RecordedError {
  readonly name: string;
  readonly message: string;
  readonly meta?: Preview;
  /** With source-mapped frames; missing where nothing was thrown. */
  readonly stack?: string | undefined;
}

/** Plain JSON that stands for any value. */
export type Preview =
  | null
  | boolean
  | number
  | string
  | readonly Preview[]
  | { readonly [name: string]: Preview }
  | undefined;
