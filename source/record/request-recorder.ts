import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import type { CallerConnection, ContextRequest } from '../../server-runtime/capability/context.ts';
import type { Observer } from '../../server-runtime/capability/run-capability.ts';
import type { RunningCall } from '../../server-runtime/execution/execute.ts';
import { followWaits, lookForQueries } from '../../server-runtime/observe/waits.ts';
import type { Application, ClosedConnection } from '../../server-runtime/server/application.ts';
import type { AnsweredRequest } from '../../server-runtime/server/hooks.ts';
import { interceptEvents } from '../patches/intercept-events.ts';
import { tapOutput } from '../patches/tap-output.ts';
import { type KnownPlaces, type MarkedTimes, toStepObserver } from './call-marks.ts';
import { type Carrier, toFieldCarrier, toHttpCarrier, toMessageCarrier } from './carrier.ts';
import { followSpans } from './follow-spans.ts';
import { RecordedCall, RecordedFields } from './recorded-call.ts';
import type { OperationRecord, RequestRecord } from './request-record.ts';

/** The time for which requests are collected before they are reported together, milliseconds. */
const FLUSH_MS = 100;
/** Requests in a second from which on nobody follows them one by one. */
const MANY = 200;
/** The number of requests in such a second that have details. */
const DETAILS_OF_MANY = 2;
const MAX_TITLE_LENGTH = 200;
/** The number of operations in a second whose fields are known where nothing has details. */
const FIELDS_PER_SECOND = 50;

/**
 * Records requests: a line for each, and for up to `detailsPerSecond` what they carried and what became of it. `tell`
 * gets them in the order in which they ended.
 */
export class RequestRecorder {
  readonly #tell: (requests: readonly RequestRecord[]) => void;
  readonly #detailsPerSecond: number;
  readonly #takesDetails: () => boolean;
  readonly #attached = new WeakSet<Server>();
  /** The call that code runs for, to know whose lines it writes. It slows asynchronous code down while in use. */
  readonly #running = new AsyncLocalStorage<RecordedCall>();
  /** The calls under way that have details. */
  readonly #underWay = new Set<RecordedCall>();
  readonly #byRequest = new WeakMap<ContextRequest, RecordedCall>();
  readonly #operations = new WeakMap<ContextRequest, RecordedOperation>();
  readonly #takesFields = createBudget(FIELDS_PER_SECOND);
  /** The records of what has opened connections, and when it did. */
  readonly #opened = new WeakMap<CallerConnection, OpenedConnection>();
  readonly #places: KnownPlaces = new Map();
  #waiting: RequestRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** No other process has it. */
  readonly #prefix = randomUUID();
  #count = 0;

  constructor(tell: (requests: readonly RequestRecord[]) => void, detailsPerSecond: number) {
    this.#tell = tell;
    this.#detailsPerSecond = detailsPerSecond;
    this.#takesDetails = createBudget(detailsPerSecond);
    if (detailsPerSecond > 0) this.#followCode();
  }

  /** Sees what the code writes and waits for, in this process. */
  #followCode(): void {
    tapOutput((stream, text) => this.#findCurrent()?.addLog(stream, text));
    followWaits(this.marks);
    followSpans(this.marks);
  }

