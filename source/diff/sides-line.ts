import type { Line } from '../kit/line/line.ts';
import { cutStart, textWidth } from '../kit/text/text-width.ts';
import type { Symbols, Token } from '../kit/theme/tokens.ts';

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
  readonly symbols: Symbols;
}

/** The state of both sides, in at most `columns`; one has half of them, and what the other does not need. */
export function toSidesLine(before: SideState, after: SideState, { columns, symbols }: SidesLineOptions): Line {
  const between = ` ${symbols.arrow}`;
  const room = columns - textWidth(between);
  const toWidth = ({ name, note }: SideState): number => textWidth(` ${symbols.dot} ${name} ${note}`);
  const left = Math.min(toWidth(before), Math.max(Math.floor(room / 2), room - toWidth(after)));
  const toSide = (side: SideState, width: number): Line => {
    const { sign, token } = toStanding(side, symbols);
    const path = width - (toWidth(side) - textWidth(side.name));
    return [
      { text: ` ${sign} `, token },
      { text: cutStart(side.name, path, symbols.ellipsis) },
      { text: ` ${side.note}`, token },
    ];
  };
  return [...toSide(before, left), { text: between, token: 'muted' }, ...toSide(after, room - left)];
}

function toStanding({ kind }: SideState, symbols: Symbols): { readonly sign: string; readonly token: Token } {
  switch (kind) {
    case 'ready':
      return { sign: symbols.live, token: 'success' };
    case 'broken':
      return { sign: symbols.cross, token: 'danger' };
    case 'loading':
      return { sign: symbols.dot, token: 'muted' };
  }
}
