import { escapeJson } from '../terminal/strip-control.ts';
import type { CliErrorOptions } from './cli-error.ts';

/** The envelope of `--json`, `{"ok": true, "data": …}`, indented, with a line feed; `notes` where there are any. */
export function toJsonOutput(data: unknown, notes: readonly string[] = []): string {
  return toJsonDocument({ ok: true, data: data ?? null, ...(notes.length === 0 ? {} : { notes }) });
}

export function toJsonFailure({
  code,
  message,
  hint,
}: Omit<CliErrorOptions, 'cause' | 'frame'>): string {
  return toJsonDocument({ ok: false, error: { code, message, hint } });
}

/** Everything that a command prints as JSON goes through here, so that no text of others acts on a terminal. */
function toJsonDocument(value: unknown): string {
  return escapeJson(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Whether a failure is reported as JSON. Reads the raw words, since it may be that they cannot be parsed. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** Commands that run no code of the project in this process. */
const others: ReadonlySet<string> = new Set(['completion', 'dev', 'new', 'start']);

/** Whether stdout belongs to the command's data: it may run the project's code, whose output goes elsewhere. */
export function ownsStdout(argv: readonly string[]): boolean {
  const command = argv[2] ?? '-';
  if (command.startsWith('-') || others.has(command)) return false;
  return command !== 'mcp' || argv.includes('--list');
}
