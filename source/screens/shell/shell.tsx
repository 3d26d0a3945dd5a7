import { Box, Text, useApp, useWindowSize } from 'ink';
import { type ReactNode, useEffect, useState } from 'react';
import type { ScreenResult } from '../../cli/command.ts';
import { HelpOverlay } from '../../kit/keys/help-overlay.tsx';
import type { KeyBinding } from '../../kit/keys/key-binding.ts';
import { KeyLine } from '../../kit/keys/key-line.tsx';
import { keyPriority } from '../../kit/keys/key-stack.ts';
import { useKeys } from '../../kit/keys/use-keys.ts';
import { fitLine } from '../../kit/line/line.ts';
import { LineView } from '../../kit/line/line-view.tsx';
import { BodySizeContext, type Size, useUi } from '../../kit/theme/use-ui.ts';
import { Palette, type PaletteCommand } from '../palette.tsx';
import { FailureBanner, type ShownFailure, toBannerRows } from './failure-banner.tsx';
import type { ShellHeaderProps } from './header-lines.ts';
import { minSize } from './min-size.ts';
import { ShellHeader } from './shell-header.tsx';
import { type Trouble, TroubleLines, toTroubleLines } from './trouble-lines.tsx';

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

type ShellAction = 'help' | 'palette' | 'leave' | 'leaveForm' | 'back';

const help: KeyBinding<ShellAction> = {
  action: 'help',
  keys: ['?', 'ctrl+g'],
  help: 'All keys',
  hint: 'help',
  isKept: true,
};
const palette: KeyBinding<ShellAction> = {
  action: 'palette',
  keys: [':', 'ctrl+p'],
  help: 'Every screen and action',
  hint: 'go to',
};
const leaveByLetter: KeyBinding<ShellAction> = {
  action: 'leave',
  keys: ['q'],
  help: 'Leave',
  hint: 'leave',
  isKept: true,
};
const back: KeyBinding<ShellAction> = { action: 'back', keys: ['esc'], help: 'Back', hint: 'back' };

// An action of its own: a letter that the user has given to the other one is text here.
const leaveForm: KeyBinding<ShellAction> = {
  action: 'leaveForm',
  keys: ['esc'],
  help: 'Leave',
  hint: 'leave',
};

const withBack = [palette, back, help, leaveByLetter];
const formWithBack = [palette, back, help];
const formWithoutBack = [palette, help, leaveForm];
const withoutBack = [palette, help, leaveByLetter];

// In a form the same key undoes.
const stop: readonly KeyBinding<'stop'>[] = [
  { action: 'stop', keys: ['ctrl+z'], help: 'Suspend capix; fg in the shell resumes it' },
];

const editFailure: readonly KeyBinding<'edit'>[] = [
  { action: 'edit', keys: ['e'], help: 'Open the place of the failure in $EDITOR', hint: 'edit' },
];

// An action of its own, as `leaveForm` is: letters are text in a form.
const editFormFailure: readonly KeyBinding<'editInForm'>[] = [
  { action: 'editInForm', keys: ['alt+g'], help: 'Open the place of the failure in $EDITOR', hint: 'edit' },
];

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
    title: 'Window',
    bindings: stop,
    priority: keyPriority.shell,
    isActive: onStop !== undefined && !isForm,
    onAction: () => onStop?.(),
  });
  // In a form an `e` may be text, also where no field has the focus at the moment.
  useKeys<'edit' | 'editInForm'>({
    title: 'Failure',
    bindings: isForm ? editFormFailure : editFailure,
    priority: keyPriority.failure,
    isActive: onEditFailure !== undefined,
    onAction: () => onEditFailure?.(),
  });
}

/** The frame of every screen: header, body, key line; help and palette over it. Its body knows its size by `useBodySize`. */
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
  children,
  ...header
}: ShellProps) {
  const { columns, rows } = useWindowSize();
  const { exit } = useApp();
  const [overlay, setOverlay] = useState<'help' | 'palette'>();
  const end = onLeave ?? (() => exit({ exitCode: 0 } satisfies ScreenResult));
  const { leave, question } = useLeave({ end, isAsked: isForm && onBack === undefined });
  useShellKeys({
    onBack,
    isForm,
    onStop,
    onEditFailure,
    onAction: (action) => {
      if (action === 'leave' || action === 'leaveForm') leave();
      else if (action === 'back') onBack?.();
      else setOverlay(action);
    },
  });

  const isTooSmall = columns < minSize.columns || rows < minSize.rows;
  const width = Math.max(columns, minSize.columns);
  const height = Math.max(rows, minSize.rows);
  const bannerRows = failure ? toBannerRows(failure, { columns: width, rows: height - 3 }) : 0;
  const troubleRows = trouble ? toTroubleLines(trouble, width).length : 0;
  const body = { columns: width, rows: height - 3 - bannerRows - troubleRows };
  const close = () => setOverlay(undefined);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {isTooSmall && <TooSmall columns={columns} rows={rows} onLeave={end} />}
      {/* What is hidden stays: an answer, a text that is half typed. */}
      <Box flexDirection="column" width={width} height={height} display={isTooSmall ? 'none' : 'flex'}>
        <ShellHeader {...header} columns={width} />
        {failure && <FailureBanner failure={failure} columns={width} rows={bannerRows} />}
        {trouble && <TroubleLines trouble={trouble} columns={width} />}
        <BodySizeContext value={body}>
          <Box flexDirection="column" height={body.rows} overflowY="hidden" display={overlay ? 'none' : 'flex'}>
            {children}
          </Box>
          {overlay === 'help' && <HelpOverlay onClose={close} />}
          {overlay === 'palette' && <Palette commands={commands} onClose={close} />}
        </BodySizeContext>
        <KeyLine columns={width} notice={question ?? notice} />
      </Box>
    </Box>
  );
}

interface TooSmallProps extends Size {
  readonly onLeave: () => void;
}

const tooSmallBindings: readonly KeyBinding<'leave'>[] = [{ action: 'leave', keys: ['q', 'esc'], help: 'Leave' }];

/** Drawn in place of everything. Parts that nobody can see take no keys. */
function TooSmall({ columns, rows, onLeave }: TooSmallProps) {
  const { symbols } = useUi();
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
      {columns < text.length ? <Text>{text}</Text> : <LineView line={fitLine([{ text }], columns, symbols.ellipsis)} />}
    </Box>
  );
}
