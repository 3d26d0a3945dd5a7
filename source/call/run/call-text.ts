import { toToldMeta } from '../../../server-runtime/schema/received.ts';
import { isJsonObject } from '../../kit/form/form-state.ts';
import { escapeJson, stripControl } from '../../terminal/strip-control.ts';
import type { CallResult } from './run-call.ts';

/** A value as JSON with a line feed. Characters that could act on a terminal are written as escapes. */
export function toCallText(value: unknown): string {
  return `${escapeJson(JSON.stringify(value ?? null, undefined, 2) ?? 'null')}\n`;
}

/** Writes the items of a stream as the list that they are, each when it comes. */
export function createItemWriter(write: (text: string) => void) {
  let count = 0;
  return {
    add: (item: unknown): void => {
      const text = toCallText(item).trimEnd().replaceAll('\n', '\n  ');
      write(`${count === 0 ? '[' : ','}\n  ${text}`);
      count += 1;
    },
    end: (): void => {
      if (count > 0) write('\n]\n');
    },
    isBegun: (): boolean => count > 0,
  };
}

/** Why a call did not succeed: what the API would answer, with each wrong field on a line. */
export function toFailureText({ status, body, failure }: CallResult): string {
  const { name, message, meta } = readEnvelope(body);
  const { fields, omitted, facts } = toToldMeta(meta);
  const lines = [
    `error: ${name} (${status}): ${message}`,
    ...fields.map(({ path, message: problem, received }) => {
      const shown = received === undefined ? '' : ` (received ${JSON.stringify(received)})`;
      return `  ${path === '' ? 'input' : path}: ${problem}${shown}`;
    }),
    ...(omitted === 0 ? [] : [`  and ${omitted} more`]),
    ...(Object.keys(facts).length === 0 ? [] : [JSON.stringify(facts)]),
    ...(failure?.thrown === undefined ? [] : [failure.thrown.stack]),
    ...(failure?.hints ?? []),
  ];
  return `${stripControl(lines.join('\n'))}\n`;
}

/** `{"ok": false, "error": {code, message, status, meta?, hint?}}`: what the API would answer. */
export function toFailureJson({ status, body, failure }: CallResult): string {
  const { name, message, meta } = readEnvelope(body);
  const hint = failure?.hints.join(' ') || undefined;
  return toCallText({ ok: false, error: { code: name, message, status, meta, hint } });
}

/** A server says it in the envelope of its own. */
function readEnvelope(body: unknown) {
  const { error, message, meta } = isJsonObject(body) ? body : {};
  return {
    name: typeof error === 'string' ? error : 'Error',
    message: typeof message === 'string' ? message : JSON.stringify(body),
    meta: isJsonObject(meta) ? meta : undefined,
  };
}
