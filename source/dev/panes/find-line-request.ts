import type { RequestEntry } from '../dev-store.ts';
import type { LogLine } from './log/log-buffer.ts';

/**
 * The request that wrote a line of the log: the one whose id the line names, else the one nearest in time that recorded such a line; undefined
 * where none did.
 */
export function findLineRequest(
  { text, stream, at }: LogLine,
  requests: readonly RequestEntry[],
): RequestEntry | undefined {
  const named = requests.findLast(({ requestId }) => requestId !== undefined && text.includes(requestId));
  if (named !== undefined) return named;
  const distance = (request: RequestEntry): number => Math.abs(request.at - at);
  return requests
    .filter(({ details }) => details?.logs.some((line) => line.text === text && line.stream === stream))
    .sort((a, b) => distance(a) - distance(b))[0];
}