  attach(server: Server): void {
    if (this.#detailsPerSecond === 0) return;
    this.#attached.add(server);
    interceptEvents(server, (pass, event, details) => {
      if (event !== 'request' || !this.#attached.has(server) || !this.#takesDetails())
        return pass(event, details);
      const [incoming, response] = details as [IncomingMessage, ServerResponse];
      const call = this.#begin(toHttpCarrier(incoming, response));
      response.once('close', () => this.#end(this.#finish(call)));
      return this.#running.run(call, () => pass(event, details));
    });
  }

  /** Looks away from a server that only passes its requests on. */
  detach(server: Server): void {
    this.#attached.delete(server);
  }

  /** For the servers of the code; undefined where no call is recorded. */
  get observer(): Observer | undefined {
    if (this.#detailsPerSecond === 0) return undefined;
    return toStepObserver((request) => this.#byRequest.get(request as ContextRequest)?.marks);
  }

  /** Where the times of the call are noted to which the code that runs belongs; undefined where none is recorded. */
  readonly marks = (): MarkedTimes | undefined => this.#findCurrent()?.marks;

  readonly observe = (app: Application): Application => {
    const { onRequest, onResponse, onError } = app.hooks;
    return {
      ...app,
      hooks: {
        ...app.hooks,
        onRequest: (request) => {
          // One that a context begins in the same turn is another call.
          if (isMessage(request)) this.#beginMessage(request);
          else if (request.transport !== 'invoke') this.#name(request);
          onRequest?.(request);
        },
        onResponse: (answered) => {
          this.#takeAnswer(answered);
          onResponse?.(answered);
        },
        onError: (failed) => {
          this.#byRequest.get(failed.request)?.setFailed(failed);
          onError?.(failed);
        },
      },
      onConnectionClosed: (closed) => this.#takeClosed(closed),
      onOperation: ({ request, kind, title }) => {
        const isFollowed = this.#byRequest.has(request) || this.#takesFields();
        this.#operations.set(request, {
          record: { kind, title: title.slice(0, MAX_TITLE_LENGTH) },
          fields: isFollowed ? new RecordedFields() : undefined,
        });
      },
      execute: (operation, call) => {
        const recorded = this.#byRequest.get(call) ?? this.#beginField(operation.key, call);
        if (recorded === undefined) return app.execute(operation, call);
        call.marks = recorded.marks;
        const run = (): void => app.execute(recorded.watch(operation, call), call);
        // The lines that a field writes are those of its operation.
        const writer = call.parent === undefined ? recorded : this.#byRequest.get(call.parent);
        if (writer === undefined) return run();
        this.#running.run(writer, run);
      },
    };
  };

  #begin(carrier: Carrier): RecordedCall {
    lookForQueries(this.marks);
    const call = new RecordedCall(this.#nextId(), carrier, this.#places);
    this.#underWay.add(call);
    return call;
  }

  #finish(call: RecordedCall): RequestRecord {
    this.#underWay.delete(call);
    if (this.#underWay.size === 0) this.#running.disable();
    return this.#withOperation(call.toRecord(), call.answered?.request);
  }

  /** A message belongs to no request of HTTP, so that its call begins here. */
  #beginMessage(request: ContextRequest): void {
    if (this.#detailsPerSecond === 0 || !this.#takesDetails()) return;
    const { method, url, headers, transport } = request;
    const sent = { method: ways[transport] ?? method, url, headers };
    this.#byRequest.set(request, this.#begin(toMessageCarrier(sent)));
  }

  /** The call of a field is a part of its operation, which is a request. */
  #beginField(key: string, call: RunningCall): RecordedCall | undefined {
    const { parent, place } = call;
    if (parent === undefined || place === undefined) return undefined;
    const fields = this.#operations.get(parent)?.fields;
    if (fields === undefined) return undefined;
    const field = new RecordedCall(place, toFieldCarrier(place), this.#places);
    fields.add(place, key, field);
    this.#byRequest.set(call, field);
    return field;
  }

  #takeAnswer(answered: AnsweredRequest): void {
    const { request, status } = answered;
    const call = this.#byRequest.get(request);
    if (call !== undefined) call.answered = answered;
    // The end of its response is that of a request over HTTP.
    if (call !== undefined && !isMessage(request)) return;
    const record = call
      ? this.#finish(call)
      : this.#withOperation(toPlainRecord(answered, this.#nextId()), request);
    if (status === 101 && request.connection !== undefined)
      this.#opened.set(request.connection, { record, openedAtMs: performance.now() });
    this.#end(record);
  }

  #withOperation(record: RequestRecord, request: ContextRequest | undefined): RequestRecord {
    const operation = request && this.#operations.get(request);
    if (operation === undefined) return record;
    return { ...record, operation: operation.record, fields: operation.fields?.toRecords() };
  }

  #takeClosed({ connection, ...how }: ClosedConnection): void {
    const opened = this.#opened.get(connection);
    if (opened === undefined) return;
    this.#opened.delete(connection);
    const { record, openedAtMs } = opened;
    this.#end({ ...record, closed: { ...how, openMs: performance.now() - openedAtMs } });
  }

  #nextId(): string {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#tell(this.#waiting);
    this.#waiting = [];
  }

  #end(record: RequestRecord): void {
    this.#waiting.push(record);
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  #findCurrent(): RecordedCall | undefined {
    return this.#underWay.size === 0 ? undefined : this.#running.getStore();
  }

  /** The request is that of the call that the code runs for that says so, unless that has one already. */
  #name(request: ContextRequest): void {
    const call = this.#findCurrent();
    if (call === undefined || !this.#underWay.has(call) || call.isNamed) return;
    call.isNamed = true;
    this.#byRequest.set(request, call);
  }
}

/** Whether a request comes by a connection that carries many, or by a queue: none of HTTP begins and ends with it. */
function isMessage({ connection, transport }: ContextRequest): boolean {
  return connection !== undefined || transport === 'queue';
}

interface RecordedOperation {
  readonly record: OperationRecord;
  /** Undefined where there were too many operations. */
  readonly fields: RecordedFields | undefined;
}

interface OpenedConnection {
  readonly record: RequestRecord;
  readonly openedAtMs: number;
}

/** The words in the place of a method, by transport. */
const ways: Readonly<Record<string, string>> = { mcp: 'MCP', queue: 'JOB' };

function toPlainRecord(
  { request, capability, status, durationMs }: AnsweredRequest,
  id: string,
): RequestRecord {
  const { url, requestId, transport } = request;
  const at = Date.now() - Math.round(durationMs);
  return {
    id,
    at,
    method: ways[transport] ?? request.method,
    url,
    capability,
    status,
    durationMs,
    requestId,
  };
}

/** Says yes up to `perSecond` times in each second, and less often when the second before had many questions. */
function createBudget(perSecond: number): () => boolean {
  let second = 0;
  let questionCount = 0;
  let budget = perSecond;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      budget =
        now === second + 1 && questionCount > MANY
          ? Math.min(perSecond, DETAILS_OF_MANY)
          : perSecond;
      [second, questionCount] = [now, 0];
    }
    return ++questionCount <= budget;
  };
}
