import { readDevJournal } from '../../files/read-dev-journal.ts';
import { findErrorPlace } from '../../manifest/places/find-error-place.ts';
import type { SourcePlace } from '../../manifest/places/find-source-place.ts';
import type { HttpAnswer } from '../run/call-protocol.ts';

/** The lines that a stack takes at most, with the one that names its request. */
const MAX_LINES = 40;

/**
 * The place in the project where the error behind an answer of the running `capix dev` was thrown, by the log line that has the id of its request;
 * undefined where the log has none. `root`: absolute path of the project.
 */
export async function findLoggedPlace(root: string, { headers }: HttpAnswer): Promise<SourcePlace | undefined> {
  const requestId = headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  if (requestId === undefined) return undefined;
  const events = await readDevJournal(root);
  const lines = events.flatMap(({ event, line }) => (event === 'output' && typeof line === 'string' ? [line] : []));
  const at = lines.findIndex((line) => line.includes(requestId));
  if (at === -1) return undefined;
  const next = lines.slice(at + 1, at + MAX_LINES);
  const end = next.findIndex((line) => !/^\s/.test(line));
  return findErrorPlace([lines[at], ...(end === -1 ? next : next.slice(0, end))].join('\n'), root);
}
