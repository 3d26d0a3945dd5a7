import { stripOutput } from '../patches/strip-output.ts';
import { applyColorPreference } from '../terminal/apply-color-preference.ts';
import { askBackground } from '../terminal/control/ask-background.ts';
import { openEarlyScreen } from '../terminal/screen/early-screen.ts';
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
  const early = openEarlyScreen();
  try {
    const background = askBackground(props.terminal);
    const toFirstFrame = (await begin?.())?.default(props);
    if (toFirstFrame !== undefined) {
      const shown = background.then(toFirstFrame).then((rows) => rows && early.show(rows));
      // Importing leaves no time to read what a terminal at hand has answered by then.
      await Promise.race([shown, new Promise((resolve) => void setTimeout(resolve, ANSWER_MS))]);
    }
    const { openScreen } = await import('./open-screen.tsx');
    const { default: Screen } = await screen();
    return await openScreen(Screen, props, { background: await background, early });
  } finally {
    early.close();
  }
}

/** The time that a terminal on this machine takes to answer, and more, milliseconds. */
const ANSWER_MS = 25;

function opensScreen({ options, terminal }: PlainProps): boolean {
  const { json = false, plain = false } = options as { readonly json?: boolean; readonly plain?: boolean };
  const { CAPIX_PLAIN } = terminal.environment;
  const wantsText = json || plain || (CAPIX_PLAIN !== undefined && CAPIX_PLAIN !== '' && CAPIX_PLAIN !== '0');
  return terminal.isInteractive && !wantsText;
}
