import { createParser } from 'eventsource-parser';
import { type Dispatcher, request } from 'undici';
import { toForm } from '../../server-runtime/client/create-client-of.ts';
import {
  type CalledRoute,
  type FilledRoute,
  fillRoute,
  toAddress,
  toWholeText,
} from '../../server-runtime/routing/fill-route.ts';
import { usageError } from '../cli/cli-error.ts';
import type { Listed } from '../manifest/manifest.ts';
import { openDispatcher } from '../system/proxies.ts';
import { isJsonObject } from '../values/json.ts';
import { type CallInput, readFiles } from './call-input.ts';
import type { CallRequest, CallResult } from './perform-call.ts';

type ServerRequest = Omit<CallRequest, 'key'> & { readonly baseUrl: string };

/**
 * Calls a capability of a running server over HTTP, with files as a form. Each call has a connection of its own, since
 * the server may be another one than a moment ago. The answer is the server's own: no redirect is followed, and
 * one that the capability does not declare fails. Rejects where nothing answers, a file cannot be read, or a value of
 * the path would be lost on the way.
 */
export async function callServer(
  capability: Listed,
  { baseUrl, input: { json, files }, headers, signal, on }: ServerRequest,
): Promise<CallResult> {
  const { method, facts } = capability;
  refuseLostSegments(capability, json);
  const {
    url,
    rest,
    headers: declared,
    whole,
  } = fillRoute({ ...capability, sent: facts.sent, body: facts.body }, json);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const load = (): Promise<LoadedBody> =>
    facts.body === undefined ? loadBody(rest, files) : loadWholeBody(whole, facts.body, files);
  const { type, body = null }: LoadedBody = hasBody ? await load() : {};
  const sent = {
    // The server sends the items of a stream as events, in which a failure in the middle is not an item.
    accept: 'application/json, text/event-stream, */*',
    ...(type && { 'content-type': type }),
    ...headers,
    ...declared,
  };
  const dispatcher = openDispatcher();
  const startedAt = performance.now();
  try {
    const response = await request(toAddress(baseUrl, url), {
      method,
      signal: signal ?? null,
      dispatcher,
      headers: sent,
      body,
    });
    const { bytes, ...read } = await readBody(response, on?.onItem);
    const lines = Object.entries(response.headers).flatMap(([name, value = '']) =>
      [value].flat().map((one) => [name, one] as const),
    );
    const durationMs = performance.now() - startedAt;
    return {
      status: response.statusCode,
      durationMs,
      http: { headers: lines, bytes },
      ...read,
      ...findRedirect(capability, response),
    };
  } finally {
    await dispatcher.destroy();
  }
}

/** What the answer is where it leads elsewhere, and the capability declares no redirect. */
function findRedirect(
  { responses }: Pick<Listed, 'responses'>,
  { statusCode: status, headers: { location } }: Dispatcher.ResponseData,
): Pick<CallResult, 'body' | 'isRedirected'> | undefined {
  const isDeclared = responses.some(({ kind }) => kind === 'redirect');
  if (status < 300 || status >= 400 || location === undefined || isDeclared) return undefined;
  const to = [location].flat().join(', ');
  const message = `the server redirects to ${to}; \`.output(redirect)\` declares a redirect of the API itself`;
  return { isRedirected: true, body: { error: 'Redirected', message } };
}

const lostSegments: readonly unknown[] = ['', '.', '..'];

/** Whoever sends a path takes such segments out of it: the request would reach another capability. */
function refuseLostSegments(
  { path, params }: Pick<Listed, 'path' | 'params'>,
  input: unknown,
): void {
  const values = isJsonObject(input) ? input : {};
  const lost = params.find((name) => lostSegments.includes(values[name]));
  if (lost === undefined) return;
  const problem = `\`${lost}\` is ${JSON.stringify(values[lost])}, which the path ${path} cannot hold`;
  throw usageError(problem, 'The request would reach another route.');
}

interface LoadedBody {
  readonly type?: string | null;
  readonly body?: string | Buffer | null;
}

/** A body that is one field: a file, or the text of its value. */
async function loadWholeBody(
  whole: FilledRoute['whole'],
  { field, types }: NonNullable<CalledRoute['body']>,
  files: CallInput['files'],
): Promise<LoadedBody> {
  const read = await readFiles(files);
  const file = read.find(([name]) => name === field)?.[1][0];
  const [type = ''] = types;
  if (file !== undefined)
    return { type: type.includes('*') ? file.mimeType : type, body: Buffer.from(file.buffer) };
  return whole === undefined ? {} : { type: whole.type, body: toWholeText(whole) };
}

async function loadBody(
  fields: Readonly<Record<string, unknown>>,
  files: CallInput['files'],
): Promise<LoadedBody> {
  const read = await readFiles(files);
  if (read.length === 0) return { type: 'application/json', body: JSON.stringify(fields) };
  const parts = read.map(([name, sent]) => {
    const blobs = sent.map(
      ({ buffer, filename, mimeType }) =>
        new File([new Uint8Array(buffer)], filename, { type: mimeType }),
    );
    return [name, blobs] as const;
  });
  const form = new Response(toForm({ ...fields, ...Object.fromEntries(parts) }));
  return { type: form.headers.get('content-type'), body: Buffer.from(await form.arrayBuffer()) };
}

/** The status of a stream that failed after it had begun with another one. */
const FAILED = 500;

/**
 * Reads a body to its end. Reports each item of a stream when it arrives, and gives all of them as a list in `data`.
 */
async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  onItem: (item: unknown) => void = () => {},
) {
  const isStream = /^text\/event-stream\b/i.test(String(headers['content-type']));
  const items: unknown[] = [];
  let failure: unknown;
  const { feed, reset } = createParser({
    onEvent: ({ event, data }) => {
      const item = parseBody(data);
      if (event === 'error') failure = item;
      else {
        items.push(item);
        onItem(item);
      }
    },
  });
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    const more = decoder.decode(part, { stream: true });
    if (isStream) feed(more);
    else text += more;
  }
  reset({ consume: true });
  if (failure !== undefined) return { bytes, status: FAILED, body: failure };
  return { bytes, body: isStream ? { data: items } : parseBody(text) };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
