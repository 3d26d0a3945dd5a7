import { unflatten } from 'devalue';
import { ApiError, type ErrorFacts } from './api-error.ts';

/** An error as a body, or the last event of a stream, says it. */
export interface Told {
  readonly error?: string;
  readonly message?: string;
  readonly meta?: unknown;
}

/** The data of each event of an answer, until it ends. An error on the way is thrown; who stops reading ends the request. */
export async function* readItems({ body, status }: Response): AsyncGenerator<unknown> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = findField(event, 'data');
        if (data === undefined) continue;
        if (findField(event, 'event') === 'error') throw toApiError(JSON.parse(data) as Told, status);
        yield revive(JSON.parse(data));
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function findField(event: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1];
}

/** The error that a body tells of. */
export function toApiError({ error = 'Unknown', message, meta }: Told, status: number): ApiError {
  return new ApiError(error, message ?? `The answer is ${status}.`, { status, meta: revive(meta) as ErrorFacts });
}

/** The value that the JSON of a response stands for. A response of something else than the server stays as it is. */
export function revive(json: unknown): unknown {
  // A negative number is what devalue writes for `undefined` and `NaN`.
  return Array.isArray(json) || Number(json) < 0 ? unflatten(json as unknown[] | number) : json;
}
