import type { RequestRecord } from '../../../record/request-record.ts';

/** Sends a recorded request again, with its headers and body. Gives what came of it, for people. */
export async function replayRequest({ method, url, details }: RequestRecord, serverUrl: string): Promise<string> {
  if (details === undefined) return 'Its headers and body were not kept';
  const hadBody = details.headers.some(
    ([name, value]) => /^(content-length|transfer-encoding)$/i.test(name) && value !== '0',
  );
  if (hadBody && details.body === undefined) return 'Its body was not kept: it is not short text';
  const headers = details.headers.filter(
    ([name]) => !/^(host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|:.*)$/i.test(name),
  );
  const startedAt = performance.now();
  try {
    const response = await fetch(serverUrl + url, {
      method,
      headers: headers as [string, string][],
      redirect: 'manual',
      ...(details.body !== undefined && { body: details.body }),
    });
    await response.body?.cancel();
    return `Sent again: ${response.status} in ${Math.round(performance.now() - startedAt)} ms`;
  } catch (error) {
    return `It could not be sent again: ${error instanceof Error ? error.message : String(error)}`;
  }
}
