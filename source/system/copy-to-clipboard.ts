import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface CopyOptions extends Pick<Terminal, 'writeOut' | 'environment'> {
  /** @default that of this machine */
  readonly platform?: NodeJS.Platform;
}

/**
 * Puts text where the user can paste it from, and gives the name of that place: the clipboard of this machine where one
 * of its programs takes it, else the buffer of tmux, which hands it on. Undefined where nothing but the terminal was
 * told (OSC 52), which most obey, over ssh too, and some ignore: nobody knows then.
 */
export async function copyToClipboard(text: string, options: CopyOptions): Promise<string | undefined> {
  const clean = stripControl(text);
  const { environment, writeOut, platform = process.platform } = options;
  for (const [program = '', ...words] of toPrograms(environment, platform)) {
    if (await isTaken(clean, { program, words, environment }))
      return program === 'tmux' ? 'the buffer of tmux' : 'the clipboard';
  }
  writeOut(`\u001B]52;c;${Buffer.from(clean).toString('base64')}\u0007`);
  return undefined;
}

/** The programs that may be there, the best first. Over ssh the clipboard of this machine is not that of the user. */
function toPrograms(environment: Terminal['environment'], platform: NodeJS.Platform): readonly (readonly string[])[] {
  const { SSH_CONNECTION, SSH_TTY, TMUX, WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME } = environment;
  const isHere = !(SSH_CONNECTION ?? SSH_TTY);
  const programs = [
    isHere && platform === 'darwin' && ['pbcopy'],
    isHere && (platform === 'win32' || WSL_DISTRO_NAME) && ['clip.exe'],
    isHere && WAYLAND_DISPLAY && ['wl-copy'],
    isHere && DISPLAY && ['xclip', '-selection', 'clipboard'],
    isHere && DISPLAY && ['xsel', '--clipboard', '--input'],
    TMUX && ['tmux', 'load-buffer', '-w', '-'],
  ];
  return programs.filter((words) => Array.isArray(words));
}

/** The time that a program may take, milliseconds: a clipboard without its server waits for ever. */
const KEEP_MS = 2_000;

interface Taking extends Pick<Terminal, 'environment'> {
  readonly program: string;
  readonly words: readonly string[];
}

async function isTaken(text: string, { program, words, environment }: Taking): Promise<boolean> {
  const { execa } = await import('execa');
  const { exitCode } = await execa(program, words, {
    // The clipboard of Windows takes UTF-16, and knows it by its mark.
    input: program === 'clip.exe' ? Buffer.from(`\uFEFF${text}`, 'utf16le') : text,
    // A program that stays to hand the text out keeps no pipe open.
    stdout: 'ignore',
    stderr: 'ignore',
    env: environment,
    extendEnv: false,
    reject: false,
    timeout: KEEP_MS,
  });
  return exitCode === 0;
}
