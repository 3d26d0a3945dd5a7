import { toToldMeta } from '../../../server-runtime/schema/received.ts';
import { isJsonObject } from '../../kit/form/form-state.ts';
import { escapeJson, stripControl } from '../../terminal/strip-control.ts';
import type { CallFailure, CallResult } from './run-call.ts';

/** A value as JSON with a line feed. Characters that could act on a terminal are written as escapes. */
export function toCallText(value: unknown): string {
  return `${escapeJson(JSON.stringify(value ?? null, undefined, 2) ?? 'null')}\n`;
}

/** Writes the items of a stream as the list that they are, each when it comes. */
export function createItemWriter(write: (text: string) => void) {
  let count = 0;
  return {
    add: (item: unknown): void => {
      const text = escapeJson(JSON.stringify(item ?? null, undefined, 2)).replaceAll('\n', '\n  ');
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
export function toFailureText(result: CallResult): string {
  const { name, message, meta } = toEnvelope(result);
  const { fields, omitted, facts } = toToldMeta(meta);
  const lines = [
    `error: ${name} (${result.status}): ${message}`,
    ...fields.map(({ path, message: problem, received }) => {
      const shown = received === undefined ? '' : ` (received ${JSON.stringify(received)})`;
      return `  ${path === '' ? 'input' : path}: ${problem}${shown}`;
    }),
    ...(omitted === 0 ? [] : [`  and ${omitted} more`]),
    ...(Object.keys(facts).length === 0 ? [] : [JSON.stringify(facts)]),
    ...(result.failure?.thrown === undefined ? [] : [result.failure.thrown.stack]),
    ...toHints(result),
  ];
  return `${stripControl(lines.join('\n'))}\n`;
}

/** `{"ok": false, "error": {code, message, status, meta?, hint?}}`: what the API would answer. */
export function toFailureJson(result: CallResult): string {
  const { name, message, meta } = toEnvelope(result);
  const hint = toHints(result).join(' ') || undefined;
  return toCallText({ ok: false, error: { code: name, message, status: result.status, meta, hint } });
}

/** A server says it in the envelope of its own. */
function toEnvelope({ body }: CallResult) {
  const { error, message, meta } = isJsonObject(body) ? body : {};
  return {
    name: typeof error === 'string' ? error : 'Error',
    message: typeof message === 'string' ? message : JSON.stringify(body),
    meta: isJsonObject(meta) ? meta : undefined,
  };
}

/** The lines that the screen shows below an answer. `file`: the capabilities file. */
export function toScreenHint({ status, failure }: CallResult, file: string): string {
  if (failure?.context !== 'stub' || (!isRefused(status) && failure.thrown === undefined)) return '';
  const how = failure.hasContext
    ? 'Fill in a header, as authorization: then it is the context of the project'
    : `Export context from ${file} and fill in a header, or call the server`;
  return `The context was a stub, { requestId, signal }. ${how}.`;
}

/** The next step, of a call that was refused or of which nobody knows why it failed: its context may be at fault. */
function toHints({ status, failure }: CallResult): readonly string[] {
  if (failure === undefined) return [];
  const { context, refusedBy, retryAfterSeconds, thrown } = failure;
  if (isRefused(status) && refusedBy?.sawInput === true) return [`The guard ${refusedBy.name} refused this input.`];
  if (isRefused(status) && refusedBy !== undefined) {
    const mend = context === 'stub' ? ' Give it a header with -H, or a context with --context.' : '';
    return [contextHints[context], `The guard ${refusedBy.name} refused.${mend}`];
  }
  if (retryAfterSeconds !== undefined) return [`Try again in ${retryAfterSeconds} seconds.`];
  return isRefused(status) || thrown !== undefined ? [contextHints[context]] : [];
}

const contextHints: Readonly<Record<CallFailure['context'], string>> = {
  stub:
    'A call from here has a stub context, { requestId, signal }: no user, no database, nothing of the context of ' +
    'the server.',
  project: 'The call ran here with the context of the project, built for the headers of -H.',
  given: 'The call ran here with the context that --context gives.',
};

function isRefused(status: number): boolean {
  return status === 401 || status === 403;
}
