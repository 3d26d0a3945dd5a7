import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { nodeHttp, nodeHttps } from '../../server-runtime/http/node-http.ts';
import { waitWithin } from '../system/timing.ts';
import type { PublicPorts } from './public-ports.ts';
import { type AddressName, isOwnAddress } from './server-message.ts';

/**
 * The time after a hand-over, from when the new code is loaded, in which it may open ports of its own again, or notice
 * that the version before it still holds something; milliseconds.
 */
const HAND_OVER_MS = 5_000;
/** The time that code which has started may go on loading before that time begins, milliseconds. */
const LOADING_LIMIT_MS = 30_000;

/** The code that answers from now on, or did before. */
export interface HandedOver {
  readonly addresses: ReadonlySet<AddressName>;
  /** Resolves when the code is loaded, which may be long after it has started. */
  readonly loaded: () => Promise<void>;
}

export interface HandOverOptions {
  readonly ports: Pick<PublicPorts, 'ports' | 'retain'>;
  readonly isLive: (code: HandedOver) => boolean;
  /** Called when the time of a hand-over is over: a server that has not come by then is not waited for. */
  readonly onEnd: () => void;
}

/** Keeps the ports of the version before for a while: servers of the new code may follow one by one. */
export interface HandOver {
  readonly begin: (next: HandedOver, before: HandedOver | undefined) => void;
  readonly goesOn: () => boolean;
}

export function createHandOver({ ports, isLive, onEnd }: HandOverOptions): HandOver {
  /** Milliseconds of `performance.now()`. */
  let until = 0;

  function end(next: HandedOver): void {
    if (isLive(next)) void ports.retain(next.addresses);
    onEnd();
  }

  async function waitFor(next: HandedOver): Promise<void> {
    until = performance.now() + LOADING_LIMIT_MS;
    await waitWithin(LOADING_LIMIT_MS, next.loaded());
    if (!isLive(next)) return;
    until = performance.now() + HAND_OVER_MS;
    setTimeout(() => end(next), HAND_OVER_MS).unref();
  }

  return {
    begin: (next, before) => {
      // As many servers as before have another address, or the same: none is to come.
      const hasAll = before !== undefined && countShared(next.addresses) >= countShared(before.addresses);
      const toCome = Object.keys(ports.ports()).filter((address) => isOwnAddress(address) || !hasAll);
      void ports.retain(new Set([...next.addresses, ...toCome]));
      void waitFor(next);
    },
    goesOn: () => performance.now() < until,
  };
}

/** The number of addresses at which servers of capix take connections. */
function countShared(addresses: ReadonlySet<AddressName>): number {
  return [...addresses].filter((address) => !isOwnAddress(address)).length;
}

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
export function answerUnavailable(socket: Socket, why: string, certificate: Certificate | undefined): void {
  const answer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      connection: 'close',
    });
    response.end(JSON.stringify({ error: 'ServiceUnavailable', message: why }));
  };
  const server =
    certificate === undefined
      ? nodeHttp().createServer(answer)
      : nodeHttps().createServer(certificate as HttpsOptions, answer);
  server.emit('connection', socket);
  socket.resume();
}

type HttpsOptions = Parameters<ReturnType<typeof nodeHttps>['createServer']>[0];
