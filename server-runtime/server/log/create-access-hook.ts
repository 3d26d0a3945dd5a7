import type { AnsweredRequest, Hooks } from '../hooks.ts';
import type { AccessDetails, Logger } from './logger.ts';

/** Writes one line for each request that has its answer: `GET /items/7 200 in 3 ms`. Without the query, which may hold secrets. */
export function createAccessHook(logger: Logger): Hooks {
  return {
    onResponse: (answered) => {
      const details = toDetails(answered);
      const { method, path, status, durationMs } = details;
      logger.info(`[capix] ${method} ${path} ${status} in ${durationMs} ms`, details);
    },
  };
}

function toDetails({ request, capability, status, durationMs }: AnsweredRequest): AccessDetails {
  const { requestId, transport, method, path, route, remoteAddress } = request;
  const rounded = Math.round(durationMs * 10) / 10;
  return { requestId, transport, method, path, route, capability, status, durationMs: rounded, remoteAddress };
}
