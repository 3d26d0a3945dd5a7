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

function toJsonDocument(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
