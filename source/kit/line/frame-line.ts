import { stripControl } from '../../terminal/control/strip-control.ts';
import type { Line } from './line.ts';

/** A line of a code frame (`  > 3 | code`): numbers in the background, the place and its mark in front. */
export function toFrameLine(text: string): Line {
  const clean = stripControl(text).replaceAll('\t', '  ');
  const parts = /^(\s*>?\s*\d*\s*\|)(.*)$/.exec(clean);
  if (!parts) return [{ text: clean }];
  const [, gutter = '', code = ''] = parts;
  const isPlace = gutter.includes('>');
  const isMark = /^\s*\^+\s*$/.test(code);
  return [
    { text: gutter, token: isPlace ? 'danger' : 'muted' },
    { text: code, token: isMark ? 'danger' : isPlace ? 'title' : 'muted' },
  ];
}
