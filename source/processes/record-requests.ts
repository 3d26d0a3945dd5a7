import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import type { ContextRequest } from '../../server-runtime/capability/context.ts';
import type { AnsweredRequest } from '../../server-runtime/server/hooks.ts';
import type { Application } from '../../server-runtime/server/transport.ts';
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

/** Requests are told of together, milliseconds. */
const FLUSH_MS = 50;

/**
 * Records requests: a line for each, and for up to `detailsPerSecond` what they carried and what became of it. `tell` gets them in the order
 * in which they ended.
 */
export function createRequestRecorder(
  tell: (requests: readonly RequestRecord[]) => void,
  { detailsPerSecond }: { readonly detailsPerSecond: number },
): RequestRecorder {
  /** The call that code runs for, to know whose lines it writes. */
  const current = new AsyncLocalStorage<RecordedCall>();
  /** The call that a server is being given. */
  let starting: RecordedCall | undefined;
  let ended: RequestRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let count = 0;
  const attached = new WeakSet<Server>();
  const takesDetails = toBudget(detailsPerSecond);

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (ended.length > 0) tell(ended);
    ended = [];
  };
  const end = (record: RequestRecord): void => {
    ended.push(record);
    timer ??= setTimeout(flush, FLUSH_MS).unref();
  };
  const watch = (incoming: IncomingMessage, response: ServerResponse, serve: () => boolean): boolean => {
    const call = new RecordedCall({ id: ++count, incoming, response });
    response.once('close', () => end(call.toRecord()));
    starting = call;
    const isServed = serve();
    starting = undefined;
    return isServed;
  };
  if (detailsPerSecond > 0) tapOutput((stream, text) => current.getStore()?.addLog(stream, text));

  return {
    attach: (server) => {
      if (detailsPerSecond === 0) return;
      attached.add(server);
      const emit = server.emit.bind(server) as (...args: unknown[]) => boolean;
      const emitRecorded = (...args: unknown[]): boolean => {
        const [event, incoming, response] = args;
        if (event !== 'request' || !attached.has(server) || !takesDetails()) return emit(...args);
        return watch(incoming as IncomingMessage, response as ServerResponse, () => emit(...args));
      };
      server.emit = emitRecorded as typeof server.emit;
    },
    detach: (server) => void attached.delete(server),
    observe: (app) =>
      observe(app, {
        current,
        findStarting: () => starting,
        endWithoutDetails: (answered) => end(toPlainRecord(answered, ++count)),
      }),
    flush,
  };
}

interface Calls {
  readonly current: AsyncLocalStorage<RecordedCall>;
  readonly findStarting: () => RecordedCall | undefined;
  readonly endWithoutDetails: (answered: AnsweredRequest) => void;
}

/** Where a request keeps its call: a map of requests that come and go by the thousand costs more. */
const CALL = Symbol('call');

type Watched = ContextRequest & { [CALL]?: RecordedCall };

function observe(app: Application, { current, findStarting, endWithoutDetails }: Calls): Application {
  const { onRequest, onResponse, onError } = app.hooks;
  return {
    ...app,
    hooks: {
      onRequest: (request) => {
        const call = findStarting();
        if (call !== undefined) (request as Watched)[CALL] = call;
        onRequest?.(request);
      },
      onResponse: (answered) => {
        const call = (answered.request as Watched)[CALL];
        if (call === undefined) endWithoutDetails(answered);
        else call.setAnswered(answered);
        onResponse?.(answered);
      },
      onError: (failed) => {
        (failed.request as Watched)[CALL]?.setFailed(failed);
        onError?.(failed);
      },
    },
    execute: (call, done) => {
      const recorded = (call.request as Watched)[CALL];
      if (recorded === undefined) return app.execute(call, done);
      const tell: typeof done = (outcome) => {
        if (outcome.ok) recorded.setAnswer(outcome.value);
        done(outcome);
      };
      current.run(recorded, () => app.execute(recorded.watch(call), tell));
    },
  };
}

function toPlainRecord({ request, capability, status, durationMs }: AnsweredRequest, id: number): RequestRecord {
  const { method, url, requestId } = request;
  return { id, at: Date.now() - Math.round(durationMs), method, url, capability, status, durationMs, requestId };
}

/** Says yes up to `perSecond` times in each second. */
function toBudget(perSecond: number): () => boolean {
  let second = 0;
  let used = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, used] = [now, 0];
    return ++used <= perSecond;
  };
}

/** Gives what is written to stdout and stderr, which goes on as it did. */
function tapOutput(take: (stream: 'stdout' | 'stderr', text: string) => void): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const { write } = process[name];
    process[name].write = function tapped(this: NodeJS.WriteStream, ...args: unknown[]): boolean {
      if (typeof args[0] === 'string') take(name, args[0]);
      return (write as (...args: unknown[]) => boolean).apply(this, args);
    } as typeof write;
  }
}
