import { isUtf8 } from 'node:buffer';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type InputRequiredResult,
  ProtocolError,
} from '@modelcontextprotocol/server';
import { blocks, isBlocks } from '../capability/blocks.ts';
import type { AnyGuard } from '../capability/guard.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/define-error.ts';
import type { Failure, Outcome } from '../errors/failure.ts';
import { refuseLongInput } from '../input/refuse-long-input.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { isResponse } from '../resources/item-source.ts';
import { type FieldProblem, toShownMeta } from '../schema/received.ts';
import type { Schema } from '../schema/schema.ts';
import { createValidator, findDroppedFields, toBadInput } from '../schema/validator.ts';
import type { Application } from '../server/application.ts';
import { invokeOperation } from '../server/invoke-operation.ts';
import { type ReadOptions, readValue } from '../server/read-value.ts';
import { toJsonText } from '../server/to-json-text.ts';
import { type AskCodec, createCallerLink } from './asker.ts';
import { countText, type ReadContent } from './contents.ts';
import { isReadOnly } from './offers.ts';
import type { Message } from './server-maker.ts';

/** The address of the resource, and its type where one is declared. */
type Place = { readonly uri: string; readonly mimeType: string | undefined };

export interface ProtocolCall<Result> extends Pick<ReadOptions, 'onLetGo'>, Partial<Place> {
  readonly app: Application;
  readonly codec: AskCodec;
  readonly operation: Operation;
  readonly input: object;
  readonly message: Message;
  /** The most text that the result may have, bytes. @default 100,000, a quarter of the window of a small model */
  readonly maxResultBytes?: number | undefined;
  readonly toResult: (content: ReadContent, key: string) => Result;
  /** Without it a call that does not succeed is an error of the protocol. */
  readonly toRefused?: (text: string) => Result;
}

/** Runs a capability, reads its value to the end and makes the result, all within the time of the call. */
export async function callOperation<Result extends object>(
  call: ProtocolCall<Result>,
): Promise<Result | InputRequiredResult> {
  const { app, operation, input, message } = call;
  const { headers, ...caller } = message.caller;
  const { key, definition } = operation;
  const link = createCallerLink(call.codec, { key, input }, message);
  const outcome = await invokeOperation(
    app,
    { capability: key, input, headers, signal: message.signal },
    {
      ...caller,
      transport: 'mcp',
      caller: link.tools,
      checkInput: (sent) => {
        const taken = refuseLongInput(definition, { ok: true, value: sent });
        return taken.ok ? refuseDropped(definition.schema, sent) : taken;
      },
      finish: (value, { signal }) => makeResult(call, value, signal),
    },
  );
  const questions = await link.end(outcome);
  if (questions !== undefined) return questions;
  if (outcome.ok) return outcome.value as Result;
  const { status } = outcome.failure;
  const text = toFailureText(outcome, definition.guards, app);
  if (call.toRefused !== undefined) return call.toRefused(text);
  throw new ProtocolError(status >= 500 ? INTERNAL_ERROR : INVALID_PARAMS, text);
}

/**
 * Refuses an input with misspelt optional fields, unless it is wrong elsewhere, too. An agent learns of them from
 * nothing else: its schema drops them without a word.
 */
async function refuseDropped(schema: Schema | undefined, sent: unknown): Promise<Outcome> {
  const dropped = findDroppedFields(schema, sent);
  const isSound = dropped.length === 0 || !(await createValidator(schema)(sent)).ok;
  return isSound ? { ok: true, value: sent } : { ok: false, failure: toBadInput(dropped) };
}

/** Makes the result of a handler's value. Rejects where it has more text than a model can read. */
async function makeResult<Result extends object>(
  call: ProtocolCall<Result>,
  value: unknown,
  signal: AbortSignal,
): Promise<Result> {
  const { operation, maxResultBytes = 100_000, mimeType, onLetGo } = call;
  const { key } = operation;
  const toSize = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
  const toTooLarge = (size: string): Error => {
    const made = isReadOnly(operation) ? '' : 'The call has been made. ';
    const advice = `and may have ${toSize(maxResultBytes)}. Ask for less at a time, or tell the user.`;
    return defaultErrors.PayloadTooLarge(`${made}The result has ${size} of text, ${advice}`);
  };
  const limit = {
    bytes: maxResultBytes,
    toError: () => toTooLarge(`more than ${toSize(maxResultBytes)}`),
  };
  const place = { uri: call.uri ?? `capix://${key}`, mimeType };
  const result = call.toResult(await readContent(value, place, { signal, limit, onLetGo }), key);
  const bytes = countText(result);
  if (bytes > maxResultBytes) throw toTooLarge(toSize(bytes));
  return result;
}

