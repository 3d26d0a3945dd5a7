import { findNearest } from '../../server-runtime/errors/expect-options.ts';
import { toFailure } from '../../server-runtime/errors/failure.ts';
import { findDroppedFields, toIssueText } from '../../server-runtime/schema/validator.ts';
import { parseContext, parseHeaders } from '../cli/caller-values.ts';
import { CliError, createCliError, usageError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import type { CommandHelp } from '../cli/command-help.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { type FormField, toFieldFlags } from '../document/form-field.ts';
import { readServerState } from '../files/server-state.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { toCapabilities } from '../manifest/listed.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { toCallableRegistry } from '../manifest/loaded-registry.ts';
import { runUserCode } from '../system/run-user-code.ts';
import { escapeJson, stripControl } from '../terminal/strip-control.ts';
import { callHere, describeFailedCall, toAnswerQueue } from './run/call-here.ts';
import { MissingFile } from './run/call-input.ts';
import { createItemWriter, toCallText, toFailureJson, toFailureText } from './run/call-text.ts';
import { readCallWords, toOperationField } from './run/call-words.ts';
import { type CallResult, CallTimeout, type RunTarget, runCall } from './run/run-call.ts';

export interface CallCommandOptions extends CommonValues {
  /** `name: value` */
  readonly header: readonly string[];
  readonly url?: string | undefined;
  readonly server: boolean;
  /** The longest silence of a call, seconds. */
  readonly timeout?: number | undefined;
  /** JSON, `decline` or `cancel`: one for each question of the capability. */
  readonly answer: readonly string[];
  /** JSON. */
  readonly context?: string | undefined;
  /** The environment of a saved call, in place of its own. */
  readonly environment?: string | undefined;
  /** Whether every saved call is made. */
  readonly all: boolean;
  /** Whether the fields of the capability are told, and nothing is called. */
  readonly fields: boolean;
  readonly format?: 'junit' | undefined;
}

/**
 * `capix call <capability> [input]`: the value as JSON on stdout, the items of a stream as they come; a refusal on
 * stderr, or on stdout with `--json`, and exit code 1. With `--url` or `--server` over HTTP, else in this process.
 */
export default async function callCommand({
  options,
  args: [key = ''],
  words,
  terminal,
  help,
}: PlainProps<CallCommandOptions, [(string | undefined)?, (string | undefined)?]>): Promise<number> {
  const isSaved = options.all || key.startsWith('@');
  expectFitting(options, { key, isSaved, words, help });
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const headers = parseHeaders(options.header, terminal.environment);
  const timeoutMs = options.timeout && options.timeout * 1000;
  if (isSaved) {
    const { runSavedCommand } = await import('./saved/run-saved-command.ts');
    const format = options.format ?? (options.json ? 'json' : 'text');
    const target = await findTarget(options, loaded);
    const name = options.all ? undefined : key.slice(1);
    const { environment } = options;
    return runSavedCommand({ loaded, name, headers, target, environment, timeoutMs, format, terminal });
  }
  const operation = expectCapability(key, toCallableRegistry(loaded).operations);
  if (options.fields) {
    terminal.writeOut(help.text + toFieldsText(key, toOperationField(operation)));
    return exitCodes.done;
  }
  const input = await readCallWords(words.slice(1), operation, terminal);
  const target = await findTarget(options, loaded);
  const ask = toAnswerQueue(options.answer);
  if (target.kind === 'server' && options.answer.length > 0)
    throw usageError('option --answer: it answers calls in this process, and a server cannot ask');
  const items = createItemWriter(terminal.writeOut);
  const onMessage = (text: string): void => terminal.writeError(`${stripControl(text)}\n`);
  const on = { onItem: options.json ? undefined : items.add, onMessage, ask };
  const result = await runCall(target, { key, input, headers, timeoutMs, on })
    .finally(items.end)
    .catch((thrown: unknown) => toFailedResult(thrown, { target, loaded, headers, given: options.context }));
  if (result.status >= FAILED) {
    if (options.json) terminal.writeOut(toFailureJson(result));
    else terminal.writeError(toFailureText(result));
    return exitCodes.failed;
  }
  const dropped = findDroppedFields(operation.definition.schema, input.json);
  // A field that was dropped without a word is most likely an optional one that is misspelt.
  const notes = dropped.map((field) => `the answer is that of the input without ${toIssueText(field)}`);
  const value = toValue(result.body);
  if (options.json) terminal.writeOut(escapeJson(toJsonOutput(value, notes)));
  else {
    if (!items.isBegun()) terminal.writeOut(toCallText(value));
    terminal.writeError(notes.map((note) => `note: ${stripControl(note)}\n`).join(''));
  }
  return exitCodes.done;
}

/** The first status of an answer that says that the call did not succeed. */
const FAILED = 400;

/** Options of saved calls fit no other call, and the other way round. */
function expectFitting(
  { all, environment, format, context }: CallCommandOptions,
  {
    key,
    isSaved,
    words,
    help,
  }: Pick<PlainProps, 'words' | 'help'> & { readonly key: string; readonly isSaved: boolean },
): void {
  if (all && key !== '' && !key.startsWith('--'))
    throw usageError('option --all: it makes every saved call, and takes no argument');
  if (isSaved) expectNoInput(all ? words : words.slice(1), help);
  if (isSaved && context !== undefined) throw usageError("option '--context': a saved call does not take one");
  if (isSaved) return;
  if (key === '') throw usageError("missing required argument 'capability'", 'Or --all for every saved call.');
  if (environment !== undefined || format !== undefined)
    throw usageError(
      `option --${format === undefined ? 'environment' : 'format'}: it is for saved calls, @name or --all`,
    );
}

/** With headers the context of a call here is that of the project, as in the screen; `--context` is one of its own. */
async function findTarget(
  { context, ...options }: Pick<CallCommandOptions, 'url' | 'server' | 'context'>,
  loaded: LoadedRegistry,
): Promise<RunTarget> {
  const url = await findUrl(options, loaded);
  if (url !== undefined)
    return {
      kind: 'server',
      url,
      headers: {},
      routes: toCapabilities(await loadManifest(loaded)),
    };
  const given = context === undefined ? undefined : parseContext(context);
  return { kind: 'here', call: (request) => runUserCode(() => callHere(loaded, request, given), 'call') };
}

interface FailedPlace {
  readonly target: RunTarget;
  readonly loaded: LoadedRegistry;
  readonly headers: Readonly<Record<string, string>>;
  readonly given: string | undefined;
}

/** @throws CliError where it is not the capability that failed */
async function toFailedResult(thrown: unknown, { target, loaded, headers, given }: FailedPlace): Promise<CallResult> {
  if (thrown instanceof CliError) throw thrown;
  if (thrown instanceof MissingFile) throw usageError(`option '--${thrown.field}': ${thrown.message}`);
  if (thrown instanceof CallTimeout) {
    const url = target.kind === 'server' ? target.url : 'the code in this process';
    throw createCliError('NoAnswer', { url, reason: thrown.message }, { hint: 'Give it longer with --timeout.' });
  }
  if (target.kind === 'server') {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    const reason = (cause instanceof Error && cause.message) || String(thrown);
    throw createCliError('NoAnswer', { url: target.url, reason }, { cause: thrown });
  }
  const isStub = loaded.context === undefined || Object.keys(headers).length === 0;
  const context = given !== undefined ? 'given' : isStub ? 'stub' : 'project';
  return { durationMs: 0, ...(await describeFailedCall(toFailure(thrown), loaded, context)) };
}

/** The data of the envelope, where there is one. */
function toValue(body: unknown): unknown {
  const hasData = typeof body === 'object' && body !== null && !Array.isArray(body) && 'data' in body;
  return hasData ? body.data : body;
}

async function findUrl(
  { url, server }: Pick<CallCommandOptions, 'url' | 'server'>,
  { project }: LoadedRegistry,
): Promise<string | undefined> {
  if (url !== undefined) {
    if (!/^https?:\/\/./.test(url)) throw usageError(`option '--url': \`${url}\` is not the URL of a server.`);
    return url.replace(/\/+$/, '');
  }
  if (!server) return undefined;
  const [found] = (await readServerState(project.root))?.urls ?? [];
  if (found === undefined)
    throw usageError('option --server: no `capix dev` runs in this project', 'Start it, or name a server with --url.');
  return found.replace(/\/+$/, '');
}

const inFile = 'A saved call has its input in its file, in `calls`.';

/**
 * Refuses the words after `--all` or `@name`: an option that does not exist, or an input that would be dropped.
 *
 * @throws CliError `Usage` with what may be meant
 */
function expectNoInput(words: readonly string[], help: CommandHelp): void {
  const [word] = words;
  if (word === undefined) return;
  if (!word.startsWith('--')) throw usageError(`argument '${word}': a saved call takes none`, inFile);
  const [name = ''] = word.split('=');
  const options = help.program().commands.find((command) => command.name === 'call')?.options ?? [];
  const nearest = findNearest(
    name,
    options.flatMap(({ names }) => names),
  );
  throw usageError(`unknown option '${name}'`, nearest ? `Did you mean \`${nearest}\`?` : inFile);
}

/** The fields of an input as the help of a command has its options. */
function toFieldsText(key: string, field: FormField): string {
  const rows = toFieldFlags(field).map(({ flag, field: { type, kind, note, default: value }, isRequired }) => {
    const shown = kind.kind === 'toggle' ? flag : `${flag} <${type}>`;
    const told = [isRequired && 'required', note, value !== undefined && `default: ${value}`].filter(Boolean);
    return { shown, told: told.join('; ') };
  });
  if (rows.length === 0) return `\n${key} takes no fields.\n`;
  const width = Math.min(MAX_WIDTH, Math.max(...rows.map(({ shown }) => shown.length)));
  const lines = rows.map(({ shown, told }) => `  ${shown.padEnd(width)}  ${told}`.trimEnd());
  return stripControl(`\nFields of ${key}:\n${lines.join('\n')}\n`);
}

/** The widest that the column of flags gets, characters. */
const MAX_WIDTH = 40;
