import { Box } from 'ink';
import { fitLine, type Line, lineWidth } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { cutText, toDuration } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
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
  const [said, rule] = toHeaderLines(props);
  return (
    <Box flexDirection="column" height={2}>
      <LineView line={said} />
      <LineView line={rule} />
    </Box>
  );
}

/** Two rows: who and where at the left, how it stands at the right, a line under it. */
function toHeaderLines({
  project,
  screen,
  status = { kind: 'none' },
  problemCount = 0,
  columns,
}: ShellHeaderProps): readonly [Line, Line] {
  const path = typeof screen === 'string' ? [screen] : screen;
  const title = path.join(` ${signs.closed} `);
  const isNarrow = columns < NARROW;
  const toRight = (isShort: boolean): Line => [
    ...toProblems(problemCount, { isNarrow: isShort }),
    ...toStatus(status, { isNarrow: isShort }),
    { text: ' ' },
  ];
  const long = toRight(isNarrow);
  const needed = toLeft({ title, isNarrow }, isNarrow ? '' : (project ?? ''));
  const right = lineWidth(needed) + lineWidth(long) <= columns ? long : toRight(true);
  const room = Math.max(0, columns - lineWidth(right));
  // The project is known to whoever opened it; the screen is what changes.
  const projectRoom = room - lineWidth(toLeft({ title, isNarrow }, ''));
  const shown = projectRoom < MIN_PROJECT || isNarrow ? '' : cutText(project ?? '', projectRoom - 3);
  const left = toLeft({ title, isNarrow }, shown);
  return [[...fitLine(left, room), ...right], [{ text: signs.line.repeat(columns), token: 'muted' }]];
}

/** Below this width the header says only what cannot be guessed. */
const NARROW = 60;

/** Columns of a project's name and of the sign after it, below which it is left out. */
const MIN_PROJECT = 10;

function toLeft({ title, isNarrow }: HeaderStyle & { readonly title: string }, project: string): Line {
  return [
    { text: isNarrow ? '' : ' capix ', token: 'accent' },
    { text: ` ${project === '' ? '' : `${project} ${signs.closed} `}` },
    { text: title, token: 'title' },
  ];
}

interface HeaderStyle {
  readonly isNarrow: boolean;
}

function toProblems(count: number, { isNarrow }: HeaderStyle): Line {
  if (count === 0) return [];
  const text = isNarrow ? count : count === 1 ? '1 problem' : `${count} problems`;
  return [{ text: ` ${signs.warning} ${text} `, token: 'warning' }];
}

function toStatus(status: ShellStatus, { isNarrow }: HeaderStyle): Line {
  switch (status.kind) {
    case 'none':
      return [];
    case 'loading':
      return [{ text: ` ${signs.dot} loading`, token: 'muted' }];
    case 'ready': {
      const duration = status.durationMs === undefined || isNarrow ? '' : ` in ${toDuration(status.durationMs)}`;
      return [
        { text: ` ${signs.live} `, token: 'success' },
        { text: `${toClock(status.at)}${duration}`, token: 'muted' },
      ];
    }
    case 'broken':
      return [
        { text: ` ${signs.cross} broken${status.at === undefined ? '' : ` ${toClock(status.at)}`}`, token: 'danger' },
      ];
  }
}
