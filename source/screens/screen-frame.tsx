import { Box, Text, useApp, useWindowSize } from 'ink';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { ScreenResult } from '../cli/command.ts';
import { toKeyLine } from '../kit/key-binding.ts';
import { Keys, Reachable, useHeldKeys, useKeyLayers, useKeyReasons } from '../kit/keys.tsx';
import { fitLine, type Line, lineWidth } from '../kit/line.ts';
import { LineView, LineViews } from '../kit/line-view.tsx';
import { textWidth } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import { BodySizeContext, type Size } from '../kit/use-ui.ts';
import type { ShownFailure } from '../values/shown-failure.ts';
import {
  type ShellHeader,
  type ShellStatus,
  type Trouble,
  toBannerLines,
  toHeaderLine,
  toShellStatus,
  toTroubleLines,
} from './frame-head.ts';
import { Palette } from './palette.tsx';
import { PROMPT_ROWS, PromptLines } from './prompts.tsx';
import { useForMoment } from './use-marks.ts';
import { useNavigation, useProject, useServices, useTalk } from './use-screen.ts';

/** In place of a body that waits for the first load; keys that are typed meanwhile are for the body. */
export function LoadingLine() {
  const hasFailed = useProject().project.failure !== undefined;
  useHeldKeys({ hasFailed });
  const text = hasFailed ? '  Nothing to show until it loads.' : '  Loading the project …';
  return <LineView line={[{ text, token: 'muted' }]} />;
}

export interface ScreenFrameProps extends Pick<ShellHeader, 'screen'> {
  /** Whether letters are text here, so that `q` cannot leave: without a way back Esc does, twice. @default false */
  readonly isForm?: boolean;
  /** The effect of `q`. @default the end of the application */
  readonly onLeave?: () => void;
  /** Why what the screen loads beside the project cannot be loaded; what is wrong with the project comes first. */
  readonly failure?: ShownFailure | undefined;
  /** The subject of the header and of the lines below it. @default the project */
  readonly about?: FrameSubject;
  readonly children: ReactNode;
}

export interface FrameSubject {
  readonly name: string | undefined;
  readonly status: ShellStatus;
  readonly failure?: ShownFailure | undefined;
  readonly trouble?: Trouble | undefined;
}

/** The time that the second Esc of a form may take, milliseconds. */
const AGAIN_MS = 3000;

/**
 * The frame of every screen of the application: header, failure, body, question, key line; over the body the palette.
 * `useBodySize` measures the body.
 */
export function ScreenFrame({
  screen,
  isForm = false,
  onLeave,
  failure,
  children,
  ...options
}: ScreenFrameProps) {
  const { commands } = useNavigation();
  const { findings } = useProject();
  const { notice, prompt } = useTalk();
  useKeyReasons(useServices().notify);
  const { columns, rows } = useWindowSize();
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  const subject = useSubject(failure);
  const about = options.about ?? subject;
  const { end, leave, isConfirming } = useLeaving(isForm, onLeave);
  const isTooSmall = columns < minSize.columns || rows < minSize.rows;
  const width = Math.max(columns, minSize.columns);
  const height = Math.max(rows, minSize.rows);
  const problemCount = findings?.length ?? 0;
  const header = { project: about.name, screen, status: about.status, problemCount };
  const head = [
    toHeaderLine(header, width),
    [{ text: signs.line.repeat(width), token: 'muted' as const }],
    ...toFailureLines(about, { columns: width, rows: height - 3 }),
  ];
  const body = {
    columns: width,
    rows: height - head.length - 1 - (prompt === undefined ? 0 : PROMPT_ROWS),
  };
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {isTooSmall && <TooSmall columns={columns} rows={rows} onLeave={end} />}
      <Hideable isShown={!isTooSmall} width={width} height={height}>
        <LineViews lines={head} columns={width} />
        <BodySizeContext value={body}>
          <Reachable isReached={prompt === undefined}>
            <Hideable isShown={!isPaletteOpen} height={body.rows} overflowY="hidden">
              <FrameKeys
                isForm={isForm}
                place={about.failure?.place}
                onHelp={() => setIsPaletteOpen(true)}
                onLeave={leave}
              >
                {children}
              </FrameKeys>
            </Hideable>
          </Reachable>
          {isPaletteOpen && <Palette commands={commands} onClose={() => setIsPaletteOpen(false)} />}
        </BodySizeContext>
        {prompt && <PromptLines prompt={prompt} columns={width} />}
        <KeyLine columns={width} notice={isConfirming ? 'Esc again leaves.' : notice} />
      </Hideable>
    </Box>
  );
}

interface HideableProps extends ComponentProps<typeof Box> {
  readonly isShown: boolean;
}

