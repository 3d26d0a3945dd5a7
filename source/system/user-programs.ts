import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'shell-quote';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Environment = Pick<Terminal, 'environment'>;

export interface EditorPlace {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/**
 * Opens a file in the user's editor, and waits for its end. Gives what went wrong, if anything. The terminal must be
 * free.
 */
export function openEditor(
  place: EditorPlace,
  { environment }: Environment,
): Promise<string | undefined> {
  const command =
    environment['VISUAL'] ||
    environment['EDITOR'] ||
    (process.platform === 'win32' ? 'notepad' : 'vi');
  return runInTerminal(command, (program) => toEditorArguments(program, place), { environment });
}

/** The arguments that tell editors the line. One that is not known gets the file alone. */
export function toEditorArguments(
  program: string,
  { file, line, column = 1 }: EditorPlace,
): readonly string[] {
  const [name = ''] = /[^\\/]*$/.exec(program.replace(/\.(exe|cmd)$/i, '')) ?? [];
  if (line === undefined) return [file];
  if (/^(?:code|code-insiders|codium|cursor|windsurf)$/.test(name))
    return ['--goto', `${file}:${line}:${column}`];
  if (/^(?:hx|helix|subl|zed)$/.test(name)) return [`${file}:${line}:${column}`];
  if (/^(?:[gn]?vim?|view|emacs|emacsclient|nano|pico|micro|kak|jed|joe|ne)$/.test(name))
    return [`+${line}`, file];
  return /^(?:idea|webstorm|mate)$/.test(name) ? ['--line', String(line), file] : [file];
}

export interface EditedText {
  /** Tells the editor what it is: `input.jsonc`. */
  readonly name: string;
  readonly text: string;
  readonly line?: number | undefined;
}

/** Has a text edited in the user's editor, in a file that nobody else can read and that is removed afterwards. */
export function editInEditor(
  { line, ...text }: EditedText,
  terminal: Environment,
): Promise<{ readonly text: string } | { readonly failure: string }> {
  return withTextFile(text, async (file) => {
    const failure = await openEditor({ file, line }, terminal);
    return failure === undefined ? { text: await readFile(file, 'utf8') } : { failure };
  });
}

/** Shows a text in the user's pager, and waits for its end. Gives what went wrong, if anything. */
export function openInPager(
  text: Pick<EditedText, 'name' | 'text'>,
  { environment }: Environment,
): Promise<string | undefined> {
  const command = environment['PAGER'] || (process.platform === 'win32' ? 'more' : 'less');
  // With -F, which many have in LESS, a short text would disappear before it is read.
  const options = { environment: { ...environment, LESS: '-R' } };
  return withTextFile(text, (file) => runInTerminal(command, () => [file], options));
}

async function withTextFile<Result>(
  { name, text }: Pick<EditedText, 'name' | 'text'>,
  task: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'capix-'));
  try {
    const file = join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    return await task(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives what went wrong, undefined where nothing did. `command`: as a shell has it, with options. */
async function runInTerminal(
  command: string,
  toArguments: (program: string) => readonly string[],
  { environment }: Environment,
): Promise<string | undefined> {
  const [program = '', ...words] = toWords(command);
  // execa finds `code.cmd` on Windows, which `spawn` does not.
  const { execa } = await import('execa');
  const { exitCode, failed, originalMessage } = await execa(
    program,
    [...words, ...toArguments(program)],
    {
      stdio: 'inherit',
      env: environment,
      extendEnv: false,
      reject: false,
    },
  );
  if (exitCode === undefined)
    return failed ? `${program} could not be started: ${originalMessage}` : undefined;
  return exitCode === 0 ? undefined : `${program} ended with exit code ${exitCode}`;
}

/** As a shell splits words, so that a path with blanks can be quoted; on Windows backslashes are part of paths. */
export function toWords(
  command: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const words = parse(platform === 'win32' ? command.replaceAll('\\', '\\\\') : command);
  return words.filter((word) => typeof word === 'string');
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the user's browser. Does nothing where there is none. */
export async function openInBrowser(url: string): Promise<void> {
  const { execa } = await import('execa');
  const [program, ...words] = openers[process.platform] ?? ['xdg-open'];
  const opener = execa(program, [...words, url], {
    stdio: 'ignore',
    detached: true,
    reject: false,
  });
  opener.unref();
  await opener;
}

interface CopyOptions extends Pick<Terminal, 'writeOut' | 'environment'> {
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
