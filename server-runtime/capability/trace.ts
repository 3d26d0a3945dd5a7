import { type BaseContext, findCallRequest } from './context.ts';

/** The place where the time of a call is noted. Only `capix dev`, and a call of the tool, set one. */
export interface CallMarks {
  /** Runs a part of the call, and notes when it began and how long it took: until its promise has settled. */
  run<T>(kind: TraceKind, name: string, part: () => T): T;
  /** Notes a moment of the call. */
  note(kind: 'job', name: string): void;
}

/** What a part of a call waits for. */
export type TraceKind = 'http' | 'db' | 'redis' | 'trace';

const FIND: unique symbol = Symbol.for('capix.marks');

/**
 * Runs a part of a call, which `capix dev` shows with its time: `trace(ctx, 'read prices', () => prices.read())`. What
 * has no context, such as the client of a database, says what it waits for, and its call is found:
 * `trace('db', statement, () => client.query(statement))`. Elsewhere it only calls the function.
 */
export function trace<T>(
  of: BaseContext | Exclude<TraceKind, 'trace'>,
  name: string,
  part: () => T,
): T {
  if (typeof of !== 'string') {
    const marks = findCallRequest(of)?.marks;
    return marks === undefined ? part() : marks.run('trace', name, part);
  }
  // The tool sets it: it finds the call to which the code that runs belongs.
  const { [FIND]: find } = globalThis as { [FIND]?: () => CallMarks | undefined };
  const marks = find?.();
  return marks === undefined ? part() : marks.run(of, name, part);
}
