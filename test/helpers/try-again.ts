import type { Interceptor } from '../../server-runtime/client/index.ts';

/** An interceptor as a library of retries makes one: after a lost connection, or 503, it sends the request again. */
export function tryAgain(times: number): Interceptor {
  return async (request, next) => {
    for (let tried = 0; ; tried++) {
      const response = await next(request.clone()).catch((error: unknown) => {
        if (tried >= times) throw error;
      });
      if (response && (tried >= times || response.status !== 503)) return response;
    }
  };
}
