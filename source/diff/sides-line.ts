import type { Line } from '../kit/line.ts';
import { cutStart, textWidth } from '../kit/text.ts';
import { signs, type Token } from '../kit/theme.ts';

/** One of the two that are compared. */
export interface SideState {
  /** As it was named. */
  readonly name: string;
  /** The word beside the name: the time of the last good load, `loading`, `broken`. */
  readonly note: string;
  readonly kind: 'ready' | 'loading' | 'broken';
}

export interface SidesLineOptions {
  readonly columns: number;
}

/** The state of both sides, in at most `columns`; one has half of them, and what the other does not need. */
export function toSidesLine(before: SideState, after: SideState, { columns }: SidesLineOptions): Line {
  const between = ` ${signs.arrow}`;
  const room = columns - textWidth(between);
  const toWidth = ({ name, note }: SideState): number => textWidth(` ${signs.dot} ${name} ${note}`);
  const left = Math.min(toWidth(before), Math.max(Math.floor(room / 2), room - toWidth(after)));
  const toSide = (side: SideState, width: number): Line => {
    const { sign, token } = toStanding(side);
    const path = width - (toWidth(side) - textWidth(side.name));
    return [{ text: ` ${sign} `, token }, { text: cutStart(side.name, path) }, { text: ` ${side.note}`, token }];
  };
  return [...toSide(before, left), { text: between, token: 'muted' }, ...toSide(after, room - left)];
}

function toStanding({ kind }: SideState): { readonly sign: string; readonly token: Token } {
  switch (kind) {
    case 'ready':
      return { sign: signs.live, token: 'success' };
    case 'broken':
      return { sign: signs.cross, token: 'danger' };
    case 'loading':
      return { sign: signs.dot, token: 'muted' };
  }
}