/** Bytes of no stated type that are UTF-8 are a text. */
async function readContent(
  value: unknown,
  place: Place,
  options: ReadOptions,
): Promise<ReadContent> {
  if (isBlocks(toReplyData(value))) return { data: toReplyData(value), mimeType: 'text/plain' };
  const stated = findMediaType(value);
  const isText = (bytes: Uint8Array): boolean =>
    stated === undefined ? isUtf8(bytes) : textTypes.test(stated);
  const data = await readValue(value, { ...options, isText });
  const isBytes = data instanceof Uint8Array;
  const mimeType = place.mimeType ?? stated ?? toUsualType(data);
  if (!isBytes) return { data, mimeType };
  const isMedia = /^(image|audio)\//.test(mimeType);
  return {
    data: blocks({ bytes: data, mimeType, uri: isMedia ? undefined : place.uri }),
    mimeType,
  };
}

function toUsualType(data: unknown): string {
  if (data instanceof Uint8Array) return 'application/octet-stream';
  return typeof data === 'string' ? 'text/plain' : 'application/json';
}

const textTypes = /^text\/|[/+](json|xml|yaml|javascript)$|^application\/x-www-form-urlencoded$/;

function findMediaType(value: unknown): string | undefined {
  const data = toReplyData(value);
  const sent = isResponse(data) ? Object.fromEntries(data.headers) : {};
  const headers = new Headers({
    ...sent,
    ...(isReply(value) && (value.headers as Record<string, string>)),
  });
  return headers.get('content-type')?.split(/[;,]/)[0]?.trim().toLowerCase();
}

function toFailureText(
  { failure: reason, requestId }: { readonly failure: Failure; readonly requestId: string },
  guards: readonly AnyGuard[],
  { logger }: Application,
): string {
  const head = `${reason.name} (${reason.status}): ${reason.message}`;
  const advice = findAdvice(reason, guards) ?? [];
  let ofMeta: MetaLines = { fields: [], facts: [] };
  try {
    ofMeta = toMetaLines(reason);
  } catch (error) {
    const text = `[capix] The meta of ${reason.name} cannot be written as JSON; it was left out.`;
    logger.error(text, { requestId, error });
  }
  return [head, ...ofMeta.fields, advice, ...ofMeta.facts].flat().join('\n').toWellFormed();
}

type MetaLines = Readonly<Record<'fields' | 'facts', readonly string[]>>;

/** @throws whatever the getters of the application's meta throw, and TypeError for what JSON cannot hold */
function toMetaLines({ meta }: Failure): MetaLines {
  const { fields, omitted, facts } = toShownMeta(meta);
  const more = omitted > 0 ? [`- and ${omitted} more`] : [];
  const wrong = [...fields.map(toFieldLine), ...more];
  return {
    fields: wrong.length === 0 ? [] : ['Correct these fields and call again:', ...wrong],
    facts: Object.keys(facts).length === 0 ? [] : [`Details: ${toJsonText(facts)}`],
  };
}

/** `- lines[0].sku: …`: places are written as code has them. */
function toFieldLine({ path, message, received }: FieldProblem): string {
  const place = path === '' ? 'the input' : path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
  return `- ${place}: ${message}${received === undefined ? '' : ` (received ${JSON.stringify(received)})`}`;
}

/** Names the guard that refused, and no other: those before it have let the caller pass. */
function findAdvice(
  { status, retryAfterSeconds, refusedBy }: Failure,
  guards: readonly AnyGuard[],
): string | undefined {
  if (refusedBy !== undefined && (status === 401 || status === 403)) {
    const { name, sawInput } = refusedBy;
    if (sawInput) return `The guard ${name} refused this input; another input may pass.`;
    const wanted = toCredential(guards.find((guard) => guard.name === name));
    return `The guard ${name} refused the caller, whatever the input.${wanted} The same caller will be refused again.`;
  }
  if (status === 500) return 'The cause is in the log of the server.';
  if (status === 504) return 'It took too long. Ask for less at a time, or try again later.';
  if (status !== 429 && status !== 503) return undefined;
  return retryAfterSeconds === undefined
    ? 'Try again later.'
    : `Try again in ${retryAfterSeconds} seconds.`;
}

function toCredential(guard: AnyGuard | undefined): string {
  const security = guard?.security[0];
  if (security === undefined) return '';
  if (security.type !== 'apiKey')
    return ` It wants the header authorization: ${security.type === 'http' ? security.scheme : 'Bearer'} ….`;
  return ` It wants the ${security.in === 'query' ? 'query parameter' : security.in} ${security.name}.`;
}
