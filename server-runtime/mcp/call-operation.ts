import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { Guard } from '../capability/guard.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { andThen, type Failure, type MaybePromise, type Outcome } from '../errors/failure.ts';
import { toJsonText, toWholeText } from '../http/to-json-text.ts';
import type { Operation } from '../registry/operation.ts';
import { type FieldProblem, toToldMeta } from '../schema/received.ts';
import { createValidator, findDroppedFields, toBadInput } from '../schema/validator.ts';
import type { Application } from '../server/create-application.ts';
import { invokeOperation } from '../server/invoke-operation.ts';
import type { ReadOptions } from '../server/read-value.ts';
import type { Asker } from './asker.ts';
import { type ContentOptions, countText, type ReadContent, readContent } from './contents.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, type Message, toProtocolError } from './server-maker.ts';
import { isReadOnly } from './tools.ts';

export interface ProtocolCall extends Pick<ReadOptions, 'onLetGo'> {
  readonly app: Application;
  readonly asker: Asker;
  readonly operation: Operation;
  readonly input: object;
  readonly message: Message;
  /** The most text that the result may have, bytes. @default 100,000, a quarter of the window of a small model */
  readonly maxResultBytes?: number | undefined;
}

/** The making of a result. Without `toRefused` a call that does not succeed is an error of the protocol. */
export interface ResultMaker<Result> extends Partial<ContentOptions> {
  readonly toResult: (content: ReadContent, key: string) => Result;
  readonly toRefused?: (text: string) => Result;
}

/** Runs a capability, reads what it gives to its end and makes the result of it, all within the time of the call. */
export async function callOperation<Result extends object>(
  { app, asker, operation, input, message, maxResultBytes = 100_000, onLetGo }: ProtocolCall,
  { toResult, toRefused, uri = `capix://${operation.key}`, mimeType }: ResultMaker<Result>,
): Promise<Result | InputRequiredResult> {
  const { headers, ...caller } = message.caller;
  const { key, definition } = operation;
  const link = asker.createLink(key, message);
  const toSize = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
  const toTooLarge = (size: string): Error => {
    const made = isReadOnly(operation) ? '' : 'The call has been made. ';
    const sizes = `${size} of text, and may have ${toSize(maxResultBytes)}`;
    return defaultErrors.PayloadTooLarge(`${made}The result has ${sizes}. Ask for less at a time, or tell the user.`);
  };
  const limit = { bytes: maxResultBytes, toError: () => toTooLarge(`more than ${toSize(maxResultBytes)}`) };
  const finish = async (value: unknown, over: AbortSignal): Promise<Result> => {
    const result = toResult(await readContent(value, { uri, mimeType, signal: over, limit, onLetGo }), key);
    const bytes = countText(result);
    if (bytes > maxResultBytes) throw toTooLarge(toSize(bytes));
    return result;
  };
  // An agent learns of misspelt optional fields from nothing else: its schema drops them without a word.
  const checkInput = (given: unknown): MaybePromise<Outcome> => {
    const dropped = findDroppedFields(definition.schema, given);
    if (dropped.length === 0) return { ok: true, value: given };
    const refuse = (valid: Outcome): Outcome => (valid.ok ? { ok: false, failure: toBadInput(dropped) } : valid);
    return andThen(createValidator(definition.schema)(given), refuse);
  };
  const outcome = await invokeOperation(
    app,
    { capability: key, input, headers, signal: message.signal },
    { ...caller, transport: 'mcp', caller: link.tools, finish, checkInput },
  );
  const questions = await link.end(outcome);
  if (questions !== undefined) return questions;
  if (outcome.ok) return outcome.value as Result;
  const { unexpected, cause, status } = outcome.failure;
  if (unexpected === true) app.logger.error(`[capix] ${key} failed as a tool`, { error: cause });
  const text = toFailureText(outcome.failure, definition.guards, app);
  if (toRefused !== undefined) return toRefused(text);
  throw toProtocolError(text, status >= 500 ? INTERNAL_ERROR : INVALID_PARAMS);
}

function toFailureText(reason: Failure, guards: readonly Guard[], { logger }: Application): string {
  const { fields, omitted, facts } = toToldMeta(reason.meta);
  const lines = [
    `${reason.name} (${reason.status}): ${reason.message}`,
    fields.length > 0 && 'Correct these fields and call again:',
    ...fields.map(toFieldLine),
    omitted > 0 && `- and ${omitted} more`,
    findAdvice(reason, guards),
  ];
  try {
    if (Object.keys(facts).length > 0) lines.push(`Details: ${toJsonText(facts)}`);
  } catch (error) {
    logger.error(`[capix] The meta of ${reason.name} cannot be written as JSON; it was left out.`, { error });
  }
  return toWholeText(lines.filter((line) => line).join('\n'));
}

/** `- lines[0].sku: …`: places are written as code has them. */
function toFieldLine({ path, message, received }: FieldProblem): string {
  const place = path === '' ? 'the input' : path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
  return `- ${place}: ${message}${received === undefined ? '' : ` (received ${JSON.stringify(received)})`}`;
}

/** Names the guard that refused, and no other: those before it have let the caller pass. */
function findAdvice({ status, retryAfterSeconds, refusedBy }: Failure, guards: readonly Guard[]): string | undefined {
  if (refusedBy !== undefined && (status === 401 || status === 403)) {
    const { name, sawInput } = refusedBy;
    if (sawInput) return `The guard ${name} refused this input; another input may pass.`;
    const wanted = toCredential(guards.find((guard) => guard.name === name));
    return `The guard ${name} refused the caller, whatever the input.${wanted} The same caller will be refused again.`;
  }
  if (status === 500) return 'The cause is in the log of the server.';
  if (status === 504) return 'It took too long. Ask for less at a time, or try again later.';
  if (status !== 429 && status !== 503) return undefined;
  return retryAfterSeconds === undefined ? 'Try again later.' : `Try again in ${retryAfterSeconds} seconds.`;
}

function toCredential(guard: Guard | undefined): string {
  const security = guard?.security[0];
  if (security === undefined) return '';
  if (security.type !== 'apiKey')
    return ` It wants the header authorization: ${security.type === 'http' ? security.scheme : 'Bearer'} ….`;
  return ` It wants the ${security.in === 'query' ? 'query parameter' : security.in} ${security.name}.`;
}
