import { stripOutput } from '../patches/strip-output.ts';
import { applyColorPreference } from '../terminal/apply-color-preference.ts';
import { askBackground } from '../terminal/control/ask-background.ts';
import { enterRawMode } from '../terminal/enter-raw-mode.ts';
import { showEarly } from '../terminal/screen-output.ts';
import type { CommandDefinition, PlainProps } from './command.ts';

/** Runs a command: its screen where somebody is there to see it, else its text. Gives the exit code where the command names one. */
export async function runCommand(definition: CommandDefinition, props: PlainProps): Promise<number | undefined> {
  if (definition.screen && opensScreen(props) && !definition.isComplete?.(props)) {
    return runScreen(definition, definition.screen, props);
  }
  stripOutput();
  const { default: plain } = await definition.plain();
  return (await plain(props)) ?? undefined;
}

async function runScreen(
  { begin }: CommandDefinition,
  screen: NonNullable<CommandDefinition['screen']>,
  props: PlainProps,
): Promise<number> {
  applyColorPreference();
  // Ink does so after its first frame: what is typed before would be echoed into it.
  const leaveRawMode = enterRawMode();
  let leaveEarly = (): void => {};
  try {
    const background = askBackground(props.terminal);
    const toFirstFrame = (await begin?.())?.default(props);
    if (toFirstFrame !== undefined) {
      const first = showFirst(background.then(toFirstFrame));
      leaveEarly = first.leave;
      // Importing leaves no time to read what a terminal at hand has answered by then.
      await Promise.race([first.shown, new Promise((resolve) => void setTimeout(resolve, ANSWER_MS))]);
    }
    const { openScreen } = await import('./open-screen.tsx');
    const { default: Screen } = await screen();
    return await openScreen(Screen, props, { background: await background, leaveEarly, leaveRawMode });
  } finally {
    leaveEarly();
    leaveRawMode();
  }
}

/** The time that a terminal on this machine takes to answer, and more, milliseconds. */
const ANSWER_MS = 25;

interface First {
  /** Resolves when the frame is there, or there is none. */
  readonly shown: Promise<void>;
  readonly leave: () => void;
}

/** Shows the first frame as soon as it is known how it looks, until it is left. */
function showFirst(frame: Promise<readonly string[] | undefined>): First {
  let leave: (() => void) | undefined;
  let isLeft = false;
  const shown = frame.then((rows) => {
    if (rows !== undefined && !isLeft) leave = showEarly(rows);
  });
  return {
    shown,
    leave: () => {
      isLeft = true;
      leave?.();
    },
  };
}

function opensScreen({ options, terminal }: PlainProps): boolean {
  const { json = false, plain = false } = options as { readonly json?: boolean; readonly plain?: boolean };
  const { CAPIX_PLAIN } = terminal.environment;
  const wantsText = json || plain || (CAPIX_PLAIN !== undefined && CAPIX_PLAIN !== '' && CAPIX_PLAIN !== '0');
  return terminal.isInteractive && !wantsText;
}
