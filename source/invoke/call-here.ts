import { Readable } from 'node:stream';
import type { CallerTools, Elicited } from '../../server-runtime/capability/context.ts';
import { isReply } from '../../server-runtime/capability/reply.ts';
import { InputRequired } from '../../server-runtime/enhancers/with-caller.ts';
import {
  type Failure,
  type Outcome,
  readThrown,
  toFailure,
} from '../../server-runtime/errors/failure.ts';
import { toFieldValue, toInputPlan } from '../../server-runtime/input/input-fields.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { describe } from '../../server-runtime/schema/describe.ts';
import { toShownMeta } from '../../server-runtime/schema/received.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import { createValidator, toIssueText } from '../../server-runtime/schema/validator.ts';
import type { Application } from '../../server-runtime/server/application.ts';
import { createServer, internalsOf } from '../../server-runtime/server/create-server.ts';
import { invokeOperation } from '../../server-runtime/server/invoke-operation.ts';
import { createQueueDouble } from '../../server-runtime/server/job.ts';
import { silentLogger } from '../../server-runtime/server/logger.ts';
import { definePlugin } from '../../server-runtime/server/plugin.ts';
import { readValue } from '../../server-runtime/server/read-value.ts';
import { toDataText } from '../../server-runtime/server/to-json-text.ts';
import { usageError } from '../cli/cli-error.ts';
import { toApiSchema } from '../document/branch.ts';
import { toSampleValue } from '../document/samples/sample-value.ts';
import { type CallerWords, toCallerContext } from '../load/to-caller-context.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { type LoadedRegistry, toCallableRegistry } from '../manifest/loaded-registry.ts';
import { toProjectPath } from '../manifest/project.ts';
import type { LocalTimes } from '../record/local-times.ts';
import { waitWithin } from '../system/timing.ts';
import { parseJsonObject } from '../values/json.ts';
import { type CallInput, readFiles } from './call-input.ts';
import { describeThrown } from './describe-thrown.ts';
import type { AskUser, CallEvents, CallRequest, CallResult, UserQuestion } from './perform-call.ts';

interface CallHereOptions extends Omit<CallerWords, 'headers'> {
  /** Notes where the time of the call goes. @default nothing does */
  readonly times?: LocalTimes | undefined;
}

/**
 * Calls a capability in this process, and gives what a caller over HTTP would get. With headers the context is the
 * project's own, where it exports one. The last argument has a context that replaces it.
 *
 * @throws CliError `UnknownCapability`; MissingFile
 */
export async function callHere(
  loaded: LoadedRegistry,
  { key, input, headers, signal, on = {} }: CallRequest,
  { contextValue, surface = 'command', times }: CallHereOptions = {},
): Promise<CallResult> {
  const registry = toCallableRegistry(loaded);
  const operation = expectCapability(key, registry.operations);
  const context = toCallerContext(loaded, { headers, contextValue });
  const app = createApp(registry, context, times);
  const questions = createQuestions(on.ask);
  const toJson = (value: unknown): unknown => JSON.parse(toDataText(value, key)) as unknown;
  let startedAt = 0;
  let status = 200;
  let cleaned: Promise<void> | undefined;
  const onLetGo = (end: Promise<void>): void => {
    cleaned = end;
  };
  /** Reads what the capability gives to its end, within its timeout. */
  const run = async (): Promise<Outcome> => {
    const caller = { ...toCallerLog(on.onLine), elicit: questions.begin() };
    const invocation = {
      capability: key,
      input: await readInputWithFiles(operation, input),
      headers,
      signal,
    };
    const onItem = on.onItem && ((item: unknown) => on.onItem?.(toJson(item)));
    status = 200;
    startedAt = performance.now();
    return invokeOperation(app, invocation, {
      caller,
      hasThrown: true,
      finish: async (value, { signal: ending }) => {
        if (isReply(value)) status = value.status ?? status;
        return toJson(await readValue(value, { signal: ending, onLetGo, onItem }));
      },
    });
  };
  let outcome = await run();
  while (!outcome.ok && questions.isQuestion(outcome.failure)) {
    // The user may answer in a way that refuses the call.
    const refusal = await questions.ask().catch(toFailure);
    if (refusal?.unexpected === true) throw refusal.cause;
    outcome = refusal === undefined ? await run() : { ok: false, failure: refusal };
  }
  const durationMs = performance.now() - startedAt;
  // The process may end with the answer.
  if (cleaned !== undefined) await waitWithin(CLEAN_UP_MS, cleaned);
  const marks = times?.takeMarks();
  if (outcome.ok) return { status, durationMs, marks, body: { data: outcome.value } };
  return {
    durationMs,
    marks,
    ...describeFailure(outcome.failure, loaded, { headers, contextValue, surface }),
  };
}

