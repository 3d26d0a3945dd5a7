import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TakeSocket } from '../server/guests.ts';
import { findLastResponse } from './exchange.ts';

/** Marks the socket of an upgrade with the request for that upgrade. Several copies of this package share the mark. */
const UPGRADED: unique symbol = Symbol.for('capix.upgraded');

/** The request that made of a connection one of another protocol. */
export interface UpgradeRequest {
  readonly method: string;
  readonly url: string;
  /** By `performance.now()`. */
  readonly startedAtMs: number;
}

interface UpgradedSocket extends Duplex {
  [UPGRADED]?: UpgradeRequest;
  setTimeout?: (ms: number) => unknown;
}

/**
 * Claims the socket of an upgrade: returns the function that takes it, or undefined where no transport wants it. Does
 * not throw.
 */
type ClaimUpgrade = (request: IncomingMessage) => TakeSocket | undefined;

/** Newer versions of Node 22 and 24, and all of 26, call this before they make an upgrade of a request. */
interface AsksFirst {
  shouldUpgradeCallback?: (request: IncomingMessage) => boolean;
}

/**
 * Makes a server offer upgrades (WebSockets) to its transports. An upgrade that none of them claims goes to other
 * listeners of `upgrade`, where there are some, and is answered as a plain request otherwise. Once a server has a
 * listener for `upgrade`, Node passes it every request that offers any protocol, such as the `h2c` of `curl --http2`,
 * which would get no answer.
 */
export function takeUpgrades(server: HttpServer, claim: ClaimUpgrade): void {
  const claims = new WeakMap<IncomingMessage, TakeSocket>();
  const asking = server as HttpServer & AsksFirst;
  const asksFirst = asking.shouldUpgradeCallback !== undefined;
  const hasOthers = (): boolean => server.listenerCount('upgrade') > 1;
  if (asksFirst)
    asking.shouldUpgradeCallback = (request) => {
      const taker = mayUpgrade(request.socket) ? claim(request) : undefined;
      if (taker !== undefined) claims.set(request, taker);
      return taker !== undefined || hasOthers();
    };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const upgrade = { request, socket, head };
    if (asksFirst) {
      const taker = claims.get(request);
      if (taker !== undefined) handOver(upgrade, taker);
      return;
    }
    const taker = mayUpgrade(socket) ? claim(request) : undefined;
    if (taker !== undefined) handOver(upgrade, taker);
    else if (!hasOthers()) answerPlainly(server, upgrade);
  });
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: UpgradedSocket;
  /** The bytes that came behind the head of the request. */
  readonly head: Buffer;
}

/** Not while an earlier response is still to be sent there, of which the new protocol would become a part. */
function mayUpgrade(socket: Duplex): boolean {
  const last = findLastResponse(socket);
  return last === undefined || (last.writableFinished && last.shouldKeepAlive);
}

/** An older Node has taken the request for an upgrade: its head is put back, without the offer, and read again. */
function answerPlainly(server: HttpServer, upgrade: Upgrade): void {
  const { request, socket, head } = upgrade;
  const last = findLastResponse(socket);
  if (last !== undefined && !last.writableFinished && !last.destroyed) {
    last.once('close', () => answerPlainly(server, upgrade));
    return;
  }
  if (socket.destroyed) return;
  socket.unshift(Buffer.concat([Buffer.from(toPlainHead(request), 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

function toPlainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = rawHeaders[at + 1] ?? '';
    if (/^upgrade$/i.test(name)) continue;
    const options = value.split(',').filter((option) => !/^\s*upgrade\s*$/i.test(option));
    if (!/^connection$/i.test(name)) lines.push(`${name}: ${value}`);
    else if (options.length > 0) lines.push(`${name}: ${options.join(',')}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** From now on the taker owns the socket, and ends it: no timeout of the server does, and no stop within its grace. */
function handOver({ request, socket, head }: Upgrade, taker: TakeSocket): void {
  const { method = 'GET', url = '/' } = request;
  const mark: UpgradeRequest = { method, url, startedAtMs: performance.now() };
  socket[UPGRADED] = mark;
  socket.setTimeout?.(0);
  // Node has taken its own listener away, and without one a connection that breaks off ends the process.
  socket.on('error', ignore);
  taker(socket, head);
}

function ignore(): void {}

/** The request by which a socket was upgraded; undefined where no transport has taken the socket. */
export function findUpgrade(socket: object): UpgradeRequest | undefined {
  return (socket as UpgradedSocket)[UPGRADED];
}
