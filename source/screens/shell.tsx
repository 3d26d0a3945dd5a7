import { Box, Text, useApp, useWindowSize } from 'ink';
import { type ReactNode, useEffect, useState } from 'react';
import type { ScreenResult } from '../cli/command.ts';
import { toBindings, toFormBindings } from '../kit/actions.ts';
import { type KeyBinding, toKeyLine } from '../kit/key-binding.ts';
import { keyPriority } from '../kit/key-stack.ts';
import { fitLine, type Line, lineWidth } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { textWidth, wrapText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import { useKeyLayers, useKeys } from '../kit/use-keys.ts';
import { BodySizeContext, type Size } from '../kit/use-ui.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { FailureBanner, type ShownFailure, toBannerRows } from './failure-banner.tsx';
import { Palette, type PaletteCommand } from './palette.tsx';
import { PROMPT_ROWS, type Prompt, PromptLines } from './prompts.tsx';
import { ShellHeader, type ShellHeaderProps } from './shell-header.tsx';

export interface ShellProps extends Omit<ShellHeaderProps, 'columns'> {
  /** Why the last load failed: shown above the body, which keeps the last good state. */
  readonly failure?: ShownFailure | undefined;
  /** Opens the place of the failure; missing where it has none. */
  readonly onEditFailure?: (() => void) | undefined;
  /** The trouble that there is, while it lasts. */
  readonly trouble?: Trouble | undefined;
  /** The notice that stands for a moment instead of the key line: `'Copied'`. */
  readonly notice?: string | undefined;
  /** The entries of the palette. */
  readonly commands?: () => readonly PaletteCommand[];
  /** The question that has the last rows of the body, and the keys. */
  readonly prompt?: Prompt | undefined;
  /** The effect of Esc; missing where there is nothing behind this screen. */
  readonly onBack?: (() => void) | undefined;
  /** Whether letters are text here, so that `q` cannot leave: without a way back Esc does, twice. @default false */
  readonly isForm?: boolean;
  /** The effect of `q`. @default the end of the screen */
  readonly onLeave?: () => void;
  /** Gives the terminal back to the shell until `fg`; missing where the platform has no such thing. */
  readonly onStop?: (() => void) | undefined;
  readonly children: ReactNode;
}

const noCommands = (): readonly PaletteCommand[] => [];

const withBack = toBindings(['back', 'help', 'leave']);
const withoutBack = toBindings(['help', 'leave']);
// `?` and `q` are text in a form.
const formWithBack = toFormBindings(['back', 'help']);
const formWithoutBack = toFormBindings(['help', 'back'], { back: { help: 'Leave', hint: 'leave' } });
// In a form the same key undoes.
const suspend = toBindings(['suspend']);
const failureWords = { edit: { help: 'Open the place of the failure in $EDITOR' } };
const editFailure = toBindings(['edit'], failureWords);
const editFormFailure = toFormBindings(['edit'], failureWords);

/** The time that the second Esc of a form may take, milliseconds. */
const AGAIN_MS = 3000;

/** Ends at once, or where what is typed would be gone, when it is asked again. */
function useLeave({ end, isAsked }: { readonly end: () => void; readonly isAsked: boolean }) {
  const [askedAt, setAskedAt] = useState<number>();
  useEffect(() => {
    if (askedAt === undefined) return undefined;
    const timer = setTimeout(() => setAskedAt(undefined), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [askedAt]);
  return {
    leave: (): void => {
      if (!isAsked || askedAt !== undefined) end();
      else setAskedAt(Date.now());
    },
    question: askedAt === undefined ? undefined : 'Esc again leaves.',
  };
}

type ShellAction = 'help' | 'leave' | 'back';

interface ShellKeys extends Pick<ShellProps, 'onBack' | 'onStop' | 'onEditFailure'> {
  readonly isForm: boolean;
  readonly onAction: (action: ShellAction) => void;
}

/** Takes the keys that every screen has. */
function useShellKeys({ onBack, isForm, onStop, onEditFailure, onAction }: ShellKeys): void {
  useKeys<ShellAction>({
    title: 'Everywhere',
    bindings: onBack ? (isForm ? formWithBack : withBack) : isForm ? formWithoutBack : withoutBack,
    priority: keyPriority.shell,
    onAction,
  });
  useKeys({
    title: 'Everywhere',
    bindings: suspend,
    priority: keyPriority.shell,
    isActive: onStop !== undefined && !isForm,
    onAction: () => onStop?.(),
  });
  // In a form an `e` may be text, also where no field has the focus at the moment.
  useKeys({
    title: 'Failure',
    bindings: isForm ? editFormFailure : editFailure,
    priority: keyPriority.failure,
    isActive: onEditFailure !== undefined,
    onAction: () => onEditFailure?.(),
  });
}

/** The frame of every screen: header, body, key line; help and palette over it. `useBodySize` measures the body. */
export function Shell({
  failure,
  trouble,
  notice,
  commands = noCommands,
  onBack,
  isForm = false,
  onLeave,
  onStop,
  onEditFailure,
  prompt,
  children,
  ...header
}: ShellProps) {
  const { columns, rows } = useWindowSize();
  const { exit } = useApp();
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  const end = onLeave ?? (() => exit({ exitCode: 0 } satisfies ScreenResult));
  const { leave, question } = useLeave({ end, isAsked: isForm && onBack === undefined });
  useShellKeys({
    onBack,
    isForm,
    onStop,
    onEditFailure,
    onAction: (action) => {
      if (action === 'help') setIsPaletteOpen(true);
      else if (action === 'back' && onBack) onBack();
      else leave();
    },
  });

  const isTooSmall = columns < minSize.columns || rows < minSize.rows;
  const width = Math.max(columns, minSize.columns);
  const height = Math.max(rows, minSize.rows);
  const bannerRows = failure ? toBannerRows(failure, { columns: width, rows: height - 3 }) : 0;
  const troubleRows = trouble ? toTroubleLines(trouble, width).length : 0;
  const promptRows = prompt === undefined ? 0 : PROMPT_ROWS;
  const body = { columns: width, rows: height - 3 - bannerRows - troubleRows - promptRows };
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {isTooSmall && <TooSmall columns={columns} rows={rows} onLeave={end} />}
      {/* What is hidden stays: an answer, a text that is half typed. */}
      <Box flexDirection="column" width={width} height={height} display={isTooSmall ? 'none' : 'flex'}>
        <ShellHeader {...header} columns={width} />
        {failure && <FailureBanner failure={failure} columns={width} rows={bannerRows} />}
        {trouble && <TroubleLines trouble={trouble} columns={width} />}
        <BodySizeContext value={body}>
          <Box flexDirection="column" height={body.rows} overflowY="hidden" display={isPaletteOpen ? 'none' : 'flex'}>
            {children}
          </Box>
          {isPaletteOpen && <Palette commands={commands} onClose={() => setIsPaletteOpen(false)} />}
        </BodySizeContext>
        {prompt && <PromptLines prompt={prompt} columns={width} />}
        <KeyLine columns={width} notice={question ?? notice} />
      </Box>
    </Box>
  );
}

/** Columns between the keys and what happened. */
const GAP = 2;

/** The keys that work now, as many as fit; in the right corner what just happened, which takes the room it needs. */
function KeyLine({ columns, notice }: { readonly columns: number; readonly notice: string | undefined }) {
  const layers = useKeyLayers();
  const said = notice ? `${notice} ` : '';
  const room = columns - 2 - textWidth(said);
  const hints = toKeyLine(layers, said === '' ? room : room - GAP);
  const keys = hints.flatMap(
    ({ key, hint }, index): Line => [
      { text: index === 0 ? ' ' : ` ${signs.dot} ` },
      { text: key, token: 'key' },
      { text: ` ${hint}` },
    ],
  );
  const gap = keys.length === 0 ? 1 : columns - lineWidth(keys) - textWidth(said);
  const line: Line = said === '' ? keys : [...keys, { text: ' '.repeat(gap) }, { text: said, token: 'accent' }];
  return (
    <Box width={columns} height={1}>
      <LineView line={fitLine(line, columns)} />
    </Box>
  );
}

/** The lines of a trouble, and what to do about it. */
export interface Trouble {
  readonly message: string;
  readonly hint: string;
}

/** A trouble that the screen can live with, in at most two rows. */
function TroubleLines({ trouble, columns }: { readonly trouble: Trouble; readonly columns: number }) {
  return (
    <Box flexDirection="column">
      {toTroubleLines(trouble, columns, signs.warning).map((line, index) => (
        <LineView key={index} line={fitLine(line, columns)} />
      ))}
    </Box>
  );
}

/** One row where both sentences fit, else one for each, cut at its end. */
function toTroubleLines({ message, hint }: Trouble, columns: number, sign = ' '): readonly Line[] {
  const whole = stripControl(`${message} ${hint}`);
  const rows = wrapText(whole, columns - 4).length === 1 ? [whole] : [stripControl(message), stripControl(hint)];
  return rows.map((text, index): Line => [{ text: ` ${index === 0 ? sign : ' '} ${text}`, token: 'warning' }]);
}

/** The smallest window that a screen can be read in. */
const minSize = { columns: 40, rows: 10 } as const;

interface TooSmallProps extends Size {
  readonly onLeave: () => void;
}

// Without hints: the key line is drawn before these keys are gone.
const tooSmallBindings: readonly KeyBinding<'leave'>[] = [{ action: 'leave', keys: ['q', 'esc'], help: 'Leave' }];

/** Drawn in place of everything. Parts that nobody can see take no keys. */
function TooSmall({ columns, rows, onLeave }: TooSmallProps) {
  useKeys({
    title: 'Window',
    bindings: tooSmallBindings,
    priority: keyPriority.tooSmall,
    isModal: true,
    onAction: onLeave,
  });
  const text = `The window is ${columns}x${rows}; make it ${minSize.columns}x${minSize.rows} or larger. q leaves.`;
  return (
    <Box width={columns} height={rows} overflowY="hidden">
      {columns < text.length ? <Text>{text}</Text> : <LineView line={fitLine([{ text }], columns)} />}
    </Box>
  );
}