/** A column whose views stay while it is hidden, with their state: an answer, a text that is half typed. */
function Hideable({ isShown, ...props }: HideableProps) {
  return (
    <Reachable isReached={isShown}>
      <Box flexDirection="column" display={isShown ? 'flex' : 'none'} {...props} />
    </Reachable>
  );
}

/** The end of the application, and the key that leads there: a form has no `q`, and its Esc leaves the second time. */
function useLeaving(isForm: boolean, onLeave: (() => void) | undefined) {
  const { back } = useNavigation();
  const { exit } = useApp();
  const [leaveRequest, setLeaveRequest] = useState<object>();
  const isConfirming = useForMoment(leaveRequest, AGAIN_MS) !== undefined;
  const end = onLeave ?? (() => exit({ exitCode: 0 } satisfies ScreenResult));
  const leave = (): void => {
    if (isForm && back === undefined && !isConfirming) setLeaveRequest({});
    else end();
  };
  return { end, leave, isConfirming };
}

interface FrameKeysProps {
  readonly isForm: boolean;
  /** The place of the failure that is shown. */
  readonly place: ShownFailure['place'];
  readonly onHelp: () => void;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

/** The keys that every screen has. In a form `?`, `q` and `e` are text, and Ctrl-Z undoes. */
function FrameKeys({ isForm, place, onHelp, onLeave, children }: FrameKeysProps) {
  const { edit, stop } = useServices();
  const { back } = useNavigation();
  // The letter works where the form has handed the keys on, as to an answer.
  const help = { keys: ['?', 'ctrl+p'], run: onHelp };
  const leading = back === undefined ? { help: onHelp } : { back, help: onHelp };
  const inForm =
    back === undefined
      ? { help, back: { help: 'Leave', hint: 'leave', run: onLeave } }
      : { back, help };
  return (
    <Keys
      isForm={isForm}
      actions={isForm ? inForm : { ...leading, leave: onLeave, suspend: () => stop?.() }}
    >
      <Keys
        isFirst
        isActive={place !== undefined}
        actions={{
          edit: {
            keys: [isForm ? 'ctrl+g' : 'e'],
            help: 'Open the place of the failure in $EDITOR',
            run: () => edit(place),
          },
        }}
      >
        {children}
      </Keys>
    </Keys>
  );
}

function useSubject(failure: ShownFailure | undefined): FrameSubject {
  const { project } = useProject();
  const name = project.manifest?.project.name;
  if (project.noProject) return { name, status: { kind: 'none' }, failure };
  const status = toShellStatus(project);
  return {
    name,
    status: failure === undefined || status.kind === 'broken' ? status : { kind: 'broken' },
    failure: project.failure ?? failure,
    trouble: project.watchTrouble,
  };
}

function toFailureLines(
  { failure, trouble }: FrameSubject,
  size: Parameters<typeof toBannerLines>[1],
): readonly Line[] {
  return [
    ...(failure ? toBannerLines(failure, size) : []),
    ...(trouble ? toTroubleLines(trouble, size.columns) : []),
  ];
}

/** The keys that work now, as many as fit; in the right corner what just happened, which takes the room it needs. */
function KeyLine({
  columns,
  notice,
}: {
  readonly columns: number;
  readonly notice: string | undefined;
}) {
  const layers = useKeyLayers();
  const noticeText = notice ? `  ${notice} ` : '';
  const keys = toKeyLine(layers, columns - 2 - textWidth(noticeText)).flatMap(
    ({ key, hint, isOff }, index): Line => [
      { text: index === 0 ? ' ' : ` ${signs.dot} ` },
      { text: key, token: isOff ? 'muted' : 'key' },
      { text: ` ${hint}`, ...(isOff && { token: 'muted' as const }) },
    ],
  );
  const gap = Math.max(0, columns - lineWidth(keys) - textWidth(noticeText));
  const line: Line = [
    ...keys,
    { text: ' '.repeat(gap) },
    { text: keys.length === 0 ? noticeText.slice(1) : noticeText, token: 'accent' },
  ];
  return (
    <Box width={columns} height={1}>
      <LineView line={fitLine(line, columns)} />
    </Box>
  );
}

/** The smallest window that a screen can be read in. */
const minSize = { columns: 40, rows: 10 } as const;

interface TooSmallProps extends Size {
  readonly onLeave: () => void;
}

/** Drawn in place of everything. Parts that nobody can see take no keys. */
function TooSmall({ columns, rows, onLeave }: TooSmallProps) {
  // Without hints: the key line is drawn before these keys are removed.
  const action = { help: 'Leave', hint: undefined, run: onLeave };
  const least = `${minSize.columns}x${minSize.rows}`;
  return (
    <Keys actions={{ leave: action, back: action }}>
      <Box width={columns} height={rows} overflowY="hidden">
        <Text>{`The window is ${columns}x${rows}; make it ${least} or larger. q leaves.`}</Text>
      </Box>
    </Keys>
  );
}
