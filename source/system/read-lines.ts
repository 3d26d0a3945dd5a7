import type { Readable } from 'node:stream';

/** The time that a line without its end is waited for, milliseconds: a prompt or a progress dot shows too. */
const PARTIAL_LINE_MS = 100;
/** Characters after which a line is cut. */
const MAX_LINE_LENGTH = 64 * 1024;

/** Gives the lines of a stream, without their line feeds, as many at a time as have come. */
export function readLines(stream: Readable, take: (lines: readonly string[]) => void): void {
  let partial = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (partial !== '') take([partial]);
    partial = '';
  };
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    clearTimeout(timer);
    const lines = (partial + text).split('\n');
    partial = lines.pop() ?? '';
    if (lines.length > 0) take(lines.map(withoutReturn));
    if (partial.length > MAX_LINE_LENGTH) flush();
    else if (partial !== '') timer = setTimeout(flush, PARTIAL_LINE_MS);
  });
  stream.on('close', () => {
    clearTimeout(timer);
    flush();
  });
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
