import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFetchHandler } from '../../../server-runtime/index.ts';
import { openRaw, type RawAnswer, readAnswers } from '../../helpers/raw-http.ts';
import { registries, requests, toServer } from './reference-requests.ts';
import { answerByTheContract, type ReferenceRequest, toComparable } from './reference-rest.ts';

const someRequests = fc.array(requests, { minLength: 1, maxLength: 8 });
const sane = /^[\w-]{5,}$/;

describe('any request to any registry is answered as the contract says, read from top to bottom', () => {
  it('through fetch', async () => {
    await fc.assert(
      fc.asyncProperty(
        registries,
        someRequests,
        fc.boolean(),
        async (operations, asked, contextIsAsync) => {
          const answer = toFetchHandler(toServer(operations, {}, contextIsAsync));
          for (const each of asked) {
            const response = await answer(toRequest(each));
            const headers = new Map(response.headers);
            const expected = await answerByTheContract(operations, each);
            expectAnswer(
              each,
              toComparable(response.status, headers, await response.text()),
              expected,
            );
            expectHeaders(each, headers);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('over a socket, on one connection, one after the other without waiting, cut anywhere', async () => {
    const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 400 }));
    await fc.assert(
      fc.asyncProperty(
        registries,
        someRequests,
        cuts,
        fc.boolean(),
        async (operations, asked, lengths, isAsync) => {
          const server = toServer(operations, { port: 0, host: '127.0.0.1' }, isAsync);
          const [started] = await server.start();
          try {
            for await (const [at, { status, headers, body }] of askInPieces(
              started?.url ?? '',
              asked,
              lengths,
            )) {
              const each = asked[at]!;
              const expected = await answerByTheContract(operations, each);
              expectAnswer(each, toComparable(status, headers, body), expected);
              expectHeaders(each, headers);
            }
          } finally {
            await server.stop({ graceMs: 0 });
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

function expectAnswer(request: ReferenceRequest, got: object, expected: object): void {
  if (request.method === 'HEAD') expect(got).toEqual({ ...expected, body: undefined });
  else expect(got).toEqual(expected);
}

function expectHeaders(
  { method, requestId }: ReferenceRequest,
  headers: ReadonlyMap<string, string>,
): void {
  expect(headers.get('x-request-id')).toMatch(
    requestId === undefined ? sane : new RegExp(`^${requestId}$`),
  );
  expect(headers.get('access-control-allow-origin')).toBe('*');
  if (method !== 'OPTIONS')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

function toHeaders({ contentType, isUser, requestId }: ReferenceRequest): [string, string][] {
  return [
    ...(contentType === undefined ? [] : [['content-type', contentType] as [string, string]]),
    ...(isUser ? [['authorization', 'me'] as [string, string]] : []),
    ...(requestId === undefined ? [] : [['x-request-id', requestId] as [string, string]]),
  ];
}

function toRequest(asked: ReferenceRequest): Request {
  const { method, path, query, body } = asked;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://in-memory${path}?${query}`, {
    method,
    headers: toHeaders(asked),
    ...(hasBody ? { body: new TextEncoder().encode(body) } : {}),
  });
}

/** Every other body is sent in chunks, so that nobody knows its length before its end; a GET may have one too. */
function toBytes(asked: ReferenceRequest, at: number): string {
  const { method, path, query, body } = asked;
  const bytes = Buffer.from(body);
  const half = bytes.length >> 1;
  const chunks = [bytes.subarray(0, half), bytes.subarray(half)].filter(({ length }) => length > 0);
  const framing = isChunked(asked, at)
    ? ['transfer-encoding', 'chunked']
    : ['content-length', String(bytes.length)];
  const head = [['host', 'x'], ...toHeaders(asked), framing]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const sent = isChunked(asked, at)
    ? `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk.toString('latin1')}\r\n`).join('')}0\r\n\r\n`
    : bytes.toString('latin1');
  return `${method} ${path}?${query} HTTP/1.1\r\n${head}\r\n${sent}`;
}

function isChunked({ body }: ReferenceRequest, at: number): boolean {
  return at % 2 === 1 && body !== '';
}

/** The answers with their places. A connection may end only after a body whose length nobody knew; the rest is asked on the next one. */
async function* askInPieces(
  url: string,
  asked: readonly ReferenceRequest[],
  lengths: Iterator<number>,
): AsyncGenerator<[at: number, answer: RawAnswer]> {
  let at = 0;
  while (at < asked.length) {
    const socket = openRaw(url).setNoDelay(true);
    const rest = asked.slice(at);
    const bytes = Buffer.from(
      rest.map((each, index) => toBytes(each, at + index)).join(''),
      'latin1',
    );
    const answers = readAnswers(
      socket,
      rest.map(({ method }) => method),
    );
    for (let from = 0; from < bytes.length && socket.writable; ) {
      const length = lengths.next().value as number;
      const piece = bytes.subarray(from, from + length);
      await new Promise<void>((resolve) => socket.write(piece, () => setImmediate(resolve)));
      from += length;
    }
    for (const answer of await answers) yield [at++, answer];
    socket.destroy();
    if (at < asked.length) expect(isChunked(asked[at - 1]!, at - 1)).toBe(true);
  }
}
