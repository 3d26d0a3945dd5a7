import { isDeepStrictEqual } from 'node:util';
import { queryAnswer } from '../answer/query-answer.ts';
import type { CallResult } from '../run/call-protocol.ts';
import type { Expectation } from './saved-call.ts';

/** The faults of an answer, a sentence each; none where all is as it must be. */
export function judgeAnswer(
  { status, body }: Pick<CallResult, 'status' | 'body'>,
  { status: wanted, paths, exists, absent, matches }: Expectation,
): readonly string[] {
  const isStatus = wanted === undefined ? status < 400 : status === wanted;
  const find = (path: string): readonly unknown[] | string => {
    const queried = queryAnswer(body, path);
    return 'problem' in queried ? `${path}: ${queried.problem}` : queried.found;
  };
  const judge = (path: string, toProblem: (found: readonly unknown[]) => string | undefined): readonly string[] => {
    const found = find(path);
    const problem = typeof found === 'string' ? found : toProblem(found);
    return problem === undefined ? [] : [problem];
  };
  return [
    ...(isStatus ? [] : [`status: expected ${wanted ?? 'no error'}, got ${status}${toReason(body)}`]),
    ...Object.entries(paths).flatMap(([path, value]) => judge(path, (found) => toDifference(path, value, found))),
    ...exists.flatMap((path) => judge(path, (found) => (found.length > 0 ? undefined : `${path}: finds nothing`))),
    ...absent.flatMap((path) =>
      judge(path, (found) =>
        found.length === 0 ? undefined : `${path}: expected nothing, found ${toShown(found[0])}`,
      ),
    ),
    ...Object.entries(matches).flatMap(([path, pattern]) => judge(path, (found) => toMismatch(path, pattern, found))),
  ];
}

function toDifference(path: string, value: unknown, found: readonly unknown[]): string | undefined {
  const got = found.length === 1 ? found[0] : found;
  if (isDeepStrictEqual(got, value)) return undefined;
  return `${path}: expected ${toShown(value)}, ${found.length === 0 ? 'found nothing' : `got ${toShown(got)}`}`;
}

function toMismatch(path: string, pattern: string, found: readonly unknown[]): string | undefined {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'u');
  } catch {
    return `${path}: ${pattern} is not a regular expression`;
  }
  if (found.length === 0) return `${path}: finds nothing`;
  const wrong = found.find((value) => !expression.test(typeof value === 'string' ? value : JSON.stringify(value)));
  return wrong === undefined ? undefined : `${path}: expected ${pattern}, got ${toShown(wrong)}`;
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
