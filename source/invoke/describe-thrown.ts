import { findCodeFrame } from '../manifest/code-frame.ts';
import { findErrorPlace, isForeignFrame } from '../manifest/find-source-place.ts';
import type { CallFailure } from './perform-call.ts';

/** A thrown value as text. */
interface ThrownText {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** An error that nobody foresaw, with its place in the project's code, and the lines around it. */
export function describeThrown(
  { name, message, stack = message }: ThrownText,
  root: string,
): Pick<CallFailure, 'thrown' | 'place' | 'frame'> {
  const place = findErrorPlace(stack, root);
  const lines = stack.split('\n').filter((line) => !isForeignFrame(line));
  return {
    thrown: { message: `${name}: ${message}`, stack: lines.join('\n') },
    place,
    frame: place && findCodeFrame(place),
  };
}
