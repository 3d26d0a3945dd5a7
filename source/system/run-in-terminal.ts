import { parse } from 'shell-quote';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Runs a program that has the terminal for itself, and resolves when it has ended. `command`: as a shell has it, with
 * options. Gives what went wrong, undefined where nothing did. The terminal must be free.
 */
export async function runInTerminal(
  command: string,
  toArguments: (program: string) => readonly string[],
  { environment }: Pick<Terminal, 'environment'>,
): Promise<string | undefined> {
  const [program = '', ...words] = toWords(command);
  // execa finds `code.cmd` on Windows, which `spawn` does not.
  const { execa } = await import('execa');
  const result = await execa(program, [...words, ...toArguments(program)], {
    stdio: 'inherit',
    env: environment,
    extendEnv: false,
    reject: false,
  });
  if (result.exitCode !== undefined)
    return result.exitCode === 0 ? undefined : `${program} ended with exit code ${result.exitCode}`;
  return result.failed ? `${program} could not be started: ${result.originalMessage}` : undefined;
}

/** As a shell splits words, so that a path with blanks can be quoted; on Windows backslashes are part of paths. */
export function toWords(command: string, platform: NodeJS.Platform = process.platform): readonly string[] {
  const words = parse(platform === 'win32' ? command.replaceAll('\\', '\\\\') : command);
  return words.filter((word) => typeof word === 'string');
}
