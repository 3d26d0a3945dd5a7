import { Box } from 'ink';
import { fitLine, type Line, lineWidth } from '../../kit/line/line.ts';
import { LineView } from '../../kit/line/line-view.tsx';
import { cutText } from '../../kit/text/text-width.ts';
import { toDuration } from '../../kit/text/to-duration.ts';
import type { Symbols } from '../../kit/theme/tokens.ts';
import { useUi } from '../../kit/theme/use-ui.ts';
import { type ShellStatus, toClock } from './shell-status.ts';

export interface ShellHeaderProps {
  /** Name of the user's project; missing outside of one. */
  readonly project?: string | undefined;
  /** Name of the screen and of what it shows: `['show', 'items.getItem']`. */
  readonly screen: string | readonly string[];
  readonly status?: ShellStatus;
  /** Problems of the project. @default 0 */
  readonly problemCount?: number;
  readonly columns: number;
}

export function ShellHeader(props: ShellHeaderProps) {
  const { symbols } = useUi();
  const [said, rule] = toHeaderLines(props, symbols);
  return (
    <Box flexDirection="column" height={2}>
      <LineView line={said} />
      <LineView line={rule} />
    </Box>
  );
}

/** Two rows: who and where at the left, how it stands at the right, a line under it. */
function toHeaderLines(
  { project, screen, status = { kind: 'none' }, problemCount = 0, columns }: ShellHeaderProps,
  symbols: Symbols,
): readonly [Line, Line] {
  const path = typeof screen === 'string' ? [screen] : screen;
  const title = path.join(` ${symbols.closed} `);
  const isNarrow = columns < NARROW;
  const toRight = (isShort: boolean): Line => [
    ...toProblems(problemCount, { symbols, isNarrow: isShort }),
    ...toStatus(status, { symbols, isNarrow: isShort }),
    { text: ' ' },
  ];
  const long = toRight(isNarrow);
  const needed = toLeft({ title, symbols, isNarrow }, isNarrow ? '' : (project ?? ''));
  const right = lineWidth(needed) + lineWidth(long) <= columns ? long : toRight(true);
  const room = Math.max(0, columns - lineWidth(right));
  // The project is known to whoever opened it; the screen is what changes.
  const projectRoom = room - lineWidth(toLeft({ title, symbols, isNarrow }, ''));
  const shown = projectRoom < MIN_PROJECT || isNarrow ? '' : cutText(project ?? '', projectRoom - 3, symbols.ellipsis);
  const left = toLeft({ title, symbols, isNarrow }, shown);
  return [
    [...fitLine(left, room, symbols.ellipsis), ...right],
    [{ text: symbols.line.repeat(columns), token: 'muted' }],
  ];
}

/** Below this width the header says only what cannot be guessed. */
const NARROW = 60;

/** Columns of a project's name and of the sign after it, below which it is left out. */
const MIN_PROJECT = 10;

function toLeft({ title, symbols, isNarrow }: HeaderStyle & { readonly title: string }, project: string): Line {
  return [
    { text: isNarrow ? '' : ' capix ', token: 'accent' },
    { text: ` ${project === '' ? '' : `${project} ${symbols.closed} `}` },
    { text: title, token: 'title' },
  ];
}

interface HeaderStyle {
  readonly symbols: Symbols;
  readonly isNarrow: boolean;
}

function toProblems(count: number, { symbols, isNarrow }: HeaderStyle): Line {
  if (count === 0) return [];
  const text = isNarrow ? count : count === 1 ? '1 problem' : `${count} problems`;
  return [{ text: ` ${symbols.warning} ${text} `, token: 'warning' }];
}

function toStatus(status: ShellStatus, { symbols, isNarrow }: HeaderStyle): Line {
  switch (status.kind) {
    case 'none':
      return [];
    case 'loading':
      return [{ text: ` ${symbols.dot} loading`, token: 'muted' }];
    case 'ready': {
      const duration = status.durationMs === undefined || isNarrow ? '' : ` in ${toDuration(status.durationMs)}`;
      return [
        { text: ` ${symbols.live} `, token: 'success' },
        { text: `${toClock(status.at)}${duration}`, token: 'muted' },
      ];
    }
    case 'broken':
      return [
        { text: ` ${symbols.cross} broken${status.at === undefined ? '' : ` ${toClock(status.at)}`}`, token: 'danger' },
      ];
  }
}
