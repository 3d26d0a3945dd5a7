import { toFailure } from '../../server-runtime/errors/failure.ts';
import { toShownMeta } from '../../server-runtime/schema/received.ts';
import { findDroppedFields, toIssueText } from '../../server-runtime/schema/validator.ts';
import { parseContext, parseHeaders } from '../cli/caller-values.ts';
import { CliError, usageError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { type FormField, toFieldFlags } from '../document/form-field.ts';
import { readServerState } from '../files/server-state.ts';
import type { CallValues } from '../flags/call-flags.ts';
import { callHere, describeFailure, toAnswerQueue } from '../invoke/call-here.ts';
import { MissingFile } from '../invoke/call-input.ts';
import { toServerAddress } from '../invoke/call-target.ts';
import { readCallWords, toOperationField } from '../invoke/call-words.ts';
import { type CallResult, hasFailed, performCall, type RunTarget } from '../invoke/perform-call.ts';
import { loadRegistry } from '../load/load-registry.ts';
import type { CallerWords } from '../load/to-caller-context.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { type LoadedRegistry, toCallableRegistry } from '../manifest/loaded-registry.ts';
import { toCapabilities } from '../manifest/manifest.ts';
import { LocalTimes } from '../record/local-times.ts';
import { runUserCode } from '../system/run-user-code.ts';
import { escapeJson, stripControl } from '../terminal/strip-control.ts';
import { isJsonObject } from '../values/json.ts';

type CallCommandProps = PlainProps<CallValues, [(string | undefined)?, (string | undefined)?]>;

/**
 * `capix call <capability> [input]`: the value as JSON on stdout, the items of a stream as they arrive; a refusal on
 * stderr, or on stdout with `--json`, and exit code 1. With `--url` or `--server` over HTTP, else in this process.
 */
export default async function callCommand(props: CallCommandProps): Promise<number> {
  const { options, args, terminal } = props;
  const [key = ''] = args;
  const isSaved = options.all || key.startsWith('@');
  expectFitting(props, isSaved);
  const loaded = await loadRegistry(options, terminal);
  const headers = parseHeaders(options.header, terminal.environment);
  const timeoutMs = options.timeout && options.timeout * 1000;
  const contextValue = options.context === undefined ? undefined : parseContext(options.context);
  if (!isSaved) return runNewCall(props, { loaded, headers, timeoutMs, contextValue });
  const { runSavedCommand } = await import('../invoke/saved/run-saved-command.ts');
  const { environment, format = options.json ? 'json' : 'text' } = options;
  const name = options.all ? undefined : key.slice(1);
  const target = await findTarget(options, loaded, contextValue);
  return runSavedCommand({
    loaded,
    name,
    headers,
    target,
    environment,
    timeoutMs,
    format,
    terminal,
  });
}

/** The parsed options of the command line, and the project's code. */
interface ReadyCall extends CallerWords {
  readonly loaded: LoadedRegistry;
  readonly timeoutMs: number | undefined;
}

/** Makes the call that the command line describes, with `--fields` only the help of its fields. */
async function runNewCall(props: CallCommandProps, ready: ReadyCall): Promise<number> {
  const { options, args, words, terminal, help } = props;
  const { loaded, headers, timeoutMs, contextValue } = ready;
  const [key = ''] = args;
  const operation = expectCapability(key, toCallableRegistry(loaded).operations);
  if (options.fields) {
    terminal.writeOut(help.text + toFieldsText(key, toOperationField(operation)));
    return exitCodes.done;
  }
  const input = await readCallWords(words.slice(1), operation, terminal);
  const target = await findTarget(options, loaded, contextValue);
  if (target.kind === 'server' && options.answer.length > 0)
    throw usageError('option --answer: it answers calls in this process, and a server cannot ask');
  const items = createItemWriter(terminal.writeOut);
  const on = {
    onItem: options.json ? undefined : items.add,
    onLine: ({ text }: { readonly text: string }) => terminal.writeError(`${stripControl(text)}\n`),
    ask: toAnswerQueue(options.answer),
  };
  const result = await performCall(target, { key, input, headers, timeoutMs, on })
    .finally(items.end)
    .catch((thrown: unknown) => {
      expectOwnFailure(thrown);
      const failure = describeFailure(toFailure(thrown), loaded, { headers, contextValue });
      return { durationMs: 0, ...failure };
    });
  if (hasFailed(result)) {
    if (options.json) terminal.writeOut(toFailureJson(result));
    else terminal.writeError(toFailureText(result));
    return exitCodes.failed;
  }
  const dropped = findDroppedFields(operation.definition.schema, input.json);
  // A field that was dropped without a word is most likely an optional one that is misspelt.
  const notes = dropped.map(
    (field) => `the answer is that of the input without ${toIssueText(field)}`,
  );
  const value = findData(result.body);
  if (options.json) terminal.writeOut(toJsonOutput(value, notes));
  else {
    if (!items.isBegun()) terminal.writeOut(toCallText(value));
    terminal.writeError(notes.map((note) => `note: ${stripControl(note)}\n`).join(''));
  }
  return exitCodes.done;
}

/** The data out of the envelope, or a body without one. */
function findData(body: unknown): unknown {
  return isJsonObject(body) && 'data' in body ? body['data'] : body;
}

/** Options of saved calls fit no other call, and the other way round. */
function expectFitting({ options, args, words }: CallCommandProps, isSaved: boolean): void {
  const { all, environment, format, context } = options;
  const [key = ''] = args;
  if (isSaved) {
    const [word] = all ? words : words.slice(1);
    const wrong = word?.startsWith('--')
      ? `unknown option '${word}'`
      : `argument '${word}': a saved call takes none`;
    if (word !== undefined)
      throw usageError(wrong, 'A saved call has its input in its file, in `calls`.');
    if (context !== undefined)
      throw usageError("option '--context': a saved call does not take one");
    return;
  }
  if (key === '')
    throw usageError("missing required argument 'capability'", 'Or --all for every saved call.');
  if (environment !== undefined) throw onlyForSaved('environment');
  if (format !== undefined) throw onlyForSaved('format');
}

function onlyForSaved(option: string): CliError {
  return usageError(`option --${option}: it is for saved calls, @name or --all`);
}

/**
 * With headers a call in this process has the context of the project, as in the screen. `contextValue` replaces that
 * context.
 */
async function findTarget(
  { url, server, ws }: CallValues,
  loaded: LoadedRegistry,
  contextValue: CallerWords['contextValue'],
): Promise<RunTarget> {
  if (url === undefined && !server) {
    if (ws) throw usageError('option --ws: it needs --url or --server, whose WebSocket it is');
    const words = { contextValue, times: new LocalTimes() };
    return {
      kind: 'here',
      call: (request) => runUserCode(() => callHere(loaded, request, words), 'call'),
    };
  }
  if (url !== undefined && !(/^https?:\/\/./.test(url) && URL.canParse(url)))
    throw usageError(`option '--url': \`${url}\` is not the URL of a server.`);
  const found = url ?? (await readServerState(loaded.project.root))?.urls[0];
  if (found === undefined)
    throw usageError(
      'option --server: no `capix dev` runs in this project',
      'Start it, or name a server with --url.',
    );
  const routes = toCapabilities(await loadManifest(loaded));
  const socketPath = ws ? `${loaded.restOptions.prefix ?? ''}/_call` : undefined;
  const { root } = loaded.project;
  return { kind: 'server', ...toServerAddress(found), routes, socketPath, root };
}

/** @throws CliError where it is not the capability that failed */
function expectOwnFailure(thrown: unknown): void {
  if (thrown instanceof CliError) throw thrown;
  if (thrown instanceof MissingFile)
    throw usageError(`option '--${thrown.field}': ${thrown.message}`);
}

/** The fields of an input as the help of a command has its options. */
function toFieldsText(key: string, field: FormField): string {
  const rows = toFieldFlags(field).map(
    ({ flag, field: { type, kind, note, default: value }, isRequired }) => {
      const explanation = [
        isRequired && 'required',
        note,
        value !== undefined && `default: ${value}`,
      ].filter(Boolean);
      return {
        shown: kind.kind === 'toggle' ? flag : `${flag} <${type}>`,
        explanation: explanation.join('; '),
      };
    },
  );
  const width = Math.min(40, Math.max(...rows.map(({ shown }) => shown.length)));
  const lines = rows.map(({ shown, explanation }) =>
    `  ${shown.padEnd(width)}  ${explanation}`.trimEnd(),
  );
  const title = lines.length === 0 ? `${key} takes no fields.` : `Fields of ${key}:`;
  return stripControl(`\n${[title, ...lines].join('\n')}\n`);
}

/** A value as JSON with a line feed. Characters that could act on a terminal are written as escapes. */
function toCallText(value: unknown): string {
  return `${escapeJson(JSON.stringify(value ?? null, undefined, 2) ?? 'null')}\n`;
}

/** Writes the items of a stream as the list that they are, each when it comes. */
function createItemWriter(write: (text: string) => void) {
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
function toFailureText({ status, body, failure }: CallResult): string {
  const { name, message, meta } = readEnvelope(body);
  const { fields, omitted, facts } = toShownMeta(meta);
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

function readEnvelope(body: unknown) {
  const { error, message, meta } = isJsonObject(body) ? body : {};
  return {
    name: typeof error === 'string' ? error : 'Error',
    message: typeof message === 'string' ? message : JSON.stringify(body),
    meta: isJsonObject(meta) ? meta : undefined,
  };
}
