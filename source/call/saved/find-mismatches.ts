import type { CallResult } from '../run/call-protocol.ts';
import type { Expectation } from './saved-call.ts';

/** The ways in which an answer is not as expected, a sentence each; none where it is. */
export function findMismatches(
  { status, body }: Pick<CallResult, 'status' | 'body'>,
  { status: wanted, body: part }: Expectation,
): readonly string[] {
  const isStatus = wanted === undefined ? status < 400 : status === wanted;
  const wrong = isStatus ? [] : [`status: expected ${wanted ?? 'no error'}, got ${status}${toReason(body)}`];
  return part === undefined ? wrong : [...wrong, ...findMissing(part, body, 'body')];
}

/** The parts of a wanted value that another one lacks: an object may have more fields, a list is as long. */
function findMissing(wanted: unknown, got: unknown, path: string): readonly string[] {
  if (typeof wanted !== 'object' || wanted === null || typeof got !== 'object' || got === null)
    return Object.is(wanted, got) ? [] : [toDifference(wanted, got, path)];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length) return [toDifference(wanted, got, path)];
    return wanted.flatMap((item, index) => findMissing(item, got[index], `${path}[${index}]`));
  }
  return Object.entries(wanted).flatMap(([name, value]) =>
    findMissing(value, (got as Readonly<Record<string, unknown>>)[name], `${path}.${name}`),
  );
}

function toDifference(wanted: unknown, got: unknown, path: string): string {
  return `${path}: expected ${toShown(wanted)}, ${got === undefined ? 'found nothing' : `got ${toShown(got)}`}`;
}

/** The message of a refusal. */
function toReason(body: unknown): string {
  const { error, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return typeof error === 'string' ? ` (${error}: ${String(message)})` : '';
}

const MAX_SHOWN = 200;

function toShown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
