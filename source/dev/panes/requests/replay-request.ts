import type { RequestRecord } from '../../../record/request-record.ts';

/** The result of a replay. */
export interface Replay {
  /** A sentence that tells the status and the time, or why there is none. */
  readonly text: string;
  /** The id under which the server has recorded it; undefined where it was not sent, or the answer tells none. */
  readonly requestId?: string | undefined;
}

/** An answer that does not end is given up after so long, milliseconds. */
const READ_MS = 5_000;

/** Headers of one connection, and the id, which the new request gets its own of. */
const ownHeaders = /^(host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|x-request-id|:.*)$/i;

/** Sends a recorded request again, with its headers and body. */
export async function replayRequest({ method, url, details }: RequestRecord, serverUrl: string): Promise<Replay> {
  if (details === undefined) return { text: 'Its headers and body were not kept' };
  const hadBody = details.headers.some(
    ([name, value]) => /^(content-length|transfer-encoding)$/i.test(name) && value !== '0',
  );
  if (hadBody && details.body === undefined) return { text: 'Its body was not kept: it is not short text' };
  const headers = details.headers.filter(([name]) => !ownHeaders.test(name));
  const startedAt = performance.now();
  const reading = new AbortController();
  try {
    const response = await fetch(serverUrl + url, {
      method,
      headers: headers as [string, string][],
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
