import { fitLine, type Line, lineWidth, type Segment, toFrameLines } from '../kit/line.ts';
import { cutText, wrapText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import type { ProjectState } from '../load/project-state.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toCount } from '../values/count.ts';
import { toClock, toDuration } from '../values/duration.ts';
import type { ShownFailure } from '../values/shown-failure.ts';

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

/** A failure in at most half of the rows: what happened, where, what to do; of the code as much as has room. */
export function toBannerLines(
  { message, hint = '', frame = '' }: ShownFailure,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly Line[] {
  const most = Math.max(3, Math.floor(rows / 2)) - 1;
  const text = toSignedLines(message, columns, { text: signs.cross, token: 'danger' });
  const hints = hint === '' ? [] : toSignedLines(hint, columns, { text: ' ' });
  const lines = frame === '' ? [] : frame.split('\n');
  const room = Math.max(0, most - text.length);
  // The place and its mark stay the longest.
  const place = lines.findIndex((line) => /^\s*>/.test(line));
  const start = Math.max(0, Math.min(place, lines.length - room));
  const shown = toFrameLines(lines.slice(start, start + room).join('\n'));
  const rule: Line = [{ text: signs.line.repeat(columns), token: 'muted' }];
  return [
    ...[...text, ...(room === 0 || frame === '' ? [] : shown), ...hints].slice(0, most),
    rule,
  ];
}

export interface Trouble {
  readonly message: string;
  readonly hint: string;
}

/** A trouble that the screen can live with: one row where both sentences fit, else one for each, cut at its end. */
export function toTroubleLines({ message, hint }: Trouble, columns: number): readonly Line[] {
  const toLines = (text: string, width: number) =>
    toSignedLines(text, width, { text: signs.warning, token: 'warning' });
  const whole = toLines(`${message} ${hint}`, columns);
  return whole.length === 1 ? whole : [message, hint].flatMap((text) => toLines(text, Infinity));
}

/** Lines with a sign before the first one. */
function toSignedLines(text: string, columns: number, sign: Segment): readonly Line[] {
  return wrapText(stripControl(text), columns - 4).map(
    (line, index): Line => [
      { text: ` ${index === 0 ? sign.text : ' '} ${line}`, token: sign.token },
    ],
  );
}
