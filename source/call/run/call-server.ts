import { Agent, buildConnector, FormData, request } from 'undici';
import { usageError } from '../../cli/errors/cli-error.ts';
import type { ManifestCapability } from '../../manifest/manifest.ts';
import { fillPath, toCurlFields, toQuery } from '../../record/capability-curl.ts';
import type { CallInput } from './call-input.ts';
import type { CallResult, HttpAnswer } from './call-protocol.ts';
import { readFiles } from './read-files.ts';
import type { RequestHeaders } from './request-headers.ts';

export interface CallServerOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly input: CallInput;
  readonly headers: RequestHeaders;
  readonly signal: AbortSignal;
}

/**
 * Calls a capability of a running server over HTTP, with files as a form. Each call has a connection of its own, since the server may be
 * another one than a moment ago, and waits until it is answered or `signal` fires. The answer is the server's own: redirects are shown, not
 * followed. `durationMs` is counted from the open connection on. Rejects where nothing answers, a file cannot be read, or
 * a value of the path would be lost on the way.
 */
export async function callServer(
  capability: ManifestCapability,
  { baseUrl, input: { json, files }, headers, signal }: CallServerOptions,
): Promise<CallResult> {
  const { method } = capability;
  refuseLostSegments(capability, json);
  const { path, rest, headers: declared } = fillPath(capability, json);
  const all = { ...headers, ...declared };
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const sent = !hasBody ? { headers: all } : await loadBody(rest, { files, headers: all });
  const startedAt = performance.now();
  const connection = openConnection();
  try {
    const url = `${baseUrl}${path}${hasBody ? '' : toQuery(rest)}`;
    const answer = await request(url, { method, signal, dispatcher: connection.agent, ...sent });
    const answeredAt = performance.now();
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const [endedAt, openedAt] = [performance.now(), connection.openedAt()];
    const text = bytes.toString('utf8');
    const http: HttpAnswer = {
      headers: toHeaderLines(answer.headers),
      text,
      bytes: bytes.byteLength,
      connectMs: openedAt - startedAt,
      waitMs: answeredAt - openedAt,
      readMs: endedAt - answeredAt,
    };
    return { status: answer.statusCode, durationMs: endedAt - openedAt, body: parseBody(text), http };
  } finally {
    await connection.agent.destroy();
  }
}

const lostSegments: readonly unknown[] = ['', '.', '..'];

/** Whoever sends a path takes such segments out of it: the request would reach another capability. */
function refuseLostSegments({ path, params }: Pick<ManifestCapability, 'path' | 'params'>, input: unknown): void {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const lost = params.find((name) => lostSegments.includes(values[name]));
  if (lost === undefined) return;
  const told = `\`${lost}\` is ${JSON.stringify(values[lost])}, which the path ${path} cannot hold`;
  throw usageError(told, 'The request would reach another route.');
}

function toHeaderLines(headers: Readonly<Record<string, string | string[] | undefined>>): HttpAnswer['headers'] {
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

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
