import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRead, ReadExchange } from '../http/mounted/read-exchange.ts';
import { NodeExchange } from '../http/node-exchange.ts';
import type { Server } from '../server/create-server.ts';
import { createRestAnswering, type RestAnsweringOptions } from './create-rest-answering.ts';
import type { RestPipeline } from './rest-pipeline.ts';

/**
 * Answers one request of `node:http`. With `next`, as middleware of Express and others has it, what no route takes is
 * passed on; without it, that is 404.
 */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

export function createRestNodeHandler(server: Server, options: RestAnsweringOptions): NodeHandler {
  const { pipeline, logger } = createRestAnswering(server, options);
  let ready: RestPipeline | undefined;
  const answer = ({ handle, serves }: RestPipeline, ...[request, response, next]: Parameters<NodeHandler>): void => {
    if (next !== undefined && !serves(request.method ?? 'GET', request.url ?? '/')) return next();
    handle(isRead(request) ? new ReadExchange(request, response) : new NodeExchange(request, response));
  };
  const fail = (error: unknown, ...[, response, next]: Parameters<NodeHandler>): void => {
    if (next !== undefined) return next(error);
    logger.error('[capix] A request could not be answered.', { error });
    if (!response.headersSent) response.writeHead(500).end();
  };
  return (...parts) => {
    if (ready === undefined) {
      pipeline
        .then((made) => {
          ready = made;
          answer(made, ...parts);
        })
        .catch((error: unknown) => fail(error, ...parts));
      return;
    }
    try {
      answer(ready, ...parts);
    } catch (error) {
      fail(error, ...parts);
    }
  };
}
