import { stripControl } from '../terminal/control/strip-control.ts';
import { toClipboardSequence } from '../terminal/control/to-clipboard-sequence.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A program that takes text on stdin and keeps it. */
interface Keeper {
  readonly program: string;
  readonly words: readonly string[];
  /** The place where it puts the text, for the user. */
  readonly place: string;
}

export interface CopyOptions extends Pick<Terminal, 'writeOut' | 'environment'> {
  /** @default that of this machine */
  readonly platform?: NodeJS.Platform;
}

/**
 * Puts text where the user can paste it from, and gives the name of that place: the clipboard of this machine where one of its programs takes
 * it, else the buffer of tmux, which hands it on. Undefined where nothing but the terminal was told (OSC 52), which most obey, over ssh too,
 * and some ignore: nobody knows then.
 */
export async function copyToClipboard(text: string, options: CopyOptions): Promise<string | undefined> {
  const clean = stripControl(text);
  const { environment, writeOut, platform = process.platform } = options;
  for (const keeper of toKeepers(environment, platform)) {
    if (await keep(clean, keeper, environment)) return keeper.place;
  }
  writeOut(toClipboardSequence(clean));
  return undefined;
}

/** The programs that may be there, the best first. Over ssh the clipboard of this machine is not that of the user. */
function toKeepers(environment: Terminal['environment'], platform: NodeJS.Platform): readonly Keeper[] {
  const { SSH_CONNECTION, SSH_TTY, TMUX, WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME } = environment;
  const place = 'the clipboard';
  const own: readonly (Keeper | false)[] = [
    platform === 'darwin' && { program: 'pbcopy', words: [], place },
    (platform === 'win32' || Boolean(WSL_DISTRO_NAME)) && { program: 'clip.exe', words: [], place },
    Boolean(WAYLAND_DISPLAY) && { program: 'wl-copy', words: [], place },
    Boolean(DISPLAY) && { program: 'xclip', words: ['-selection', 'clipboard'], place },
    Boolean(DISPLAY) && { program: 'xsel', words: ['--clipboard', '--input'], place },
  ];
  const isRemote = Boolean(SSH_CONNECTION ?? SSH_TTY);
  const tmux = [
    { program: 'tmux', words: ['load-buffer', '-w', '-'], place: 'the buffer of tmux' },
    // Before tmux 3.2 there is no -w, which hands the text on to the terminal.
    { program: 'tmux', words: ['load-buffer', '-'], place: 'the buffer of tmux' },
  ];
  return [...(isRemote ? [] : own), ...(TMUX ? tmux : [])].filter((keeper) => keeper !== false);
}

/** The time that a program may take, milliseconds: a clipboard without its server waits for ever. */
const KEEP_MS = 2_000;

async function keep(text: string, { program, words }: Keeper, environment: Terminal['environment']): Promise<boolean> {
  const { execa } = await import('execa');
  // The clipboard of Windows takes UTF-16, and knows it by its mark.
  const input = program === 'clip.exe' ? Buffer.from(`\uFEFF${text}`, 'utf16le') : text;
  const { exitCode } = await execa(program, words, {
    input,
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
