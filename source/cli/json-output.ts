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
