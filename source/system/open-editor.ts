import path, { type PlatformPath } from 'node:path';
import type { Terminal } from '../terminal/terminal.ts';
import { runInTerminal } from './run-in-terminal.ts';

export interface EditorPlace {
  /** Absolute path. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line?: number | undefined;
  /** The column, counted from 1. */
  readonly column?: number | undefined;
}

/**
 * Opens a file in the user's editor, at its line where the editor is known to take one, and resolves when the editor
 * has ended. Gives what went wrong, undefined where nothing did. The terminal must be free.
 */
export function openEditor(
  place: EditorPlace,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<string | undefined> {
  const command = environment['VISUAL'] || environment['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');
  return runInTerminal(command, (program) => toEditorArguments(program, place), { environment });
}

/** The arguments that tell editors the line. One that is not known gets the file alone. */
export function toEditorArguments(
  program: string,
  { file, line, column = 1 }: EditorPlace,
  { basename }: PlatformPath = path,
): readonly string[] {
  const name = basename(program).replace(/\.(exe|cmd)$/i, '');
  if (line === undefined) return [file];
  if (/^(?:code|code-insiders|codium|cursor|windsurf)$/.test(name)) return ['--goto', `${file}:${line}:${column}`];
  if (/^(?:hx|helix|subl|zed)$/.test(name)) return [`${file}:${line}:${column}`];
  if (/^(?:[gn]?vim?|view|emacs|emacsclient|nano|pico|micro|kak|jed|joe|ne)$/.test(name)) return [`+${line}`, file];
  return /^(?:idea|webstorm|mate)$/.test(name) ? ['--line', String(line), file] : [file];
}
