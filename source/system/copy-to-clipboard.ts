import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface CopyOptions extends Pick<Terminal, 'writeOut' | 'environment'> {
  readonly platform?: NodeJS.Platform;
}

/** The time that a program may take, milliseconds: a clipboard without its server waits for ever. */
const KEEP_MS = 2_000;

/**
 * Puts text into the clipboard of this machine, else into the buffer of tmux, and gives the name of that place.
 * Undefined where only the terminal got the text (OSC 52). Some terminals ignore it, so nobody knows then.
 */
export async function copyToClipboard(
  text: string,
  { environment, writeOut, platform = process.platform }: CopyOptions,
): Promise<string | undefined> {
  const clean = stripControl(text);
  const { execa } = await import('execa');
  for (const [program = '', ...words] of toPrograms(environment, platform)) {
    const { exitCode } = await execa(program, words, {
      // The clipboard of Windows takes UTF-16, and knows it by its mark.
      input: program === 'clip.exe' ? Buffer.from(`\uFEFF${clean}`, 'utf16le') : clean,
      // A program that stays to hand the text out keeps no pipe open.
      stdout: 'ignore',
      stderr: 'ignore',
      env: environment,
      extendEnv: false,
      reject: false,
      timeout: KEEP_MS,
    });
    if (exitCode === 0) return program === 'tmux' ? 'the buffer of tmux' : 'the clipboard';
  }
  writeOut(`\u001B]52;c;${Buffer.from(clean).toString('base64')}\u0007`);
  return undefined;
}

/** The programs that may be there, the best first. Over ssh the clipboard of this machine is not that of the user. */
function toPrograms(
  environment: Terminal['environment'],
  platform: NodeJS.Platform,
): readonly (readonly string[])[] {
  const { SSH_CONNECTION, SSH_TTY, TMUX, WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME } = environment;
  const isHere = !(SSH_CONNECTION || SSH_TTY);
  const programs: readonly (readonly [unknown, ...string[]])[] = [
    [isHere && platform === 'darwin', 'pbcopy'],
    [isHere && (platform === 'win32' || WSL_DISTRO_NAME), 'clip.exe'],
    [isHere && WAYLAND_DISPLAY, 'wl-copy'],
    [isHere && DISPLAY, 'xclip', '-selection', 'clipboard'],
    [isHere && DISPLAY, 'xsel', '--clipboard', '--input'],
    [TMUX, 'tmux', 'load-buffer', '-w', '-'],
  ];
  return programs.flatMap(([isThere, ...words]) => (isThere ? [words] : []));
}
