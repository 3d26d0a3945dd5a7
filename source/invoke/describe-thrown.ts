import { readFile } from 'node:fs/promises';
import { toCodeFrame } from '../manifest/code-frame.ts';
import { findErrorPlace, isForeignFrame } from '../manifest/find-source-place.ts';
import type { CallFailure } from './perform-call.ts';

/** A thrown value as text. */
interface ThrownText {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** An error that nobody foresaw, with its place in the project's code, and the lines around it. */
export async function describeThrown(
  { name, message, stack = message }: ThrownText,
  root: string,
): Promise<Pick<CallFailure, 'thrown' | 'place' | 'frame'>> {
  const place = findErrorPlace(stack, root);
  const text = place && (await readFile(place.file, 'utf8').catch(() => ''));
  const frame = place && toCodeFrame({ ...place, text: text ?? '' });
  const lines = stack.split('\n').filter((line) => !isForeignFrame(line));
  return { thrown: { message: `${name}: ${message}`, stack: lines.join('\n') }, place, frame };
}
