import type { ManifestCapability } from '../manifest/manifest.ts';
import { fillPath, toFormFields, toQuery } from '../record/curl-text.ts';
import type { CallInput } from './call-input.ts';
import type { CallResult } from './call-messages.ts';
import { readFiles } from './read-files.ts';
import type { RequestHeaders } from './request-headers.ts';

export interface CallServerOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly input: CallInput;
  readonly headers: RequestHeaders;
  readonly signal: AbortSignal;
}

/** Calls a capability of a running server over HTTP, with files as a form. Rejects where nothing answers, or a file cannot be read. */
export async function callServer(
  capability: ManifestCapability,
  { baseUrl, input: { json, files }, headers, signal }: CallServerOptions,
): Promise<CallResult> {
  const { method } = capability;
  const { path, rest } = fillPath(capability, json);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const sent = !hasBody ? { headers } : await toBody(rest, { files, headers });
  const startedAt = performance.now();
  const response = await fetch(`${baseUrl}${path}${hasBody ? '' : toQuery(rest)}`, { method, signal, ...sent });
  const text = await response.text();
  return { status: response.status, durationMs: performance.now() - startedAt, body: parseBody(text) };
}

async function toBody(
  fields: Readonly<Record<string, unknown>>,
  { files, headers }: Pick<CallInput, 'files'> & Pick<CallServerOptions, 'headers'>,
): Promise<{ readonly body: string | FormData; readonly headers: RequestHeaders }> {
  if (Object.keys(files).length === 0)
    return { body: JSON.stringify(fields), headers: { 'content-type': 'application/json', ...headers } };
  const form = new FormData();
  for (const [name, text] of toFormFields(fields)) form.append(name, text);
  // A field that is read as a stream must be the last.
  for (const [name, read] of await readFiles(files)) {
    for (const { buffer, mimeType, filename } of read)
      form.append(name, new Blob([new Uint8Array(buffer)], { type: mimeType }), filename);
  }
  return { body: form, headers };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
