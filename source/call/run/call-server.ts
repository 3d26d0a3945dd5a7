import { Agent, buildConnector, type Dispatcher, FormData, request } from 'undici';
import { usageError } from '../../cli/cli-error.ts';
import type { Listed } from '../../manifest/listed.ts';
import { fillPath, toCurlFields, toQueryString } from '../../record/capability-curl.ts';
import { type CallInput, readFiles } from './call-input.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { CallRequest, CallResult, HttpResponse } from './run-call.ts';

export interface CallServerOptions extends Pick<CallRequest, 'input' | 'headers' | 'on'> {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

/**
 * Calls a capability of a running server over HTTP, with files as a form. Each call has a connection of its own, since
 * the server may be another one than a moment ago, and waits until it is answered or `signal` fires. The answer is the
 * server's own: redirects are shown, not followed. `durationMs` is counted from the open connection on. Rejects where
 * nothing answers, a file cannot be read, or a value of the path would be lost on the way.
 */
export async function callServer(
  capability: Listed,
  { baseUrl, input: { json, files }, headers, signal, on }: CallServerOptions,
): Promise<CallResult> {
  const { method } = capability;
  refuseLostSegments(capability, json);
  const { path, rest, headers: declared } = fillPath(capability, json);
  // In the lines of a stream that is no event stream, what fails in the middle looks like an item.
  const all = { accept: 'application/json, text/event-stream, */*', ...headers, ...declared };
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const sent = !hasBody ? { headers: all } : await loadBody(rest, { files, headers: all });
  const connection = openConnection();
  try {
    const url = `${baseUrl}${path}${hasBody ? '' : toQueryString(rest)}`;
    const answer = await request(url, { method, signal, dispatcher: connection.agent, ...sent });
    const read = await readBody(answer, on?.onItem);
    const durationMs = performance.now() - connection.openedAt();
    const http = { headers: toHeaderLines(answer.headers), bytes: read.bytes };
    return { status: read.isFailed ? FAILED : answer.statusCode, durationMs, body: read.body, http };
  } finally {
    await connection.agent.destroy();
  }
}

/** The status of a stream that failed after it had begun with another one. */
const FAILED = 500;

interface ReadBody {
  readonly body: unknown;
  readonly bytes: number;
  /** Whether the body is what a stream said at its end, where it failed. */
  readonly isFailed: boolean;
}

/** Reads a body to its end; the items of a stream are told as they come. */
async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  onItem: ((item: unknown) => void) | undefined,
): Promise<ReadBody> {
  const stream = createStreamReader(String(headers['content-type'] ?? ''));
  const parts: Buffer[] = [];
  const items: unknown[] = [];
  let bytes = 0;
  const take = (more: readonly unknown[] = []): void => {
    for (const item of more) {
      items.push(item);
      onItem?.(item);
    }
  };
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    if (stream === undefined) parts.push(part);
    take(stream?.read(part));
  }
  take(stream?.end());
  if (stream === undefined) return { body: parseBody(Buffer.concat(parts).toString('utf8')), bytes, isFailed: false };
  const failure = stream.failure();
  return { body: failure ?? { data: items }, bytes, isFailed: failure !== undefined };
}

const lostSegments: readonly unknown[] = ['', '.', '..'];

/** Whoever sends a path takes such segments out of it: the request would reach another capability. */
function refuseLostSegments({ path, params }: Pick<Listed, 'path' | 'params'>, input: unknown): void {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const lost = params.find((name) => lostSegments.includes(values[name]));
  if (lost === undefined) return;
  const told = `\`${lost}\` is ${JSON.stringify(values[lost])}, which the path ${path} cannot hold`;
  throw usageError(told, 'The request would reach another route.');
}

function toHeaderLines(headers: Readonly<Record<string, string | string[] | undefined>>): HttpResponse['headers'] {
  return Object.entries(headers).flatMap(([name, value = '']) => [value].flat().map((one) => [name, one] as const));
}

