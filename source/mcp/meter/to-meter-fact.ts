import { type Line, toCell } from '../../kit/line/line.ts';
import { wrapText } from '../../kit/text/text-width.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import { toCount } from './meter-text.ts';

/** Columns of the name of a fact. */
export const FACT = 16;

/** A fact of the details: its name, and what it is. */
export function toMeterFact(name: string, value: string, width = FACT): Line {
  return [...toCell(name, { width, token: 'muted' }), { text: value }];
}

/** `1 token`, `6,500 tokens` */
export function toTokensText(tokens: number): string {
  return tokens === 1 ? '1 token' : `${toCount(tokens)} tokens`;
}

/** Words in lines of at most `width` columns. */
export function toWrapped(words: string, width: number): readonly Line[] {
  return wrapText(stripControl(words), width).map((text) => [{ text }]);
}

/** `10:04:59`, in the time of this machine. */
export function toTimeText(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
