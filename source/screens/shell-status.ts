import { fitLine, type Line, lineWidth } from '../kit/line.ts';
import { cutText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import type { ProjectState } from '../load/project-state.ts';
import { toCount } from '../values/count.ts';
import { toClock, toDuration } from '../values/duration.ts';

/** The state of things in the header. */
export type ShellStatus =
  | { readonly kind: 'loading' }
  /** `at`: milliseconds since 1970. */
  | { readonly kind: 'ready'; readonly at: number; readonly durationMs?: number | undefined }
  /** The last good state is shown. */
  | { readonly kind: 'broken'; readonly at?: number | undefined }
  | { readonly kind: 'none' };

/** The state of a project. While a change is loaded, the header says what was: a flicker tells nobody anything. */
export function toShellStatus(project: ProjectState): ShellStatus {
  const { manifest, failure, failedAt, loadedAt, durationMs } = project;
  if (failure !== undefined) return { kind: 'broken', at: failedAt };
  if (manifest === undefined || loadedAt === undefined) return { kind: 'loading' };
  return { kind: 'ready', at: loadedAt, durationMs };
}

export interface ShellHeader {
  /** Name of the user's project; missing outside of one. */
  readonly project: string | undefined;
  /** Name of the screen, and of what it shows: `['show', 'items.getItem']`. */
  readonly screen: string | readonly string[];
  readonly status: ShellStatus;
  readonly problemCount: number;
}

/** Below this width the header says only what cannot be guessed. */
const NARROW = 60;

/** Columns of a project's name below which it is left out. */
const MIN_PROJECT = 5;

/** The project and the place at the left, its state at the right: shorter where there is no room for both. */
export function toHeaderLine(
  { project = '', screen, status, problemCount }: ShellHeader,
  columns: number,
): Line {
  const isNarrow = columns < NARROW;
  const title = typeof screen === 'string' ? screen : screen.join(` ${signs.closed} `);
  const toLeft = (name: string): Line => [
    { text: isNarrow ? '' : ' capix ', token: 'accent' },
    { text: ` ${name === '' ? '' : `${name} ${signs.closed} `}` },
    { text: title, token: 'title' },
  ];
  const toRight = (isShort: boolean): Line => [
    ...toProblems(problemCount, isShort),
    ...toStatus(status, isShort),
    { text: ' ' },
  ];
  const isShort = isNarrow || lineWidth(toLeft(project)) + lineWidth(toRight(false)) > columns;
  const right = toRight(isShort);
  const room = Math.max(0, columns - lineWidth(right));
  // The project is known to whoever opened it; the screen is what changes.
  const projectRoom = isNarrow ? 0 : room - lineWidth(toLeft('')) - 3;
  return [
    ...fitLine(toLeft(projectRoom < MIN_PROJECT ? '' : cutText(project, projectRoom)), room),
    ...right,
  ];
}

function toProblems(count: number, isShort: boolean): Line {
  if (count === 0) return [];
  const text = isShort ? count : toCount(count, 'problem');
  return [{ text: ` ${signs.warning} ${text} `, token: 'warning' }];
}

function toStatus(status: ShellStatus, isShort: boolean): Line {
  switch (status.kind) {
    case 'none':
      return [];
    case 'loading':
      return [{ text: ` ${signs.dot} loading`, token: 'muted' }];
    case 'ready': {
      const duration =
        status.durationMs === undefined || isShort ? '' : ` in ${toDuration(status.durationMs)}`;
      return [
        { text: ` ${signs.live} `, token: 'success' },
        { text: `${toClock(status.at)}${duration}`, token: 'muted' },
      ];
    }
    case 'broken':
      return [
        {
          text: ` ${signs.cross} broken${status.at === undefined ? '' : ` ${toClock(status.at)}`}`,
          token: 'danger',
        },
      ];
  }
}
