import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { MAX_INPUT_DEPTH, toSafeInput } from '../../input/safe-input.ts';

/** A message of the protocol, or the error that its sender gets in place of a response. */
export type ReadMessage =
  | { readonly ok: true; readonly message: object }
  | { readonly ok: false; readonly refusal: { readonly id: unknown; readonly error: object; readonly jsonrpc: '2.0' } };

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** An input stands within a message: one that is too deep itself is refused by its tool, with the words of the tool. */
const MAX_MESSAGE_DEPTH = 2 * MAX_INPUT_DEPTH;

/** Reads a text that is to be a message. The refusal has the id of the message where it can be read. */
export function readMessage(text: string): ReadMessage {
  let message: unknown;
  try {
    message = JSON.parse(text) as unknown;
  } catch {
    return refuse(null, PARSE_ERROR, 'The message is not JSON.');
  }
  if (typeof message !== 'object' || message === null)
    return refuse(null, INVALID_REQUEST, 'The message is not a JSON object.');
  const { id } = message as { readonly id?: unknown };
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  // What reads the message later calls itself for each level.
  const safe = toSafeInput(message, 'The message', MAX_MESSAGE_DEPTH);
  return safe.ok ? { ok: true, message } : refuse(known, INVALID_REQUEST, `${safe.failure.message}.`);
}

/** Hands on the lines of a stream that are messages, and gives the refusals of the others to `send`. */
export function createMessageFilter(send: (refusal: object) => void): Transform {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = decoder.write(chunk);
      if (!text.includes('\n')) {
        rest += text;
        return done();
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.trim() === '') continue;
        const read = readMessage(line);
        const refusal = read.ok ? findShapeFault(read.message) : read.refusal;
        if (refusal === undefined) this.push(`${line}\n`);
        else send(refusal);
      }
      done();
    },
  });
}

/** Over streams the SDK says nothing of what is JSON and no message. */
function findShapeFault(message: object): object | undefined {
  const { jsonrpc, id, method } = message as Readonly<Record<string, unknown>>;
  const isResponse = id !== undefined && ('result' in message || 'error' in message);
  if (jsonrpc === '2.0' && (typeof method === 'string' || isResponse)) return undefined;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const read = refuse(known, INVALID_REQUEST, "The message is neither a request nor a response of JSON-RPC '2.0'.");
  return read.ok ? undefined : read.refusal;
}

function refuse(id: unknown, code: number, message: string): ReadMessage {
  return { ok: false, refusal: { jsonrpc: '2.0', id, error: { code, message } } };
}
