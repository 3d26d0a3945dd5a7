import { connect, type Socket } from 'node:net';

/** What came back on one connection until its end. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly text: string;
}

/** Sends bytes as they are and reads until the connection ends. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  const socket = openRaw(url);
  socket.write(bytes);
  return toRawAnswer(await readAll(socket));
}

export function openRaw(url: string): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1');
}

/** Everything until the connection ends, which may be by a reset. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
  // A connection that was closed before says so no more.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** The answers on one connection to requests of these methods, whose bodies are as long as their heads say. */
export async function readAnswers(
  socket: Socket,
  methods: readonly string[],
): Promise<readonly RawAnswer[]> {
  const answers: RawAnswer[] = [];
  let text = '';
  const take = (): boolean => {
    const headEnd = text.indexOf('\r\n\r\n') + 4;
    if (headEnd < 4) return false;
    const { status, headers } = toRawAnswer(text.slice(0, headEnd));
    const isBodiless = methods[answers.length] === 'HEAD' || status === 204;
    const end = headEnd + (isBodiless ? 0 : Number(headers.get('content-length')));
    if (text.length < end) return false;
    const body = Buffer.from(text.slice(headEnd, end), 'latin1').toString();
    answers.push({ status, headers, body, text: text.slice(0, end) });
    text = text.slice(end);
    return answers.length < methods.length;
  };
  const ignore = (): void => {};
  await new Promise<void>((resolve) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      while (take());
      if (answers.length === methods.length) end();
    };
    const end = (): void => {
      socket.off('data', read).off('error', ignore).off('close', end);
      resolve();
    };
    socket.on('data', read).on('error', ignore).on('close', end);
    if (socket.closed) end();
  });
  return answers;
}

/** The first answer in a text. */
export function toRawAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Map(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n'), text };
}
