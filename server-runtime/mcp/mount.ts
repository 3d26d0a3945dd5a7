import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';

export type TakeRequest = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Gives the requests at one path of a server to `take`, in place of the server's own listeners: these answer every request, and a request
 * is answered once. Gives the function that leaves the server as it was.
 */
export function mount(server: HttpServer, path: string, take: TakeRequest): () => void {
  const { emit } = server;
  let isMounted = true;
  const emitOthers = (event: string, ...details: readonly unknown[]): boolean => {
    const [request, response] = details as [IncomingMessage, ServerResponse];
    if (!isMounted || event !== 'request' || toPath(request) !== path)
      return Reflect.apply(emit, server, [event, ...details]) as boolean;
    take(request, response);
    return true;
  };
  server.emit = emitOthers as typeof emit;
  return () => {
    isMounted = false;
    if (server.emit === (emitOthers as typeof emit)) server.emit = emit;
  };
}

/** Without the query. */
export function toPath({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? url;
}
