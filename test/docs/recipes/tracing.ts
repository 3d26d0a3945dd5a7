import { SpanStatusCode, trace } from '@opentelemetry/api';
import {
  createServer,
  defineMiddleware,
  type GroupTree,
  type Server,
} from '../../../server-runtime/index.ts';

const tracer = trace.getTracer('my-api');

export const withTracing = defineMiddleware(({ operation, next }) =>
  tracer.startActiveSpan(
    operation.key,
    { attributes: { 'capix.intent': operation.intent } },
    async (span) => {
      try {
        return await next({ span }); // spans that the handler starts are its children
      } catch (error) {
        span.recordException(error as Error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  ),
);

export const createTracedServer = (capabilities: GroupTree): Server =>
  createServer({ capabilities, use: [withTracing] });
