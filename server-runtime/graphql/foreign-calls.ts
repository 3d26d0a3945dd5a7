import { type EventEmitter, setMaxListeners } from 'node:events';
import { isSse } from '../capability/reply.ts';
import { createSource, type ItemSource } from '../resources/item-source.ts';
import type { Application } from '../server/application.ts';
import { invokeOperation, toLowerNames } from '../server/invoke-operation.ts';
import type { TransportCall } from '../server/transport.ts';
import { readFieldInput, toFieldAnswer, toFieldPlace } from './execution/field-parts.ts';
import { toGraphqlError } from './schema/errors.ts';
import type { FieldToRun } from './schema/to-schema.ts';

/** The caller of an operation, as another server of GraphQL knows it. */
export type ForeignCaller = Pick<TransportCall, 'headers' | 'remoteAddress' | 'signal'>;

/** Runs fields for a server of another library: each is a call of its own. */
export function createForeignRun(
  app: Application,
  findCaller: (context: unknown) => ForeignCaller,
): (field: FieldToRun) => Promise<unknown> {
  const toError = (thrown: unknown): Error => toGraphqlError(app.toFailure(thrown), app.logger);
  return async (field) => {
    const { operation, context, info } = field;
    const { headers = {}, remoteAddress, signal } = findCaller(context);
    const read = readFieldInput(field, toLowerNames(headers));
    const outcome = await invokeOperation(
      app,
      {
        capability: operation.key,
        input: read.ok ? read.value : {},
        place: toFieldPlace(info),
        headers,
        signal,
      },
      {
        transport: 'graphql',
        remoteAddress,
        // Each execution has variables of its own, where it has none, too.
        group: info.variableValues,
        checkInput: () => read,
        finish: (handled, call) => {
          const toData = (item: unknown): unknown => (isSse(item) ? item.data : item);
          const toItems = (items: ItemSource): unknown =>
            withErrors(call.toData(items, toData) as ItemSource, toError);
          return toFieldAnswer(handled, { operation, addCookie: () => {}, toItems });
        },
      },
    );
    if (outcome.ok) return outcome.value;
    throw toGraphqlError(outcome.failure, app.logger);
  };
}

/** The same items, whose error is one for the caller. */
function withErrors(items: ItemSource, toError: (thrown: unknown) => Error): ItemSource {
  const next = async (): Promise<IteratorResult<unknown>> => {
    try {
      return await items.next();
    } catch (thrown) {
      throw toError(thrown);
    }
  };
  return createSource(false, next, items.end);
}

type ForeignHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
type ForeignResponse = Pick<EventEmitter, 'once'> & { readonly writableFinished?: boolean };

interface ForeignRequest {
  readonly headers?: Pick<Headers, 'entries'> | ForeignHeaders;
  readonly signal?: AbortSignal;
  readonly ip?: string;
  readonly socket?: { readonly remoteAddress?: string };
  readonly res?: ForeignResponse;
}

interface ForeignContext {
  readonly request?: ForeignRequest;
  readonly req?: ForeignRequest;
  readonly res?: ForeignResponse;
  readonly reply?: { readonly request: ForeignRequest; readonly raw?: ForeignResponse };
}

/** Reads the request in the contexts of yoga (`request`), Apollo and Express (`req`), and mercurius (`reply`). */
export function findForeignCaller(context: unknown): ForeignCaller {
  const { request, req, res, reply } = Object(context) as ForeignContext;
  const { headers, signal, ip, socket } = request ?? req ?? reply?.request ?? {};
  const response = reply?.raw ?? res ?? req?.res;
  return {
    headers: toHeaderTexts(headers),
    remoteAddress: ip ?? socket?.remoteAddress,
    // The signal of Fastify fires once the body is read.
    signal: toSignal(response ?? signal),
  };
}

function toHeaderTexts(headers: ForeignRequest['headers'] = {}): Record<string, string> {
  // Yoga brings a class of its own.
  const isOfFetch = typeof headers['entries'] === 'function';
  const entries = isOfFetch ? [...(headers as Headers).entries()] : Object.entries(headers);
  const named = entries.flatMap(([name, value]: readonly [string, ForeignHeaders[string]]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return Object.fromEntries(named);
}

/** Fires when a response is closed before it was sent, or with the signal of a request. */
function toSignal(source: ForeignResponse | AbortSignal | undefined): AbortSignal | undefined {
  if (source === undefined) return undefined;
  return share(source, (leave) => {
    if (!('aborted' in source))
      source.once('close', () => {
        if (source.writableFinished !== true) leave();
      });
    else if (source.aborted) leave();
    else source.addEventListener('abort', leave, { once: true });
  });
}

/** The signals of operations, by what tells that a caller has left. */
const leaveSignals = new WeakMap<object, AbortSignal>();

/** One signal for all fields of an operation. Node warns of many listeners unless they are expected. */
function share(source: object, listen: (leave: () => void) => void): AbortSignal {
  const known = leaveSignals.get(source);
  if (known !== undefined) return known;
  const caller = new AbortController();
  setMaxListeners(0, caller.signal);
  leaveSignals.set(source, caller.signal);
  listen(() => caller.abort());
  return caller.signal;
}
