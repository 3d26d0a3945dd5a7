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
import { type Door, invokeOperation } from '../../../server-runtime/server/invoke-operation.ts';
import { silentLogger } from '../../../server-runtime/server/logger.ts';
import { readValue } from '../../../server-runtime/server/read-value.ts';
import { internalsOf } from '../../../server-runtime/server/server-internals.ts';
import { usageError } from '../../cli/cli-error.ts';
import { toApiSchema } from '../../document/branch.ts';
import { toSampleValue } from '../../document/schema-fields.ts';
import { toCallerContext } from '../../load/to-caller-context.ts';
import { toCodeFrame } from '../../manifest/code-frame.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import { findSourcePlace } from '../../manifest/find-source-place.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { toCallableRegistry } from '../../manifest/loaded-registry.ts';
import { waitWithin } from '../../system/timing.ts';
import { type CallInput, readFiles } from './call-input.ts';
import { type AskedQuestion, type AskUser, type CallRequest, type CallResult, type ContextKind } from './run-call.ts';

/**
 * Calls a capability in this process, and gives what a caller over HTTP would get. With headers the context is the
 * project's own, where it exports one; `given` is one in its place.
 *
 * @throws CliError `UnknownCapability`; MissingFile
 */
export async function callHere(
  loaded: LoadedRegistry,
  { key, input, headers, signal, on = {} }: CallRequest,
  given?: Readonly<Record<string, unknown>>,
): Promise<CallResult> {
  const registry = toCallableRegistry(loaded);
  const operation = expectCapability(key, registry.operations);
  const context = toCallerContext(loaded, { headers, given });
  const server = createServer({ capabilities: registry, logger: silentLogger, ...(context && { context }) });
  const rounds = new QuestionRounds();
  const messages = toCallerMessages(on.onMessage ?? (() => {}));
  let startedAt = 0;
  let status = 200;
  const run = async (): Promise<Outcome> => {
    const read = await readInputWithFiles(operation, input);
    const invocation = { capability: key, input: read, headers, signal };
    const caller = { ...messages, elicit: rounds.begin() };
    status = 200;
    startedAt = performance.now();
    return invokeToEnd(internalsOf(server).appFor(undefined), invocation, {
      onItem: on.onItem,
      onStatus: (own) => void (status = own),
      caller,
    });
  };
  const outcome = await run()
    .then(async (first) => {
      let last = first;
      while (on.ask !== undefined && (await rounds.ask(last, on.ask))) last = await run();
      return last;
    })
    .catch(toRefused);
  const durationMs = performance.now() - startedAt;
  if (outcome.ok) return { status, durationMs, body: { data: outcome.value } };
  const kind = given !== undefined ? 'given' : context === undefined ? 'stub' : 'project';
  return { durationMs, ...(await describeFailedCall(outcome.failure, loaded, kind)) };
}

/** `1 of 2: half`, `info: noted`. */
function toCallerMessages(onMessage: (text: string) => void): Pick<CallerTools, 'progress' | 'log'> {
  return {
    progress: (done, total, message) => {
      const count = total === undefined ? `${done}` : `${done} of ${total}`;
      onMessage(message === undefined ? count : `${count}: ${message}`);
    },
    log: (level, data) => onMessage(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
  };
}

/** The answer to a call that failed, with what only this process knows. */
export async function describeFailedCall(
  { status, name, message, meta, cause, unexpected, refusedBy, retryAfterSeconds }: Failure,
  { project, context: own }: Pick<LoadedRegistry, 'project' | 'context'>,
  context: ContextKind,
): Promise<Pick<CallResult, 'status' | 'body' | 'failure'>> {
  // As it would arrive: what JSON cannot say is gone.
  const body = JSON.parse(JSON.stringify({ error: name, message, meta })) as unknown;
  const failure = {
    context,
    hasContext: own !== undefined,
    refusedBy: refusedBy && { name: refusedBy.name, sawInput: refusedBy.sawInput },
    retryAfterSeconds,
  };
  if (unexpected !== true) return { status, body, failure };
  const error = readThrown(cause);
  const place = findSourcePlace(error.stack, { root: project.root });
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

/** The user answered in a way that refuses the call. Anything else is no failure of the capability. */
function toRefused(thrown: unknown): Outcome {
  const failure = toFailure(thrown);
  if (failure.unexpected === true) throw thrown;
  return { ok: false, failure };
}

interface ReadingDoor extends Pick<Door, 'caller'> {
  readonly onItem: ((item: unknown) => void) | undefined;
  /** Given the status of what the handler gave by `reply(…)`. */
  readonly onStatus: (status: number) => void;
}

/** The time for which a stream that is ended early may clean up, milliseconds. */
const CLEAN_UP_MS = 1000;

/** Calls a capability and reads what it gives to its end, within its timeout. The value is as JSON has it. */
async function invokeToEnd(
  app: Parameters<typeof invokeOperation>[0],
  invocation: Parameters<typeof invokeOperation>[1],
  { onItem, onStatus, ...door }: ReadingDoor,
): Promise<Outcome> {
  let cleaned: Promise<void> | undefined;
  const toJson = (value: unknown): unknown => JSON.parse(toDataText(value, invocation.capability)) as unknown;
  const outcome = await invokeOperation(app, invocation, {
    ...door,
    finish: async (value, signal) => {
      if (isReply(value) && value.status !== undefined) onStatus(value.status);
      const onLetGo = (end: Promise<void>): void => void (cleaned = end);
      return toJson(await readValue(value, { signal, onLetGo, onItem: onItem && ((item) => onItem(toJson(item))) }));
    },
  });
  // The call is over before its stream hears of that.
  await new Promise((resolve) => void setImmediate(resolve));
  if (cleaned !== undefined) await waitWithin(CLEAN_UP_MS, cleaned);
  return outcome;
}

/**
 * The questions of one call. As over MCP, the call runs again from its start with each answer: it waits for nobody, and
 * so no time limit of it runs while somebody types.
 */
export class QuestionRounds {
  /** The answers by the names of the questions. */
  readonly #answers = new Map<string, Elicited>();
  #pending: { readonly name: string; readonly question: AskedQuestion } | undefined;

  /** The way in which the next run asks. */
  begin(): CallerTools['elicit'] {
    let asked = 0;
    this.#pending = undefined;
    const elicit = async (message: string, schema: Schema, options: ElicitOptions = {}): Promise<Elicited> => {
      asked += 1;
      const { name = `question-${asked}` } = options;
      const answer = this.#answers.get(name);
      if (answer !== undefined && answer.action !== 'accept') return answer;
      const checked = answer && (await createValidator(schema)(answer.content));
      if (checked?.ok === true) return { action: 'accept', content: checked.value };
      const problems = checked === undefined ? [] : toToldMeta(checked.failure.meta).fields;
      this.#pending ??= {
        name,
        question: { message, schema: describe(schema).input, content: answer?.content, problems },
      };
      throw InputRequired(`The user must be asked: ${message}`);
    };
    return elicit as CallerTools['elicit'];
  }

  /** Asks what a run has ended with; false where it has ended with something else. */
  async ask(outcome: Outcome, askUser: AskUser): Promise<boolean> {
    const pending = this.#pending;
    if (pending === undefined || outcome.ok || outcome.failure.name !== InputRequired.errorName) return false;
    this.#answers.set(pending.name, await askUser(pending.question));
    return true;
  }
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
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { action: 'accept', content };
  throw usageError("option '--answer': write it as a JSON object, or `decline` or `cancel`");
}
