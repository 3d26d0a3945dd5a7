import { parse as parseQuery } from 'fast-querystring';
import { onTestFinished } from 'vitest';
import type { RestOptions } from '../../server-runtime/index.ts';
import { toInputFields, toInputPlan } from '../../server-runtime/input/input-fields.ts';
import { createMatcher } from '../../server-runtime/routing/create-matcher.ts';
import { toRouteTable } from '../../server-runtime/routing/route-table.ts';
import { internalsOf, type Server } from '../../server-runtime/server/create-server.ts';
import type { StartRest } from './start-rest.ts';
import { type Received, startSockets, type Talk } from './start-web-sockets.ts';

/** The number of items that a call has room for, as of a browser's fetch. */
const WINDOW = 8;

/**
 * Starts a server whose requests are sent as calls over a WebSocket: each is the call of the capability that its route
 * belongs to, with the fields of path, query and body as its params. A response holds what the messages say.
 */
export const startOverWebSocket: StartRest = async ({ rest = {}, ...options }) => {
  const { server, url, log, open } = await startSockets({ ...options, rest });
  const toCall = createCallReader(server, rest);
  const talks = new Map<string, Promise<Talk>>();
  /** A connection has the cookies and the address with which it was opened. */
  const openFor = (request: Request): Promise<Talk> => {
    const headers = Object.fromEntries(
      [...request.headers].filter(([name]) => ofTheConnection.has(name)),
    );
    const key = JSON.stringify(headers);
    const talk = talks.get(key) ?? open({ headers });
    talks.set(key, talk);
    return talk;
  };
  let ids = 0;
  return {
    server,
    url: url.replace('ws', 'http'),
    log,
    request: async (path, init = {}) => {
      const request = new Request(`http://messages${path}`, init);
      const text = await toCall(request);
      const talk = await openFor(request);
      ids++;
      return sendCall(talk, request, { id: ids, text });
    },
  };
};

/** The text of the call behind its id. A body that is not JSON makes a message that is not JSON. */
function createCallReader(server: Server, rest: RestOptions) {
  const { operations } = internalsOf(server).appFor(rest.capabilities).registry;
  const { routes, others } = toRouteTable(operations, rest as never);
  const match = createMatcher([...routes, ...others]);
  return async (request: Request): Promise<string> => {
    const { pathname, search } = new URL(request.url);
    const found = match(request.method, pathname);
    if (found.kind !== 'matched')
      throw new TypeError(`No capability is called by ${request.method} ${pathname}`);
    const { key, definition } = found.route.operation;
    const plan = toInputPlan(definition.schema);
    const fields = {
      ...toInputFields(parseQuery(search.slice(1)), plan),
      ...toInputFields({ ...found.params }, plan),
    };
    const headers = Object.fromEntries(
      [...request.headers].filter(([name]) => !ofTheBody.has(name) && !ofTheConnection.has(name)),
    );
    const body = await request.text();
    const facts = JSON.stringify({ method: key, headers, window: WINDOW });
    return `${facts.slice(0, -1)},"params":${addFields(body, fields)}}`;
  };
}

const ofTheBody = new Set(['content-type', 'content-length']);
const ofTheConnection = new Set(['cookie', 'origin', 'x-forwarded-for']);

function addFields(body: string, fields: object): string {
  if (body === '') return JSON.stringify(fields);
  if (!body.startsWith('{') || Object.keys(fields).length === 0) return body;
  return JSON.stringify({ ...(JSON.parse(body) as object), ...fields });
}

/** Sends a call, and makes a response of its messages. Rejects where its signal fires, and where the connection closes. */
function sendCall(talk: Talk, request: Request, call: { id: number; text: string }) {
  const { id, text } = call;
  const isLines = /ndjson/.test(request.headers.get('accept') ?? '');
  const toText = (message: Received): string => (isLines ? toLine(message) : toEvent(message));
  return new Promise<Response>((resolve, reject) => {
    const items = new TransformStream<string, Uint8Array>(
      {
        transform: (item, out) => out.enqueue(new TextEncoder().encode(item)),
      },
      { highWaterMark: WINDOW },
      { highWaterMark: 0 },
    );
    const writer = items.writable.getWriter();
    let isStream = false;
    const openStream = (status = 200): void => {
      if (!isStream)
        resolve(new Response(items.readable, { status, headers: streamHeaders(isLines) }));
      isStream = true;
    };
    const cancel = (): void => talk.send({ method: '$/cancel', params: { id } });
    const take = (message: Received): void => {
      const { method, params } = message;
      if (method === '$/goaway') return;
      if (method === '$/stream') return openStream(params?.['status'] as number | undefined);
      if (method === '$/item') {
        openStream();
        const more = (): void => talk.send({ method: '$/more', params: { id, count: 1 } });
        return void writer.write(toText(message)).then(more, cancel);
      }
      end();
      if (!isStream) return resolve(toResponse(message));
      if (message.error !== undefined) writer.write(toText(message)).catch(() => {});
      writer.close().catch(() => {});
    };
    const hear = (data: Buffer): void => {
      const message = JSON.parse(data.toString()) as Received;
      const of = message.id === undefined ? message.params?.id : (message.id ?? id);
      if (of === id) take(message);
    };
    const fail = (reason: unknown): void => {
      end();
      reject(reason as Error);
      writer.abort(reason).catch(() => {});
    };
    const lose = (): void => fail(new TypeError('The connection was closed'));
    const leave = (): void => {
      cancel();
      fail(request.signal.reason);
    };
    const end = (): void => {
      talk.webSocket.off('message', hear).off('close', lose);
      request.signal.removeEventListener('abort', leave);
    };
    writer.closed.catch(cancel);
    talk.webSocket.setMaxListeners(200).on('message', hear).on('close', lose);
    request.signal.addEventListener('abort', leave);
    onTestFinished(end);
    talk.webSocket.send(`{"jsonrpc":"2.0","id":${id},${text.slice(1)}`);
  });
}

function streamHeaders(isLines: boolean): { readonly 'content-type': string } {
  return {
    'content-type': `${isLines ? 'application/x-ndjson' : 'text/event-stream'}; charset=utf-8`,
  };
}

/** The answer of a call as the body of REST. */
function toResponse(message: Received): Response {
  const { result, status = 200, error } = message;
  if (error !== undefined) return toJson(toFailure(message), error.data.status);
  return nullBodies.has(status) ? new Response(null, { status }) : toJson({ data: result }, status);
}

const nullBodies = new Set([204, 205, 304]);

function toJson(body: unknown, status: number): Response {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return new Response(JSON.stringify(body), { status, headers });
}

function toFailure({ error }: Received): object | undefined {
  if (error === undefined) return undefined;
  const { error: name, meta } = error.data;
  return { error: name, message: error.message, meta };
}

function toLine(message: Received): string {
  return `${JSON.stringify(toFailure(message) ?? message.params?.data)}\n`;
}

function toEvent(message: Received): string {
  const { eventId, event, data } = message.params ?? {};
  if (message.error !== undefined)
    return `event: error\ndata: ${JSON.stringify(toFailure(message))}\n\n`;
  const fields = Object.entries({ event, id: eventId }) as [string, string | undefined][];
  const head = fields.map(([name, value]) => (value === undefined ? '' : `${name}: ${value}\n`));
  return `${head.join('')}data: ${JSON.stringify(data)}\n\n`;
}
