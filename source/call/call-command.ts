import { type Failure, toFailure } from '../../server-runtime/errors/failure.ts';
import type { Outcome } from '../../server-runtime/errors/outcome.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { type FieldProblem, findDroppedFields, toIssueText } from '../../server-runtime/schema/validator.ts';
import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { CliError, createCliError, usageError } from '../cli/errors/cli-error.ts';
import { exitCodes } from '../cli/errors/exit-codes.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { parseContext } from '../cli/values/parse-context.ts';
import { parseHeaders } from '../cli/values/parse-headers.ts';
import { readServerState } from '../files/server-state.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { toCallerContext } from '../load/to-caller-context.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { toCallableRegistry } from '../manifest/operations/to-callable-registry.ts';
import { runUserCode } from '../system/run-user-code.ts';
import { escapeJson } from '../terminal/control/escape-json.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import { type ContextKind, toCallText, toFailureJson, toFailureText } from './call-text.ts';
import type { CallInput } from './run/call-input.ts';
import { invokeToEnd } from './run/invoke-to-end.ts';
import { createQuestionAnswerer, type GivenAnswer, parseAnswers } from './run/question-answerer.ts';
import { MissingFile } from './run/read-files.ts';
import { readInputWithFiles } from './run/read-input-with-files.ts';
import type { RequestHeaders } from './run/request-headers.ts';
import { toAsking } from './run/to-asking.ts';
import { expectNoInput } from './saved/expect-no-input.ts';
import { toFieldsText } from './words/fields-text.ts';
import { readCallWords, toOperationField } from './words/read-call-words.ts';

export interface CallCommandOptions extends CommonValues {
  /** `name: value` */
  readonly header: readonly string[];
  readonly url?: string | undefined;
  readonly server: boolean;
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
 * `capix call <capability> [input]`: the value as JSON on stdout; a refusal on stderr, or on stdout with `--json`, and exit code 1. With `--url` or
 * `--server` over HTTP, else in this process.
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
  if (isSaved) {
    const { runSavedCommand } = await import('./saved/run-saved-command.ts');
    const format = options.format ?? (options.json ? 'json' : 'text');
    const url = await findUrl(options, loaded);
    const name = options.all ? undefined : key.slice(1);
    return runSavedCommand({ loaded, name, headers, url, environment: options.environment, format, terminal });
  }
  const operation = expectCapability(key, toCallableRegistry(loaded).operations);
  if (options.fields) {
    terminal.writeOut(help.text + toFieldsText(key, toOperationField(operation)));
    return exitCodes.done;
  }
  const input = await readCallWords(words.slice(1), operation, terminal);
  const url = await findUrl(options, loaded);
  const call: CommandCall = { loaded, operation, input, headers };
  const answers = parseAnswers(options.answer);
  if (url !== undefined && answers.length > 0)
    throw usageError('option --answer: it answers calls in this process, and a server cannot ask');
  const outcome = await (url === undefined
    ? callHere(call, { given: options.context, answers })
    : callThere(call, url)
  ).catch((thrown: unknown): Outcome => {
    if (thrown instanceof CliError) throw thrown;
    if (thrown instanceof MissingFile) throw usageError(`option '--${thrown.field}': ${thrown.message}`);
    return { ok: false, failure: toFailure(thrown) };
  });
  if (outcome.ok) {
    const notes = toFieldNotes(findDroppedFields(operation.definition.schema, input.json));
    terminal.writeOut(options.json ? escapeJson(toJsonOutput(outcome.value, notes)) : toCallText(outcome.value));
    if (!options.json) terminal.writeError(notes.map((note) => `note: ${stripControl(note)}\n`).join(''));
    return exitCodes.done;
  }
  const context = url === undefined ? toContextName(loaded, { headers, given: options.context }) : 'server';
  if (options.json) terminal.writeOut(toFailureJson(outcome.failure, context));
  else terminal.writeError(toFailureText(outcome.failure, context));
  return exitCodes.failed;
}

/** A field that was dropped without a word is most likely an optional one that is misspelt. */
function toFieldNotes(dropped: readonly FieldProblem[]): readonly string[] {
  return dropped.map((field) => `the answer is that of the input without ${toIssueText(field)}`);
}

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

interface CommandCall {
  readonly loaded: LoadedRegistry;
  readonly operation: Operation;
  readonly input: CallInput;
  readonly headers: RequestHeaders;
}

/** Which of them `toCallerContext` gives. */
function toContextName(
  { context }: Pick<LoadedRegistry, 'context'>,
  { headers, given }: { readonly headers: RequestHeaders; readonly given: string | undefined },
): ContextKind {
  if (given !== undefined) return 'given';
  return context === undefined || Object.keys(headers).length === 0 ? 'stub' : 'project';
}

/** With headers the context is that of the project, as in the screen; `--context` is one of its own. */
async function callHere(
  { loaded, operation, input, headers }: CommandCall,
  { given, answers }: { readonly given: string | undefined; readonly answers: readonly GivenAnswer[] },
): Promise<Outcome> {
  const context = toCallerContext(loaded, {
    headers,
    given: given === undefined ? undefined : parseContext(given),
  });
  const read = await readInputWithFiles(operation, input);
  const registry = toCallableRegistry(loaded);
  const call = {
    registry,
    context,
    capability: operation.key,
    input: read,
    headers,
    ...toAsking(operation, createQuestionAnswerer(answers)),
  };
  return runUserCode(() => invokeToEnd(call), 'call');
}

/** An answer of a server, told as one of this process. */
async function callThere({ loaded, operation, input, headers }: CommandCall, baseUrl: string): Promise<Outcome> {
  const { callServer } = await import('./run/call-server.ts');
  const { capabilities } = await loadManifest(loaded);
  const capability = expectCapability(operation.key, capabilities);
  const { signal } = new AbortController();
  const { status, body } = await callServer(capability, { baseUrl, input, headers, signal }).catch((cause: unknown) => {
    if (cause instanceof CliError) throw cause;
    const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : '';
    throw createCliError('NoAnswer', { url: baseUrl, reason: reason || String(cause) }, { cause });
  });
  if (status < 400) return { ok: true, value: isRecord(body) && 'data' in body ? body['data'] : body };
  return { ok: false, failure: toServerFailure(status, body) };
}

function toServerFailure(status: number, body: unknown): Failure {
  const { error, message, meta } = isRecord(body) ? body : {};
  return {
    status,
    name: typeof error === 'string' ? error : 'Error',
    message: typeof message === 'string' ? message : JSON.stringify(body),
    ...(isRecord(meta) ? { meta } : {}),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
