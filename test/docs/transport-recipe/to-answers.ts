import * as z from 'zod';
import { type App, defaultErrors, isFrameworkError } from '../../../server-runtime/index.ts';

const Line = z.object({ id: z.number(), capability: z.string(), input: z.unknown().optional() });

/** Gives what a line is answered with: one object, or one for each item of a stream and one for its end. */
export async function* toAnswers(
  call: App['call'],
  line: string,
): AsyncGenerator<object, void, void> {
  const sent = parse(line);
  if (sent === undefined) return yield toError(defaultErrors.BadRequest('Expected a line of JSON'));
  const { id, capability, input } = sent;
  const outcome = await call({ capability, input });
  if (!outcome.ok) return yield { id, ...toError(outcome.failure) };
  const value = outcome.value instanceof Response ? outcome.value.body : outcome.value;
  if (!isStream(value)) return yield { id, data: value ?? null };
  try {
    for await (const item of value) yield { id, item };
    yield { id, isEnd: true };
  } catch (thrown) {
    // The log has it already.
    yield { id, ...toError(isFrameworkError(thrown) ? thrown : defaultErrors.Internal()) };
  }
}

/** What a caller learns of an error: not its cause, and not its stack. */
export function toError({ name, message, meta }: Reported): object {
  return { error: name, message, meta };
}

type Reported = Pick<Error, 'name' | 'message'> & { readonly meta?: unknown };

function parse(line: string): z.infer<typeof Line> | undefined {
  try {
    return Line.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