/** An agent for one request, and when its connection was open. */
function openConnection() {
  const connect = buildConnector({});
  let openedAt = performance.now();
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, done) => {
      connect(options, (...result) => {
        openedAt = performance.now();
        done(...result);
      });
    },
  });
  return { agent, openedAt: () => openedAt };
}

async function loadBody(
  fields: Readonly<Record<string, unknown>>,
  { files, headers }: Pick<CallInput, 'files'> & Pick<CallServerOptions, 'headers'>,
): Promise<{ readonly body: string | FormData; readonly headers: RequestHeaders }> {
  if (Object.keys(files).length === 0)
    return { body: JSON.stringify(fields), headers: { 'content-type': 'application/json', ...headers } };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) addToForm(form, name, value);
  // A field that is read as a stream must be the last.
  for (const [name, read] of await readFiles(files)) {
    for (const { buffer, mimeType, filename } of read)
      form.append(name, new Blob([new Uint8Array(buffer)], { type: mimeType }), filename);
  }
  return { body: form, headers };
}

/** Texts as they are, and objects as parts of JSON. */
function addToForm(form: FormData, name: string, value: unknown): void {
  const items = [value].flat();
  const isText = items.every((each) => typeof each !== 'object' || each === null);
  if (!isText) form.append(name, new Blob([JSON.stringify(value)], { type: 'application/json' }));
  else for (const [, text] of toCurlFields({ [name]: value })) form.append(name, text);
}

/** Reads the items of a stream out of the bytes of an answer. */
export interface StreamReader {
  /** The items that end in these bytes. */
  readonly read: (bytes: Uint8Array) => readonly unknown[];
  /** The item that the end of the answer has ended. */
  readonly end: () => readonly unknown[];
  /** The error that the stream ended with. */
  readonly failure: () => unknown;
}

/** Reads server-sent events, and lines of JSON; undefined for another type. */
export function createStreamReader(contentType: string): StreamReader | undefined {
  if (/^text\/event-stream\b/i.test(contentType)) return createReader(/\r\n\r\n|\n\n|\r\r/, readEvent);
  if (/^application\/(x-)?(ndjson|jsonl|json-lines)\b/i.test(contentType)) return createReader(/\r?\n/, readLine);
  return undefined;
}

type Part = { readonly item: unknown } | { readonly failure: unknown } | undefined;

function createReader(separator: RegExp, readPart: (text: string) => Part): StreamReader {
  const decoder = new TextDecoder();
  let rest = '';
  let failure: unknown;
  const readText = (text: string): readonly unknown[] => {
    const part = readPart(text);
    if (part !== undefined && 'failure' in part) failure = part.failure;
    return part !== undefined && 'item' in part ? [part.item] : [];
  };
  return {
    read: (bytes) => {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split(separator);
      rest = parts.pop() ?? '';
      return parts.flatMap(readText);
    },
    end: () => readText(rest),
    failure: () => failure,
  };
}

/** An event without data says that the connection lives. */
function readEvent(text: string): Part {
  const fields = text.split(/\r\n|\n|\r/).map((line) => /^(\w*):? ?(.*)$/.exec(line) ?? []);
  const find = (wanted: string) => fields.flatMap(([, name, value = '']) => (name === wanted ? [value] : []));
  const data = find('data');
  if (data.length === 0) return undefined;
  const value = parseBody(data.join('\n'));
  return find('event').at(-1) === 'error' ? { failure: value } : { item: value };
}

/** The last line of a stream that failed is the body of an error. */
function readLine(text: string): Part {
  if (text.trim() === '') return undefined;
  const value = parseBody(text);
  const isFailure = typeof value === 'object' && value !== null && /^\{"error":"[^"]+","message":/.test(text);
  return isFailure ? { failure: value } : { item: value };
}

/** A body that is no JSON is a text. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
