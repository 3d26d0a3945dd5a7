import type { Failure } from '../../server-runtime/errors/failure.ts';
import { readThrown } from '../../server-runtime/errors/read-thrown.ts';
import { type FieldProblem, toToldMeta } from '../../server-runtime/schema/validator.ts';
import { escapeJson } from '../terminal/control/escape-json.ts';
import { stripControl } from '../terminal/control/strip-control.ts';

/** A value as JSON with a line feed at its end. Characters that could act on a terminal are written as escapes, so it is still the same JSON. */
export function toCallText(value: unknown): string {
  return `${escapeJson(JSON.stringify(value ?? null, undefined, 2) ?? 'null')}\n`;
}

/** The context that a call ran with: the stub, that of the project, the one of `--context`, or that of a server. */
export type ContextKind = 'stub' | 'project' | 'given' | 'server';

/** Why a call did not succeed: what the API would answer, with each wrong field on a line. */
export function toFailureText(failure: Failure, context: ContextKind): string {
  const { name, status, message, meta, cause, unexpected } = failure;
  const { fields, omitted, facts } = toToldMeta(meta);
  const lines = [
    `error: ${name} (${status}): ${message}`,
    ...fields.map(toFieldLine),
    ...(omitted === 0 ? [] : [`  and ${omitted} more`]),
    ...(Object.keys(facts).length === 0 ? [] : [JSON.stringify(facts)]),
    ...(unexpected === true ? [toStack(cause)] : []),
    ...toHints(failure, context),
  ];
  return `${stripControl(lines.join('\n'))}\n`;
}

/** `{"ok": false, "error": {code, message, status, meta?, hint?}}`: what the API would answer, in the envelope of the tool. */
export function toFailureJson(failure: Failure, context: ContextKind): string {
  const { name, status, message, meta } = failure;
  const hint = toHints(failure, context).join(' ') || undefined;
  return toCallText({ ok: false, error: { code: name, message, status, meta, hint } });
}

/** The next step, of a call that was refused or of which nobody knows why it failed: its context may be at fault. */
function toHints(
  { status, unexpected, refusedBy, retryAfterSeconds }: Failure,
  context: ContextKind,
): readonly string[] {
  const isRefused = status === 401 || status === 403;
  if (isRefused && refusedBy?.sawInput === true) return [`The guard ${refusedBy.name} refused this input.`];
  if (isRefused && refusedBy !== undefined) {
    const mend = context === 'stub' ? ' Give it a header with -H, or a context with --context.' : '';
    return [...contextHints[context], `The guard ${refusedBy.name} refused.${mend}`];
  }
  if (retryAfterSeconds !== undefined) return [`Try again in ${retryAfterSeconds} seconds.`];
  return isRefused || unexpected === true ? contextHints[context] : [];
}

const contextHints: Readonly<Record<ContextKind, readonly string[]>> = {
  stub: [
    'A call from here has a stub context, { requestId, signal }: no user, no database, nothing of the context of the server.',
  ],
  project: ['The call ran here with the context of the project, built for the headers of -H.'],
  given: ['The call ran here with the context that --context gives.'],
  server: [],
};

function toFieldLine({ path, message, received }: FieldProblem): string {
  const shown = received === undefined ? '' : ` (received ${JSON.stringify(received)})`;
  return `  ${path === '' ? 'input' : path}: ${message}${shown}`;
}

function toStack(thrown: unknown): string {
  const { message, stack } = readThrown(thrown);
  return stack ?? message;
}
