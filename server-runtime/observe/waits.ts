import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { CallMarks, TraceKind } from '../capability/trace.ts';
import { setGlobal } from '../patches/set-global.ts';
import { wrapQuery } from '../patches/wrap-query.ts';

/** Ends what has begun, with what came of it. */
export type EndMark = (result?: string) => void;

/** The place where what a call waits for is noted. */
export interface WaitMarks {
  begin(kind: TraceKind, name: string): EndMark;
  /** Notes what has ended in this moment. */
  addEnded(kind: TraceKind, name: string, tookMs: number): void;
}

/** What a package says on its channel of the thing that it begins. */
type Message = Readonly<Record<string, unknown>>;

/** A channel of `node:diagnostics_channel` on which a package says what it waits for. */
interface WaitSource {
  readonly name: string;
  readonly kind: TraceKind;
  readonly toName: (message: Message) => string;
}

/** Each is published at the start and at the end: `tracing:ioredis:command:start`, `…:asyncEnd`. */
const traced: readonly WaitSource[] = [
  { name: 'ioredis:command', kind: 'redis', toName: toCommandText },
  { name: 'ioredis:batch', kind: 'redis', toName: toBatchText },
  { name: 'node-redis:command', kind: 'redis', toName: toCommandText },
  { name: 'node-redis:batch', kind: 'redis', toName: toBatchText },
  { name: 'mysql2:query', kind: 'db', toName: ({ query }) => String(query) },
  { name: 'mysql2:execute', kind: 'db', toName: ({ query }) => String(query) },
  { name: 'pg:query', kind: 'db', toName: ({ query }) => String(Object(query).text ?? query) },
];

/** The channels of each client of HTTP. That of Node says with one message that an answer came and that it ended. */
const httpChannels = [
  {
    start: 'undici:request:create',
    answer: 'undici:request:headers',
    end: 'undici:request:trailers',
    error: 'undici:request:error',
  },
  {
    start: 'http.client.request.start',
    answer: 'http.client.response.finish',
    end: 'http.client.response.finish',
    error: 'http.client.request.error',
  },
] as const;

/** The same object in all messages of a request. */
function toRequest({ request }: Message): object {
  return Object(request) as object;
}

/**
 * Notes what calls wait for in their code, as packages publish it and as `trace` says: HTTP, databases, Redis. `find`
 * gives the call to which the code that runs belongs. Called once in a process.
 */
export function followWaits(find: () => (CallMarks & WaitMarks) | undefined): void {
  setGlobal('capix.marks', find);
  const ends = new WeakMap<object, EndMark>();
  const begin = (source: Pick<WaitSource, 'kind' | 'toName'>, key: object, message: Message) => {
    const marks = find();
    if (marks !== undefined) ends.set(key, marks.begin(source.kind, source.toName(message)));
  };
  const end = (key: object, result?: string): void => {
    ends.get(key)?.(result);
    ends.delete(key);
  };
  for (const source of traced) {
    on(`tracing:${source.name}:start`, (message) => begin(source, message, message));
    on(`tracing:${source.name}:error`, (message) => end(message, 'failed'));
    on(`tracing:${source.name}:asyncEnd`, (message) => end(message));
  }
  const http = { kind: 'http', toName: toRequestText } as const;
  for (const channels of httpChannels) {
    const statuses = new WeakMap<object, string>();
    on(channels.start, (message) => begin(http, toRequest(message), message));
    on(channels.answer, (message) =>
      statuses.set(toRequest(message), String(Object(message['response']).statusCode)),
    );
    on(channels.end, (message) => end(toRequest(message), statuses.get(toRequest(message))));
    on(channels.error, (message) => end(toRequest(message), 'failed'));
  }
  // It is published when the statement has run.
  on('sqlite.db.query', ({ sql, duration }) =>
    find()?.addEnded('db', String(sql), Number(duration) / 1e6),
  );
}

/** Notes the queries of `pg` as well, where the code has loaded it meanwhile. */
export function lookForQueries(find: () => WaitMarks | undefined): void {
  wrapQuery((text) => {
    const end = find()?.begin('db', String(text));
    return end && ((failed) => end(failed ? 'failed' : undefined));
  });
}

function on(name: string, take: (message: Message) => void): void {
  // An error of ours would be one of the code that is looked at.
  subscribe(name, (message) => {
    try {
      take(message as Message);
    } catch {
      // A package that publishes something else is not read.
    }
  });
}

/** `GET https://api.test/rates?of=EUR` */
function toRequestText({ request }: Message): string {
  const sent = Object(request) as Partial<ClientRequest> & { readonly origin?: string | URL };
  const { method, origin, path, protocol } = sent;
  const host = sent.getHeader?.('host') ?? sent.host;
  const base = String(origin ?? `${protocol}//${String(host)}`);
  if (!URL.canParse(String(path), base)) return String(method);
  const url = new URL(String(path), base);
  return `${method} ${url.origin}${url.pathname}${url.search}`;
}

/** `GET user:?`, so that the same question for another key is the same. */
export function toCommandText({ command, args }: Message): string {
  const words = Array.isArray(args) ? args.map(String) : [];
  const [key] = words[0]?.toUpperCase() === String(command).toUpperCase() ? words.slice(1) : words;
  const name = String(command).toUpperCase();
  return key === undefined ? name : `${name} ${key.replaceAll(/[\da-f-]{16,}|\d+/gi, '?')}`;
}

function toBatchText({ batchMode, batchSize }: Message): string {
  const mode = typeof batchMode === 'string' ? batchMode : 'PIPELINE';
  return `${mode} of ${String(batchSize)} commands`;
}
