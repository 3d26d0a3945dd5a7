import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import type { ContextRequest } from '../../server-runtime/capability/context.ts';
import { interceptEvents } from '../../server-runtime/patches/intercept-events.ts';
import type { Application } from '../../server-runtime/server/create-application.ts';
import type { AnsweredRequest } from '../../server-runtime/server/hooks.ts';
import { tapOutput } from '../patches/tap-output.ts';
import { RecordedCall } from './recorded-call.ts';
import type { RequestRecord } from './request-record.ts';

export interface RequestRecorder {
  /** Looks on at the requests of a server. */
  readonly attach: (server: Server) => void;
  /** Looks away from a server that only passes its requests on. */
  readonly detach: (server: Server) => void;
  /** The application with its calls looked on at. */
  readonly observe: (app: Application) => Application;
  /** Tells at once what waits to be told. */
  readonly flush: () => void;
}

export interface RecorderOptions {
  readonly detailsPerSecond: number;
}

/** Requests are told of together, milliseconds. */
const FLUSH_MS = 100;
/** Requests in a second from which on nobody follows them one by one. */
const MANY = 200;
/** The number of requests in such a second that have details. */
const DETAILS_OF_MANY = 2;

/**
 * Records requests: a line for each, and for up to `detailsPerSecond` what they carried and what became of it, for
 * fewer where there are many. `tell` gets them in the order in which they ended.
 */
export function createRequestRecorder(
  tell: (requests: readonly RequestRecord[]) => void,
  { detailsPerSecond }: RecorderOptions,
): RequestRecorder {
  const calls = new RecordedCalls();
  const attached = new WeakSet<Server>();
  const takesDetails = createBudget(detailsPerSecond);
  let waiting: RequestRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let count = 0;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) tell(waiting);
    waiting = [];
  };
  const end = (record: RequestRecord): void => {
    waiting.push(record);
    timer ??= setTimeout(flush, FLUSH_MS).unref();
  };
  if (detailsPerSecond > 0) tapOutput((stream, text) => calls.current?.addLog(stream, text));

  return {
    attach: (server) => {
      if (detailsPerSecond === 0) return;
      attached.add(server);
      interceptEvents(server, (pass, event, details) => {
        if (event !== 'request' || !attached.has(server) || !takesDetails()) return pass(event, details);
        const [incoming, response] = details as [IncomingMessage, ServerResponse];
        const call = new RecordedCall(++count, incoming, response);
        response.once('close', () => {
          calls.end(call);
          end(call.toRecord());
        });
        return calls.begin(call, () => pass(event, details));
      });
    },
    detach: (server) => void attached.delete(server),
    observe: (app) => ({ ...app, ...observe(app, calls, (answered) => end(toPlainRecord(answered, ++count))) }),
    flush,
  };
}

function observe(
  app: Application,
  calls: RecordedCalls,
  endWithoutDetails: (answered: AnsweredRequest) => void,
): Pick<Application, 'hooks' | 'execute'> {
  const { onRequest, onResponse, onError } = app.hooks;
  return {
    hooks: {
      ...app.hooks,
      onRequest: (request) => {
        // One that a context begins in the same turn is another call.
        if (request.transport !== 'invoke') calls.name(request);
        onRequest?.(request);
      },
      onResponse: (answered) => {
        const call = calls.find(answered.request);
        if (call === undefined) endWithoutDetails(answered);
        else call.answered = answered;
        onResponse?.(answered);
      },
      onError: (failed) => {
        calls.find(failed.request)?.setFailed(failed);
        onError?.(failed);
      },
    },
    execute: (call, done) => {
      const recorded = calls.find(call.request);
      if (recorded === undefined) return app.execute(call, done);
      const tell: typeof done = (outcome) => {
        if (outcome.ok) recorded.setAnswer(outcome.value);
        done(outcome);
      };
      calls.run(recorded, () => app.execute(recorded.watch(call), tell));
    },
  };
}

/** The words in the place of a method, by transport. */
const ways: Readonly<Record<string, string>> = { mcp: 'MCP', queue: 'JOB' };

function toPlainRecord({ request, capability, status, durationMs }: AnsweredRequest, id: number): RequestRecord {
  const { url, requestId, transport } = request;
  const at = Date.now() - Math.round(durationMs);
  return { id, at, method: ways[transport] ?? request.method, url, capability, status, durationMs, requestId };
}

/** Says yes up to `perSecond` times in each second, and less often when the second before had many questions. */
function createBudget(perSecond: number): () => boolean {
  let second = 0;
  let asked = 0;
  let budget = perSecond;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      budget = now === second + 1 && asked > MANY ? Math.min(perSecond, DETAILS_OF_MANY) : perSecond;
      [second, asked] = [now, 0];
    }
    return ++asked <= budget;
  };
}

/** The calls that are looked at while they run. While there is none, recording costs nothing. */
class RecordedCalls {
  /** Which call code runs for, to know whose lines it writes. It slows asynchronous code down while in use. */
  readonly #running = new AsyncLocalStorage<RecordedCall>();
  /** The requests of the calls under way; undefined before one is named. */
  readonly #under = new Map<RecordedCall, ContextRequest | undefined>();
  readonly #byRequest = new Map<ContextRequest, RecordedCall>();

  /** The call that the code runs for that asks. */
  get current(): RecordedCall | undefined {
    return this.#under.size === 0 ? undefined : this.#running.getStore();
  }

  /** Gives a server a call; it names its request in the code that runs for it, at the latest with its body. */
  begin(call: RecordedCall, serve: () => boolean): boolean {
    this.#under.set(call, undefined);
    return this.#running.run(call, serve);
  }

  /** The request is that of the call that the code runs for that says so, unless that has one already. */
  name(request: ContextRequest): void {
    const call = this.current;
    if (call === undefined || !this.#under.has(call) || this.#under.get(call) !== undefined) return;
    this.#under.set(call, request);
    this.#byRequest.set(request, call);
  }

  find(request: ContextRequest): RecordedCall | undefined {
    return this.#byRequest.get(request);
  }

  run(call: RecordedCall, work: () => void): void {
    this.#running.run(call, work);
  }

  end(call: RecordedCall): void {
    this.#under.delete(call);
    if (this.#under.size > 0) return;
    this.#byRequest.clear();
    this.#running.disable();
  }
}
