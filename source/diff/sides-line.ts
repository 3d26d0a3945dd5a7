import type { Line } from '../kit/line/line.ts';
import { cutStart, textWidth } from '../kit/text/text-width.ts';
import type { Symbols, Token } from '../kit/theme/tokens.ts';
import type { ProjectState } from '../load/project-state.ts';
import { toClock, toShellStatus } from '../screens/shell/shell-status.ts';

/** One of the two that are compared. */
export interface Side {
  /** The config file as it was named. */
  readonly path: string;
  readonly state: ProjectState;
}

export interface SidesLineOptions {
  readonly columns: number;
  readonly symbols: Symbols;
}

/** The state of both sides, in at most `columns`. */
export function toSidesLine(before: Side, after: Side, { columns, symbols }: SidesLineOptions): Line {
  const between = ` ${symbols.arrow}`;
  const half = Math.floor((columns - textWidth(between)) / 2);
  return [
    ...toSide(before, { columns: half, symbols }),
    { text: between, token: 'muted' },
    ...toSide(after, { columns: half, symbols }),
  ];
}

function toSide({ path, state }: Side, { columns, symbols }: SidesLineOptions): Line {
  const { sign, note, token } = toStanding(state, symbols);
  return [
    { text: ` ${sign} `, token },
    { text: cutStart(path, columns - textWidth(sign) - textWidth(note) - 3, symbols.ellipsis) },
    { text: ` ${note}`, token },
  ];
}

interface Standing {
  readonly sign: string;
  readonly note: string;
  readonly token: Token;
}

function toStanding(state: ProjectState, symbols: Symbols): Standing {
  const status = toShellStatus(state);
  switch (status.kind) {
    case 'ready':
      return { sign: symbols.live, note: toClock(status.at), token: 'success' };
    case 'broken':
      return { sign: symbols.cross, note: 'broken', token: 'danger' };
    case 'loading':
    case 'none':
      return { sign: symbols.dot, note: 'loading', token: 'muted' };
  }
}
