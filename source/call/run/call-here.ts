import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { CallerTools, Elicited, ElicitOptions } from '../../../server-runtime/capability/call-request.ts';
import { isReply } from '../../../server-runtime/capability/reply.ts';
import { InputRequired } from '../../../server-runtime/enhancers/with-caller.ts';
import { type Failure, type Outcome, readThrown, toFailure } from '../../../server-runtime/errors/failure.ts';
import { toDataText } from '../../../server-runtime/http/to-json-text.ts';
import { toFieldValue, toInputPlan } from '../../../server-runtime/input/input-fields.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { describe } from '../../../server-runtime/schema/describe.ts';
import { toToldMeta } from '../../../server-runtime/schema/received.ts';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import { createValidator, toIssueText } from '../../../server-runtime/schema/validator.ts';
import { createServer } from '../../../server-runtime/server/create-server.ts';
import { invokeOperation } from '../../../server-runtime/server/invoke-operation.ts';
import { silentLogger } from '../../../server-runtime/server/logger.ts';
import { readValue } from '../../../server-runtime/server/read-value.ts';
import { internalsOf } from '../../../server-runtime/server/server-internals.ts';
import { parseJsonObject } from '../../cli/caller-values.ts';
import { usageError } from '../../cli/cli-error.ts';
import { toApiSchema } from '../../document/branch.ts';
import { toSampleValue } from '../../document/schema-fields.ts';
import { type CallerWords, toCallerContext } from '../../load/to-caller-context.ts';
import { toCodeFrame } from '../../manifest/code-frame.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import { findSourcePlace } from '../../manifest/find-source-place.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { toCallableRegistry } from '../../manifest/loaded-registry.ts';
import { waitWithin } from '../../system/timing.ts';
import { type CallInput, readFiles } from './call-input.ts';
import type { AskedQuestion, AskUser, CallRequest, CallResult } from './run-call.ts';

/**
 * Calls a capability in this process, and gives what a caller over HTTP would get. With headers the context is the
 * project's own, where it exports one; `given` is one in its place.
 *
 * @throws CliError `UnknownCapability`; MissingFile
 */
export async function callHere(
  loaded: LoadedRegistry,
  { key, input, headers, signal, on = {} }: CallRequest,
  given?: CallerWords['given'],
): Promise<CallResult> {
  const registry = toCallableRegistry(loaded);
  const operation = expectCapability(key, registry.operations);
  const context = toCallerContext(loaded, { headers, given });
  const server = createServer({ capabilities: registry, logger: silentLogger, ...(context && { context }) });
  const app = internalsOf(server).appFor(undefined);
  const questions = createQuestions(on.ask);
  const toJson = (value: unknown): unknown => JSON.parse(toDataText(value, key)) as unknown;
  let startedAt = 0;
  let status = 200;
  /** Reads what the capability gives to its end, within its timeout. */
  const run = async (): Promise<Outcome> => {
    const caller = { ...toCallerMessages(on.onMessage), elicit: questions.begin() };
    const invocation = { capability: key, input: await readInputWithFiles(operation, input), headers, signal };
    let cleaned: Promise<void> | undefined;
    const onLetGo = (end: Promise<void>): void => void (cleaned = end);
    const onItem = on.onItem && ((item: unknown) => on.onItem?.(toJson(item)));
    status = 200;
    startedAt = performance.now();
    const outcome = await invokeOperation(app, invocation, {
      caller,
      finish: async (value, ending) => {
        if (isReply(value)) status = value.status ?? status;
        return toJson(await readValue(value, { signal: ending, onLetGo, onItem }));
      },
    });
    // The call is over before its stream hears of that.
    await new Promise((resolve) => void setImmediate(resolve));
    if (cleaned !== undefined) await waitWithin(CLEAN_UP_MS, cleaned);
    return outcome;
  };
  try {
    let outcome = await run();
    while (!outcome.ok && (await questions.ask(outcome.failure))) outcome = await run();
    const durationMs = performance.now() - startedAt;
    if (outcome.ok) return { status, durationMs, body: { data: outcome.value } };
    return { durationMs, ...(await describeFailure(outcome.failure, loaded, { headers, given })) };
  } catch (thrown) {
    const failure = toFailure(thrown);
    // The user answered in a way that refuses the call. Anything else is not a failure of the capability.
    if (failure.unexpected === true) throw thrown;
    const durationMs = performance.now() - startedAt;
    return { durationMs, ...(await describeFailure(failure, loaded, { headers, given })) };
  }
}

/** The time for which a stream that is ended early may clean up, milliseconds. */
const CLEAN_UP_MS = 1000;

