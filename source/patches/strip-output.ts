import { StringDecoder } from 'node:string_decoder';
import { stripControl } from '../terminal/strip-control.ts';

/**
 * Takes escape sequences and control characters out of what this process writes to a terminal. They come from the
 * user's code: a plain command writes none.
 */
export function stripOutput(): void {
  for (const stream of [process.stdout, process.stderr]) if (stream.isTTY) stripWrites(stream);
}

function stripWrites(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  // A character may be in two parts.
  const decoder = new StringDecoder('utf8');
  stream.write = ((chunk: Uint8Array | string, ...rest: never[]) => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    return write(stripControl(text), ...rest);
  }) as typeof stream.write;
}
