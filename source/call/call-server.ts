import { fillPath, toQuery } from '../project/curl-text.ts';
import type { ManifestCapability } from '../project/manifest.ts';
import type { CallResult } from './call-messages.ts';

export interface CallServerOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
}

/** Calls a capability of a running server over HTTP. Rejects where nothing answers. */
export async function callServer(
  capability: ManifestCapability,
  { baseUrl, input, signal }: CallServerOptions,
): Promise<CallResult> {
  const { method } = capability;
  const { path, rest } = fillPath(capability, input);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const startedAt = performance.now();
  const response = await fetch(`${baseUrl}${path}${hasBody ? '' : toQuery(rest)}`, {
    method,
    signal,
    ...(hasBody ? { body: JSON.stringify(rest), headers: { 'content-type': 'application/json' } } : {}),
  });
  const text = await response.text();
  return { status: response.status, durationMs: performance.now() - startedAt, body: parseBody(text) };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
