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

/** The state of both sides, in at most `columns`; one has half of them, and what the other does not need. */
export function toSidesLine(before: Side, after: Side, { columns, symbols }: SidesLineOptions): Line {
  const between = ` ${symbols.arrow}`;
  const room = columns - textWidth(between);
  const half = Math.floor(room / 2);
  const left = Math.min(toWidth(before, symbols), Math.max(half, room - toWidth(after, symbols)));
  return [
    ...toSide(before, { columns: left, symbols }),
    { text: between, token: 'muted' },
    ...toSide(after, { columns: room - left, symbols }),
  ];
}

function toSide(side: Side, { columns, symbols }: SidesLineOptions): Line {
  const { sign, note, token } = toStanding(side.state, symbols);
  const path = columns - (toWidth(side, symbols) - textWidth(side.path));
  return [
    { text: ` ${sign} `, token },
    { text: cutStart(side.path, path, symbols.ellipsis) },
    { text: ` ${note}`, token },
  ];
}

/** Columns of a side whose path is whole. */
function toWidth({ path, state }: Side, symbols: Symbols): number {
  const { sign, note } = toStanding(state, symbols);
  return textWidth(` ${sign} ${path} ${note}`);
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
