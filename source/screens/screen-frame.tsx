import { Box, Text, useApp, useWindowSize } from 'ink';
import { type ReactNode, useMemo, useState } from 'react';
import type { ScreenResult } from '../cli/command.ts';
import { toBindings, toFormBindings } from '../kit/actions.ts';
import { type KeyBinding, toKeyLine } from '../kit/key-binding.ts';
import { keyPriority } from '../kit/key-stack.ts';
import { fitLine, type Line, lineWidth } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { textWidth } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import { useHeldKeys, useKeyLayers, useKeys } from '../kit/use-keys.ts';
import { BodySizeContext, type Size } from '../kit/use-ui.ts';
import {
  type ShownFailure,
  type Trouble,
  toBannerLines,
  toTroubleLines,
} from './failure-banner.ts';
import { Palette } from './palette.tsx';
import { PROMPT_ROWS, PromptLines } from './prompts.tsx';
import { type ShellHeader, type ShellStatus, toHeaderLine, toShellStatus } from './shell-status.ts';
import { useForMoment } from './use-marks.ts';
import { useScreen } from './use-screen.ts';

/** In place of a body that waits for the first load; keys that are typed meanwhile are for the body. */
export function LoadingLine() {
  const hasFailed = useScreen().project.failure !== undefined;
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
  about,
  children,
}: ScreenFrameProps) {
  const { findings, notice, prompt, back, commands, edit, stop } = useScreen();
  const { columns, rows } = useWindowSize();
  const { exit } = useApp();
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  const [leaveRequest, setLeaveRequest] = useState<object>();
  const isAsked = useForMoment(leaveRequest, AGAIN_MS) !== undefined;
  const subject = useSubject(failure);
  const { name, status, failure: shown, trouble } = about ?? subject;
  const end = onLeave ?? (() => exit({ exitCode: 0 } satisfies ScreenResult));
  useShellKeys({
    isForm,
    hasBack: back !== undefined,
    onEditFailure: shown?.place && (() => edit(shown.place)),
    onAction: (action) => {
      if (action === 'help') setIsPaletteOpen(true);
      else if (action === 'suspend') stop?.();
      else if (action === 'back' && back) back();
      else if (isForm && back === undefined && !isAsked) setLeaveRequest({});
      else end();
    },
  });
  const isTooSmall = columns < minSize.columns || rows < minSize.rows;
  const width = Math.max(columns, minSize.columns);
  const height = Math.max(rows, minSize.rows);
  const head: readonly Line[] = [
    toHeaderLine({ project: name, screen, status, problemCount: findings?.length ?? 0 }, width),
    [{ text: signs.line.repeat(width), token: 'muted' }],
    ...(shown ? toBannerLines(shown, { columns: width, rows: height - 3 }) : []),
    ...(trouble ? toTroubleLines(trouble, width) : []),
  ];
  const body = {
    columns: width,
    rows: height - head.length - 1 - (prompt === undefined ? 0 : PROMPT_ROWS),
  };
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {isTooSmall && <TooSmall columns={columns} rows={rows} onLeave={end} />}
      {/* What is hidden stays: an answer, a text that is half typed. */}
      <Box
        flexDirection="column"
        width={width}
        height={height}
        display={isTooSmall ? 'none' : 'flex'}
      >
        {head.map((line, row) => (
          <LineView key={row} line={fitLine(line, width)} />
        ))}
        <BodySizeContext value={body}>
          <Box
            flexDirection="column"
            height={body.rows}
            overflowY="hidden"
            display={isPaletteOpen ? 'none' : 'flex'}
          >
            {children}
          </Box>
          {isPaletteOpen && <Palette commands={commands} onClose={() => setIsPaletteOpen(false)} />}
        </BodySizeContext>
        {prompt && <PromptLines prompt={prompt} columns={width} />}
        <KeyLine columns={width} notice={isAsked ? 'Esc again leaves.' : notice} />
      </Box>
    </Box>
  );
}

function useSubject(failure: ShownFailure | undefined): FrameSubject {
  const { project, noProject } = useScreen();
  const name = project.manifest?.project.name;
  if (noProject) return { name, status: { kind: 'none' }, failure };
  const status = toShellStatus(project);
  return {
    name,
    status: failure === undefined || status.kind === 'broken' ? status : { kind: 'broken' },
    failure: project.failure ?? failure,
    trouble: project.watchTrouble,
  };
}

interface ShellKeys {
  readonly isForm: boolean;
  readonly hasBack: boolean;
  readonly onEditFailure: (() => void) | undefined;
  readonly onAction: (action: 'help' | 'leave' | 'back' | 'suspend') => void;
}

/** Takes the keys that every screen has. In a form `?`, `q` and `e` are text, and Ctrl-Z undoes. */
function useShellKeys({ isForm, hasBack, onEditFailure, onAction }: ShellKeys): void {
  const bindings = useMemo(() => {
    if (!isForm)
      return toBindings(
        hasBack ? ['back', 'help', 'leave', 'suspend'] : ['help', 'leave', 'suspend'],
      );
    return hasBack
      ? toFormBindings(['back', 'help'])
      : toFormBindings(['help', 'back'], { back: { help: 'Leave', hint: 'leave' } });
  }, [isForm, hasBack]);
  useKeys({ title: 'Everywhere', bindings, priority: keyPriority.shell, onAction });
  useKeys({
    title: 'Failure',
    bindings: isForm ? editFormFailure : editFailure,
    priority: keyPriority.failure,
    isActive: onEditFailure !== undefined,
    onAction: () => onEditFailure?.(),
  });
}

const failureWords = { edit: { help: 'Open the place of the failure in $EDITOR' } };
const editFailure = toBindings(['edit'], failureWords);
const editFormFailure = toFormBindings(['edit'], failureWords);

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
    ({ key, hint }, index): Line => [
      { text: index === 0 ? ' ' : ` ${signs.dot} ` },
      { text: key, token: 'key' },
      { text: ` ${hint}` },
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

// Without hints: the key line is drawn before these keys are gone.
const tooSmallBindings: readonly KeyBinding<'leave'>[] = [
  { action: 'leave', keys: ['q', 'esc'], help: 'Leave' },
];

/** Drawn in place of everything. Parts that nobody can see take no keys. */
function TooSmall({ columns, rows, onLeave }: TooSmallProps) {
  useKeys({
    title: 'Window',
    bindings: tooSmallBindings,
    priority: keyPriority.tooSmall,
    isModal: true,
    onAction: onLeave,
  });
  return (
    <Box width={columns} height={rows} overflowY="hidden">
      <Text>{`The window is ${columns}x${rows}; make it ${minSize.columns}x${minSize.rows} or larger. q leaves.`}</Text>
    </Box>
  );
}
