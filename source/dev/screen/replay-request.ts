import { toRepeatedHeaders } from '../../record/capability-curl.ts';
import type { RequestRecord } from '../../record/request-record.ts';

/** A sentence about the answer, and the id under which the server has recorded the request. */
interface Replay {
  readonly text: string;
  readonly requestId?: string | undefined;
}

/** An answer that does not end is given up after so long, milliseconds. */
const READ_MS = 5_000;

/** Sends a recorded request again, with its headers and body. */
export async function replayRequest(request: RequestRecord, serverUrl: string): Promise<Replay> {
  const { method, url, details } = request;
  if (details === undefined) return { text: 'Its headers and body were not kept' };
  const hadBody = details.headers.some(
    ([name, value]) => /^(content-length|transfer-encoding)$/i.test(name) && value !== '0',
  );
  if (hadBody && details.body === undefined) return { text: 'Its body was not kept: it is not short text' };
  const startedAt = performance.now();
  const reading = new AbortController();
  try {
    const response = await fetch(serverUrl + url, {
      method,
      headers: toRepeatedHeaders(request) as [string, string][],
      redirect: 'manual',
      signal: reading.signal,
      ...(details.body !== undefined && { body: details.body }),
    });
    const timer = setTimeout(() => reading.abort(), READ_MS);
    await response.arrayBuffer().catch(() => undefined);
    clearTimeout(timer);
    const text = `Sent again: ${response.status} in ${Math.round(performance.now() - startedAt)} ms`;
    return { text, requestId: response.headers.get('x-request-id') ?? undefined };
  } catch (error) {
    return { text: `It could not be sent again: ${error instanceof Error ? error.message : String(error)}` };
  }
}
