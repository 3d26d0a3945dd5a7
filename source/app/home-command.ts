import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';

export type HomeValues = CommonValues & { readonly plain?: boolean };

/** `capix --plain` and `capix --json`: what the first screen shows, for screen readers and prompts. Else the help. */
export default async function homeCommand(props: PlainProps<HomeValues>): Promise<void> {
  const { options, terminal, help } = props;
  const isPlain = options.plain === true || asksForText(terminal);
  if (!options.json && !isPlain) return terminal.writeOut(help.text);
  // The help loads no library.
  const { writeHome } = await import('./write-home.ts');
  return writeHome(props);
}

function asksForText({ environment }: PlainProps['terminal']): boolean {
  return !['', '0', undefined].includes(environment['CAPIX_PLAIN']);
}