/** The application of a server that listens nowhere. */
function createApp(
  capabilities: ReturnType<typeof toCallableRegistry>,
  context: ReturnType<typeof toCallerContext>,
  times: LocalTimes | undefined,
): Application {
  const server = createServer({
    capabilities,
    transports: [createQueueDouble()],
    logger: silentLogger,
    plugins: times === undefined ? [] : [definePlugin({ observe: times.observer })],
    ...(context && { context }),
  });
  const app = internalsOf(server).appFor(undefined);
  return times?.observe(app) ?? app;
}

/** The time for which a stream that is ended early may clean up, milliseconds. */
const CLEAN_UP_MS = 1000;

/** `1 of 2: half`, `info: noted`. */
function toCallerLog(onLine: CallEvents['onLine']): Pick<CallerTools, 'progress' | 'log'> {
  const write = (text: string): void => onLine?.({ text, isError: false });
  return {
    progress: (done, total, message) => {
      const count = total === undefined ? `${done}` : `${done} of ${total}`;
      write(message === undefined ? count : `${count}: ${message}`);
    },
    log: (level, data) =>
      write(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
  };
}

/** The answer to a call that failed, with what only this process knows. */
export function describeFailure(
  failure: Failure,
  loaded: Pick<LoadedRegistry, 'project' | 'context'>,
  caller: CallerWords,
): Pick<CallResult, 'status' | 'body' | 'failure'> {
  const { status, name, message, meta, cause, unexpected } = failure;
  // The value as a caller would get it, without what JSON cannot hold.
  const body = JSON.parse(JSON.stringify({ error: name, message, meta })) as unknown;
  const hints = toHints(failure, loaded, caller);
  if (unexpected !== true) return { status, body, failure: { hints } };
  const thrown = describeThrown(readThrown(cause), loaded.project.root);
  return { status, body, failure: { hints, ...thrown } };
}

/** The next step, of a call that was refused or of which nobody knows why it failed: its context may be at fault. */
function toHints(
  { status, refusedBy, retryAfterSeconds, unexpected }: Failure,
  loaded: Pick<LoadedRegistry, 'project' | 'context'>,
  caller: CallerWords,
): readonly string[] {
  const isRefused = status === 401 || status === 403;
  if (!isRefused && retryAfterSeconds !== undefined)
    return [`Try again in ${retryAfterSeconds} seconds.`];
  if (!isRefused && unexpected !== true) return [];
  const guard = isRefused ? refusedBy : undefined;
  if (guard?.sawInput === true) return [`The guard ${guard.name} refused this input.`];
  const refused = guard === undefined ? [] : [`The guard ${guard.name} refused.`];
  return toContextHints(refused, loaded, caller);
}

/** The words about the context that a call here had, which is not that of a server. */
function toContextHints(
  refused: readonly string[],
  loaded: Pick<LoadedRegistry, 'project' | 'context'>,
  caller: CallerWords,
): readonly string[] {
  const isInScreen = caller.surface === 'screen';
  const nextStep = isInScreen
    ? 'Fill in its header in the form, or choose a server that runs with Ctrl-T.'
    : 'Give it a header with -H, or a context with --context.';
  // What is not refused may have crashed on what a plugin adds.
  const serverStep = isInScreen
    ? 'What plugins add is in a server that runs: Ctrl-T chooses it.'
    : 'What plugins add is in a server: start `capix dev`, and call it with --server.';
  const further = refused.length === 0 ? [serverStep] : [];
  if (caller.contextValue !== undefined)
    return ['The call ran here with the context that --context gives.', ...refused];
  if (toCallerContext(loaded, caller) !== undefined)
    return [
      `The call ran here with the context of the project, built for the headers of ${isInScreen ? 'the form' : '-H'}.`,
      ...refused,
      ...further,
    ];
  const file = toProjectPath(loaded.project.entryFile, loaded.project.root);
  const hasContext = loaded.context !== undefined;
  return [
    'A call from here has a stub context, { requestId, signal }: no user, no database, nothing of the context of ' +
      'the server.',
    ...refused.map((reason) => `${reason} ${nextStep}`),
    ...further,
    ...(hasContext ? [] : [`Export context from ${file}, and a call with a header has it.`]),
  ];
}

/** Reads the input of a call in this process: its files as a form would bring them. @throws MissingFile */
export async function readInputWithFiles(
  { definition }: Operation,
  { json, files }: CallInput,
): Promise<unknown> {
  const read = await readFiles(files);
  if (read.length === 0) return json ?? {};
  const plan = toInputPlan(definition.schema);
  const values = read.map(([name, sent]) => {
    const field = plan.inside(name);
    const isStreamed = field?.reading.file?.stream === true;
    const streams = isStreamed
      ? sent.map((file) => ({ ...file, stream: Readable.from([file.buffer]) }))
      : sent;
    return [name, toFieldValue(field, streams)];
  });
  return { ...(json as object), ...Object.fromEntries(values) };
}

/**
 * The questions of one call. As over MCP, the call runs again from its start with each answer: it waits for nobody, and
 * so no time limit of it runs while somebody types.
 */
function createQuestions(askUser: AskUser | undefined) {
  /** The answers by the names of their questions. */
  const answers = new Map<string, Elicited>();
  let pending: { readonly name: string; readonly question: UserQuestion } | undefined;
  return {
    /** Gives the way in which the next run asks. */
    begin: (): CallerTools['elicit'] => {
      let questionCount = 0;
      pending = undefined;
      const elicit = async (
        message: string,
        schema: Schema,
        options: { readonly name?: string | undefined } = {},
      ): Promise<Elicited> => {
        questionCount += 1;
        const { name = `question-${questionCount}` } = options;
        const answer = answers.get(name);
        if (answer !== undefined && answer.action !== 'accept') return answer;
        const checked = answer && (await createValidator(schema)(answer.content));
        if (checked?.ok === true) return { action: 'accept', content: checked.value };
        const problems = checked === undefined ? [] : toShownMeta(checked.failure.meta).fields;
        pending ??= {
          name,
          question: { message, schema: describe(schema).input, content: answer?.content, problems },
        };
        throw InputRequired(`The user must be asked: ${message}`);
      };
      return elicit as CallerTools['elicit'];
    },
    /** Whether a run has ended with a question that somebody is there to answer. */
    isQuestion: ({ name }: Failure): boolean =>
      pending !== undefined && askUser !== undefined && name === InputRequired.errorName,
    ask: async (): Promise<undefined> => {
      const question = pending;
      pending = undefined;
      if (question !== undefined && askUser !== undefined)
        answers.set(question.name, await askUser(question.question));
    },
  };
}

/**
 * Answers the questions of a call with those of `--answer`, in their order: the JSON of a form, `decline` or `cancel`.
 * A question without an answer is refused, and says how to give one.
 *
 * @throws CliError `Usage` for a text that is not an answer
 */
export function toAnswerQueue(texts: readonly string[]): AskUser {
  const answers = texts.map((text): Elicited => {
    if (text === 'decline' || text === 'cancel') return { action: text };
    const content = parseJsonObject(text);
    if (content !== undefined) return { action: 'accept', content };
    throw usageError("option '--answer': write it as a JSON object, or `decline` or `cancel`");
  });
  return async ({ message, schema, problems }) => {
    const wrong = problems.map(toIssueText).join('; ');
    const answer = wrong === '' ? answers.shift() : undefined;
    if (answer !== undefined) return answer;
    const sample = JSON.stringify(toSampleValue(toApiSchema(schema)));
    const how = `one for each question, in their order: --answer '${sample}', or decline, or cancel`;
    if (wrong === '')
      throw InputRequired(`The user must be asked: ${message} Answer with --answer, ${how}.`);
    throw InputRequired(
      `The answer to the question \`${message}\` does not fit: ${wrong}. Give ${how}.`,
    );
  };
}
