import type { CallResult } from '../run/call-protocol.ts';

/** An answer as text: indented JSON, or what came where that is none; with a line feed at its end. */
export function toBodyText({ body, http }: CallResult): string {
  const text = typeof body === 'string' && http !== undefined ? body : JSON.stringify(body ?? null, undefined, 2);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** The name of a file for an answer, whose ending says what it is. */
export function toAnswerFileName({ body, http }: CallResult): string {
  if (typeof body !== 'string' || http === undefined) return 'answer.json';
  const type = http.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return /html/.test(type) ? 'answer.html' : /csv/.test(type) ? 'answer.csv' : 'answer.txt';
}

/** `512 B`, `1.2 kB`, `3.4 MB` */
export function toSizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `0.4 ms`, `12 ms` */
export function toDurationText(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
