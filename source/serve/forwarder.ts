import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { RequestOptions } from 'node:https';
import { pipeline } from 'node:stream';
import { nodeHttp, nodeHttps } from '../../server-runtime/http/node-http.ts';

export interface ForwardTarget {
  /** The server that the requests come to; whether it speaks TLS, the target does too. */
  readonly server: Server;
  readonly host: string;
  readonly port: number;
}

/** Passes requests on to another server, closing the connection after each. 502 where it cannot be reached. */
export function createForwarder({
  server,
  host,
  port,
}: ForwardTarget): (request: IncomingMessage, response: ServerResponse) => void {
  const isTls = server instanceof nodeHttps().Server;
  const { ClientRequest } = nodeHttp();
  return (incoming, response) => {
    const { method, url: path, rawHeaders } = incoming;
    // The headers as they came, Host among them; the certificate of a development server is the user's own business.
    const options: RequestOptions = {
      host,
      port,
      method,
      path,
      headers: rawHeaders,
      setHost: false,
      protocol: isTls ? 'https:' : 'http:',
      agent: isTls ? new (nodeHttps().Agent)() : false,
      rejectUnauthorized: false,
    };
    // By the class: what traces requests replaces `request`, would count this one, and makes an object of the list of
    // headers.
    const outgoing = new ClientRequest(options, (answer) => {
      response.shouldKeepAlive = false;
      response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.rawHeaders));
      pipeline(answer, response, () => {});
    });
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { connection: 'close' }).end();
    });
    pipeline(incoming, outgoing, () => {});
  };
}

/** Raw headers without those that concern one connection only. */
function withoutConnection(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''];
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) kept.push(name, value);
  }
  return [...kept, 'Connection', 'close'];
}
