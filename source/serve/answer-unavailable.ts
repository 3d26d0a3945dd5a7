import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { nodeHttp, nodeHttps } from '../../server-runtime/http/node-http.ts';
import type { Connection } from './server-message.ts';

/** The proof of a server that speaks TLS who it is, as text. */
export interface Certificate {
  readonly key: string | readonly string[];
  readonly cert: string | readonly string[];
  readonly passphrase: string | undefined;
}

/** Undefined for a server without TLS, and for one that chooses its certificate itself. */
export function findCertificate(server: Server): Certificate | undefined {
  const { key, cert, passphrase } = server as unknown as Partial<Record<keyof Certificate, string>>;
  return key && cert ? { key: toText(key), cert: toText(cert), passphrase } : undefined;
}

function toText(part: string | readonly unknown[]): string | readonly string[] {
  return Array.isArray(part) ? part.map(String) : String(part);
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
  const server =
    certificate === undefined
      ? nodeHttp().createServer(answer)
      : nodeHttps().createServer(certificate as HttpsOptions, answer);
  server.emit('connection', socket);
  socket.resume();
}

type HttpsOptions = Parameters<ReturnType<typeof nodeHttps>['createServer']>[0];
