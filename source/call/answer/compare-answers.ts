import { structuredPatch } from 'diff';
import type { Line } from '../../kit/line/line.ts';
import type { CallResult } from '../run/call-protocol.ts';
import { toBodyText } from './body-text.ts';

/** Longest time that is spent on finding what differs, milliseconds. */
const LIMIT_MS = 500;

/** The differences of an answer from the one before, with three lines around them; one line where there is nothing to compare. */
export function compareAnswers(before: CallResult | undefined, after: CallResult): readonly Line[] {
  if (before === undefined) return [muted('There is no answer before this one: call again.')];
  const status: readonly Line[] =
    before.status === after.status ? [] : [removed(`status ${before.status}`), added(`status ${after.status}`), []];
  const [old, now] = [toBodyText(before), toBodyText(after)];
  if (old === now && status.length === 0) return [muted('The answer is the same as the one before.')];
  const patch = structuredPatch('', '', old, now, '', '', { context: 3, timeout: LIMIT_MS });
  if (patch === undefined) return [...status, muted('The two answers differ too much to be compared line by line.')];
  return [
    ...status,
    ...patch.hunks.flatMap(({ newStart, lines }, index): readonly Line[] => [
      ...(index === 0 ? [] : [[]]),
      muted(`line ${newStart}`),
      ...lines.filter((line) => !line.startsWith('\\')).map(toDiffLine),
    ]),
  ];
}

function toDiffLine(line: string): Line {
  if (line.startsWith('+')) return added(line.slice(1));
  return line.startsWith('-') ? removed(line.slice(1)) : [{ text: `  ${line.slice(1)}` }];
}

function muted(text: string): Line {
  return [{ text, token: 'muted' }];
}

function added(text: string): Line {
  return [{ text: `+ ${text}`, token: 'added' }];
}

function removed(text: string): Line {
  return [{ text: `- ${text}`, token: 'removed' }];
}
