import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainAnswer, RawHeaders } from './exchange.ts';
import { nodeHttp } from './node/node-http.ts';

/** The parts of Node's response that its type does not have. */
interface StoringResponse extends ServerResponse {
  _header: string | null;
  readonly maxRequestsOnConnectionReached?: boolean;
  readonly _removedConnection?: boolean;
  _storeHeader(start: string, headers: readonly string[]): void;
}

/** Writes the heads of the answers of one server. */
export interface PlainHeads {
  /** `head` is what `toPlainHead` made. The head is the same as `writeHead` makes. */
  readonly write: (response: ServerResponse, head: string, answer: Omit<PlainAnswer, 'body'>) => void;
}

/** As Node has it, from the first server on: observers put their own in its place, for one response or for all. */
let writeHead: ServerResponse['writeHead'] | undefined;

/** The characters that Node lets into a header, checked once here for what it checks with each answer. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that never change, as text; undefined where one of them cannot be sent. */
export function toPlainHead(headers: RawHeaders): string | undefined {
  if (!headers.every((text) => SENDABLE.test(text))) return undefined;
  let head = '';
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return head;
}

/** Whether nobody has answered, has set a header, or waits for the head. */
export function isUntouched(response: ServerResponse): boolean {
  if (response.destroyed || response.headersSent) return false;
  return response.writeHead === writeHead && response.getHeaderNames().length === 0;
}

/**
 * Writes heads as `writeHead` does. That one checks each name and value of each answer, though all but one never change. The first head of each
 * second is finished by the method that it calls too; what Node writes behind the length (the time, and that the connection is kept) stands in
 * the others of that second: 8 % of a small request without its system calls.
 */
export function createPlainHeads(): PlainHeads {
  let ending = '';
  let endsAtMs = 0;
  const write: PlainHeads['write'] = (response, head, { status, requestId, byteLength }) => {
    const words = nodeHttp().STATUS_CODES[status] ?? 'Unknown';
    response.statusCode = status;
    response.statusMessage = words;
    const start = `HTTP/1.1 ${status} ${words}\r\n${head}x-request-id: ${requestId}\r\n`;
    const storing = response as StoringResponse;
    const isUsual = isKept(storing);
    const nowMs = Date.now();
    if (isUsual && nowMs < endsAtMs) {
      storing._header = `${start}content-length: ${byteLength}${ending}`;
      return;
    }
    const length = String(byteLength);
    storing._storeHeader(start, ['content-length', length]);
    if (!isUsual) return;
    const written = (storing._header ?? '').slice(start.length + 'content-length: '.length + length.length);
    // Node keeps the time as text until a timer fires, which may be late: the text of the second before would stand in all answers of this one.
    if (!written.includes(new Date(nowMs).toUTCString())) return;
    ending = written;
    endsAtMs = nowMs - (nowMs % 1000) + 1000;
  };
  return { write };
}

/** Whether the connection is kept after this answer, and nobody took a header of Node's own away. */
function isKept(response: StoringResponse): boolean {
  const { shouldKeepAlive, sendDate, maxRequestsOnConnectionReached, _removedConnection } = response;
  return shouldKeepAlive && sendDate && maxRequestsOnConnectionReached !== true && _removedConnection !== true;
}

/**
 * Undefined unless this version of Node writes the same head in both ways, the method of which is not documented, and nobody observes all heads.
 * Bun has the method, and sends nothing of what it stores.
 */
export function findPlainHeads(): PlainHeads | undefined {
  writeHead ??= nodeHttp().ServerResponse.prototype.writeHead;
  if ('bun' in process.versions) return undefined;
  if (!writeHead.toString().includes('_storeHeader')) return undefined;
  const answer = { status: 200, requestId: 'a', byteLength: 1 };
  const headers = ['x-a', 'b', 'x-request-id', 'a', 'content-length', '1'];
  try {
    const { write } = createPlainHeads();
    const toPlain = (): string | null =>
      toHeadText((response) => write(response, toPlainHead(headers.slice(0, 2)) ?? '', answer));
    const [finished, joined] = [toPlain(), toPlain()];
    const usual = toHeadText((response) => response.writeHead(200, 'OK', headers));
    if (typeof finished !== 'string' || typeof joined !== 'string' || typeof usual !== 'string') return undefined;
    const isSame = [finished, joined].every((text) => text.replace(DATE, '') === usual.replace(DATE, ''));
    return isSame ? createPlainHeads() : undefined;
  } catch {
    return undefined;
  }
}

const DATE = /^Date: .*$/m;

function toHeadText(write: (response: ServerResponse) => void): string | null {
  const request = { method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1, headers: {} } as IncomingMessage;
  const response = new (nodeHttp().ServerResponse)(request) as StoringResponse;
  response.shouldKeepAlive = true;
  write(response);
  return response._header;
}
