import { escapeJson } from '../terminal/strip-control.ts';
import type { CliErrorOptions } from './cli-error.ts';

/** The envelope of `--json`, `{"ok": true, "data": …}`, indented, with a line feed; `notes` where there are any. */
export function toJsonOutput(data: unknown, notes: readonly string[] = []): string {
  return toJsonDocument({ ok: true, data: data ?? null, ...(notes.length === 0 ? {} : { notes }) });
}

export function toJsonFailure(
  { code, message, hint }: Omit<CliErrorOptions, 'cause' | 'frame'>,
  argv: readonly string[],
): string {
  return toJsonDocument({ ok: false, error: { code, message, hint } }, isServing(argv) ? 0 : 2);
}

/** Everything that a command prints as JSON goes through here, so that no text of others acts on a terminal. */
function toJsonDocument(value: unknown, indent = 2): string {
  return escapeJson(`${JSON.stringify(value, undefined, indent)}\n`);
}

/** Whether a failure is reported as JSON. Reads the raw words, since it may be that they cannot be parsed. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** The commands that run a server in processes of its own. With `--json` each line of them is a document. */
const serving: ReadonlySet<string | undefined> = new Set(['dev', 'start']);

export function isServing(argv: readonly string[]): boolean {
  return serving.has(argv[2]);
}

/** Commands that run no code of the project in this process. */
const others: ReadonlySet<string> = new Set(['completion', 'dev', 'new', 'start']);

/** Whether stdout belongs to the command's data: it may run the project's code, whose output goes elsewhere. */
export function ownsStdout(argv: readonly string[]): boolean {
  const command = argv[2] ?? '-';
  if (command.startsWith('-') || others.has(command)) return false;
  return command !== 'mcp' || argv.includes('--list');
}