/** `1 of 2: half`, `info: noted`. */
function toCallerMessages(onMessage: (text: string) => void = () => {}): Pick<CallerTools, 'progress' | 'log'> {
  return {
    progress: (done, total, message) => {
      const count = total === undefined ? `${done}` : `${done} of ${total}`;
      onMessage(message === undefined ? count : `${count}: ${message}`);
    },
    log: (level, data) => onMessage(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
  };
}

/** The answer to a call that failed, with what only this process knows. */
export async function describeFailure(
  { status, name, message, meta, cause, unexpected, refusedBy, retryAfterSeconds }: Failure,
  loaded: Pick<LoadedRegistry, 'project' | 'context'>,
  caller: CallerWords,
): Promise<Pick<CallResult, 'status' | 'body' | 'failure'>> {
  // As it would arrive: what JSON cannot say is gone.
  const body = JSON.parse(JSON.stringify({ error: name, message, meta })) as unknown;
  const own = toCallerContext(loaded, caller) === undefined ? 'stub' : 'project';
  const failure = {
    context: caller.given === undefined ? own : 'given',
    hasContext: loaded.context !== undefined,
    refusedBy: refusedBy && { name: refusedBy.name, sawInput: refusedBy.sawInput },
    retryAfterSeconds,
  } as const;
  if (unexpected !== true) return { status, body, failure };
  const error = readThrown(cause);
  const place = findSourcePlace(error.stack, { root: loaded.project.root });
  const thrown = { message: `${error.name}: ${error.message}`, stack: error.stack ?? error.message };
  const frame = place && toCodeFrame({ ...place, text: await readFile(place.file, 'utf8').catch(() => '') });
  return { status, body, failure: { ...failure, thrown, place, frame } };
}

/**
 * Reads the input of a call in this process: its files as a form would bring them.
 *
 * @throws MissingFile
 */
export async function readInputWithFiles({ definition }: Operation, { json, files }: CallInput): Promise<unknown> {
  const read = await readFiles(files);
  if (read.length === 0) return json ?? {};
  const plan = toInputPlan(definition.schema);
  const values = read.map(([name, sent]) => {
    const field = plan.inside(name);
    const isStreamed = field?.reading.file?.stream === true;
    const given = isStreamed ? sent.map((file) => ({ ...file, stream: Readable.from([file.buffer]) })) : sent;
    return [name, toFieldValue(field, given)];
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
  let pending: { readonly name: string; readonly question: AskedQuestion } | undefined;
  /** Gives the way in which the next run asks. */
  const begin = (): CallerTools['elicit'] => {
    let asked = 0;
    pending = undefined;
    const elicit = async (message: string, schema: Schema, options: ElicitOptions = {}): Promise<Elicited> => {
      asked += 1;
      const { name = `question-${asked}` } = options;
      const answer = answers.get(name);
      if (answer !== undefined && answer.action !== 'accept') return answer;
      const checked = answer && (await createValidator(schema)(answer.content));
      if (checked?.ok === true) return { action: 'accept', content: checked.value };
      const problems = checked === undefined ? [] : toToldMeta(checked.failure.meta).fields;
      pending ??= { name, question: { message, schema: describe(schema).input, content: answer?.content, problems } };
      throw InputRequired(`The user must be asked: ${message}`);
    };
    return elicit as CallerTools['elicit'];
  };
  /** Asks what a run has ended with; false where it has ended with something else, or nobody is there. */
  const ask = async (failure: Failure): Promise<boolean> => {
    if (pending === undefined || askUser === undefined || failure.name !== InputRequired.errorName) return false;
    const { name, question } = pending;
    answers.set(name, await askUser(question));
    return true;
  };
  return { begin, ask };
}

/**
 * Answers the questions of a call with those of `--answer`, in their order: the JSON of a form, `decline` or `cancel`.
 * A question without an answer is refused, and says how to give one.
 *
 * @throws CliError `Usage` for what is no answer
 */
export function toAnswerQueue(texts: readonly string[]): AskUser {
  const given = texts.map(parseAnswer);
  return async ({ message, schema, problems }) => {
    const sample = JSON.stringify(toSampleValue(toApiSchema(schema)));
    const how = `one for each question, in their order: --answer '${sample}', or decline, or cancel`;
    const wrong = problems.map(toIssueText).join('; ');
    if (wrong !== '')
      throw InputRequired(`The answer to the question \`${message}\` does not fit: ${wrong}. Give ${how}.`);
    const answer = given.shift();
    if (answer === undefined) throw InputRequired(`The user must be asked: ${message} Answer with --answer, ${how}.`);
    return answer;
  };
}

function parseAnswer(text: string): Elicited {
  if (text === 'decline' || text === 'cancel') return { action: text };
  const content = parseJsonObject(text);
  if (content !== undefined) return { action: 'accept', content };
  throw usageError("option '--answer': write it as a JSON object, or `decline` or `cancel`");
}
