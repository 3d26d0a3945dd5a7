import type { Readable } from 'node:stream';

const MAX_LINE_LENGTH = 64 * 1024;

/** Gives the lines of a stream, without their ends, as many at a time as have arrived. */
export function readLines(stream: Readable, take: (lines: readonly string[]) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = (lines.at(-1) ?? '').length > MAX_LINE_LENGTH ? '' : (lines.pop() ?? '');
    if (lines.length > 0) take(lines);
  });
  stream.on('close', () => {
    if (rest !== '') take([rest]);
  });
}
