import { stripOutput } from '../patches/strip-output.ts';
import { applyColorPreference } from '../terminal/apply-color-preference.ts';
import { showTypedKeys } from '../terminal/screen/typed-keys.ts';
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
  // Ink does so with its first frame; what is typed before would be echoed into it.
  showTypedKeys(false);
  try {
    (await begin?.())?.default(props);
    const { openScreen } = await import('./open-screen.tsx');
    const { default: Screen } = await screen();
    return await openScreen(Screen, props);
  } finally {
    showTypedKeys(true);
  }
}

function opensScreen({ options, terminal }: PlainProps): boolean {
  const { json = false, plain = false } = options as { readonly json?: boolean; readonly plain?: boolean };
  const { CAPIX_PLAIN } = terminal.environment;
  const wantsText = json || plain || (CAPIX_PLAIN !== undefined && CAPIX_PLAIN !== '' && CAPIX_PLAIN !== '0');
  return terminal.isInteractive && !wantsText;
}
