import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import type { Server } from 'node:net';
import { nodeHttp, nodeHttps } from '../../server-runtime/http/node-http.ts';
import type { Connection } from './server-message.ts';

/** The certificate and the key of a server that speaks TLS, as text. */
export type Certificate = Pick<ServerOptions, 'key' | 'cert' | 'passphrase'>;

/** Undefined for a server without TLS, and for one that chooses its certificate itself. */
export function findCertificate(server: Server): Certificate | undefined {
  const { key, cert, passphrase } = server as Certificate;
  const toText = (part: unknown): string | string[] =>
    Array.isArray(part) ? part.map(String) : String(part);
  return key && cert ? { key: toText(key), cert: toText(cert), passphrase } : undefined;
}

/** Answers a connection with 503, where there is no server; over TLS as the server that was there would. */
export function answerUnavailable({ socket, certificate }: Connection, message: string): void {
  const answer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      connection: 'close',
    });
    response.end(JSON.stringify({ error: 'ServiceUnavailable', message }));
  };
  const server = certificate
    ? nodeHttps().createServer(certificate, answer)
    : nodeHttp().createServer(answer);
  server.emit('connection', socket);
  socket.resume();
}
