import type { IncomingMessage, ServerResponse } from 'node:http';

/** The headers of answers that a page may read. */
const EXPOSED = 'mcp-session-id, mcp-protocol-version, www-authenticate';
const MAX_AGE_SECONDS = '600';

/** Lets the page that asks read the answer. Its origin has been checked. */
export function allowPage({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined) return;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('vary', 'Origin');
}

/** Whether a browser asks if a page may send a request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}

/** Tells a browser that it may send the request of a page, with whatever headers: those of parameters have names of their own. */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    'access-control-max-age': MAX_AGE_SECONDS,
  });
  response.end();
}
