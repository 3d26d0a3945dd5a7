import type { Readable } from 'node:stream';

/** Gives the messages of a stream, one a line, however long they are, and says when it has ended. */
export function splitMessages(stream: Readable, take: (message: string) => void, onEnd: () => void): void {
  let parts: string[] = [];
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd();
  };
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = text.split('\n');
    for (const line of lines.slice(0, -1)) {
      const message = [...parts, line].join('');
      parts = [];
      if (message.trim() !== '') take(message);
    }
    parts.push(lines.at(-1) ?? '');
  });
  // A connection that breaks closes without an end.
  stream.once('end', end).once('close', end).once('error', end);
}
