import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { type Block, type Blocks, isBlocks } from '../capability/blocks.ts';
import type { CallingClient } from '../capability/context.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import type { Failure } from '../errors/failure.ts';
import { toDataText, toWholeText } from '../http/to-json-text.ts';
import type { Operation } from '../registry/operation.ts';
import { isResponse } from '../resources/item-source.ts';
import { describe } from '../schema/describe.ts';
import type { Application } from '../server/application.ts';
import { type Door, invokeOperation } from '../server/invoke-operation.ts';
import { type ReadOptions, readValue } from '../server/read-value.ts';
import type { Caller } from './caller.ts';
import type { Closing } from './closing.ts';
import { type AskingLink, isAsking } from './load-asker.ts';
import { isReadOnly } from './tool-annotations.ts';

/** One call over the protocol. */
export interface ProtocolCall extends Caller {
  readonly app: Application;
  readonly operation: Operation;
  readonly input: object;
  /** Fires when the call is cancelled and when the caller leaves. */
  readonly signal: AbortSignal;
  readonly closing: Closing;
  readonly link: AskingLink;
  /** The most text that the result may have, bytes. */
  readonly maxResultBytes: number;
  readonly client: CallingClient | undefined;
}

/** The end of a call: its result, or questions to its user that come before; else why there is none. */
export type CallEnd<Result> =
  | { readonly ok: true; readonly result: Result | InputRequiredResult }
  | { readonly ok: false; readonly failure: Failure };

/** The time that a stream is still read when nobody can cancel it any more, milliseconds. */
const MOMENT_MS = 1000;

/**
 * Runs a capability, reads what it gives to its end and makes the result of it, all within the time of the call.
 * `checkInput` looks at the input once the guards have passed.
 */
export async function callOperation<Result extends object>(
  { app, operation, input, headers, remoteAddress, identity, client, closing, link, signal, ...call }: ProtocolCall,
  toResult: (content: ReadContent) => Result,
  checkInput?: Door['checkInput'],
): Promise<CallEnd<Result>> {
  const { maxResultBytes } = call;
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // What is read may have no end, so that the end of the conversation ends the call, too.
  const endSoon = (): void => {
    timer = setTimeout(() => late.abort(), MOMENT_MS);
  };
  const finish = async (value: unknown, over: AbortSignal): Promise<Result> => {
    if (closing.signal.aborted) endSoon();
    else closing.signal.addEventListener('abort', endSoon, { once: true });
    const limit = { bytes: maxResultBytes, toError: () => toTooLarge(operation, undefined, maxResultBytes) };
    const content = await readContent(value, { signal: over, limit, onLetGo: (cleaned) => closing.add(cleaned) });
    return expectFits(toResult(content), operation, maxResultBytes);
  };
  const outcome = await invokeOperation(
    app,
    { capability: operation.key, input, headers, signal: AbortSignal.any([signal, late.signal]) },
    { transport: 'mcp', remoteAddress, identity, client, caller: link, finish, checkInput, isSafe: true },
  );
  clearTimeout(timer);
  closing.signal.removeEventListener('abort', endSoon);
  link.end();
  if (outcome.ok) return { ok: true, result: outcome.value as Result };
  const questions = isAsking(outcome) ? await link.findPending() : undefined;
  if (questions !== undefined) return { ok: true, result: questions };
  const { failure } = outcome;
  if (failure.unexpected === true)
    app.logger.error(`[capix] ${operation.key} failed as a tool`, { error: failure.cause });
  return { ok: false, failure };
}

/** The text in a result of the protocol: of a tool, a resource or a prompt. */
interface ResultTexts {
  readonly content?: readonly TextPart[];
  readonly contents?: readonly TextPart[];
  readonly messages?: readonly { readonly content: TextPart }[];
}

interface TextPart {
  readonly text?: unknown;
  readonly resource?: { readonly text?: unknown };
}

/** A model reads all of the text in a result. Images, audio and files are no text. */
function expectFits<Result extends object>(result: Result, operation: Operation, maxBytes: number): Result {
  const { content = [], contents = [], messages = [] } = result as ResultTexts;
  const parts = [...content, ...contents, ...messages.map((message) => message.content)];
  const texts = parts.flatMap(({ text, resource }) => [text, resource?.text]);
  const bytes = texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0), 0);
  if (bytes > maxBytes) throw toTooLarge(operation, bytes, maxBytes);
  return result;
}

/** Names of fields by which callers page. */
const paging = /^(page|offset|skip|start|from|after|before|cursor|limit|count|size|per|max|first|last|take)/i;
const MAX_NAMES = 20;

/** Says how large the result may be, and which fields ask for less. */
function toTooLarge(operation: Operation, bytes: number | undefined, maxBytes: number): Error {
  const { schema } = operation.definition;
  const { properties = {} } = schema === undefined ? {} : (describe(schema).input as { readonly properties?: object });
  const names = Object.keys(properties);
  const pages = names.filter((name) => paging.test(name));
  const fields = pages.length > 0 ? pages : names.slice(0, MAX_NAMES);
  const advice =
    names.length === 0
      ? 'No field of the input makes it smaller: tell the user that this tool cannot give it.'
      : `Ask for less at a time: call again with other values of ${fields.join(', ')}.`;
  const made = isReadOnly(operation) ? '' : 'The call has been made. ';
  const size = bytes === undefined ? `${toSize(maxBytes)} of text and more` : `${toSize(bytes)} of text`;
  return defaultErrors.PayloadTooLarge(`${made}The result has ${size}, and may have ${toSize(maxBytes)}. ${advice}`);
}

function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A handler's value, read to its end. */
export type ReadContent =
  | { readonly kind: 'data'; readonly data: unknown; readonly mimeType: string | undefined }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mimeType: string }
  | { readonly kind: 'blocks'; readonly blocks: Blocks['blocks'] };

/** Reads a handler's value to its end. Bytes of no stated type that are UTF-8 are a text. */
export async function readContent(value: unknown, options: ReadOptions): Promise<ReadContent> {
  const given = toReplyData(value);
  if (isBlocks(given)) return { kind: 'blocks', blocks: given.blocks.map(toWholeBlock) };
  const mimeType = findMediaType(value);
  const isText = mimeType === undefined || isTextType(mimeType);
  const decode = (bytes: Uint8Array): unknown => (isText ? findText(bytes, mimeType) : undefined) ?? bytes;
  const data = await readValue(value, { ...options, decode });
  return data instanceof Uint8Array
    ? { kind: 'bytes', bytes: data, mimeType: mimeType ?? 'application/octet-stream' }
    : { kind: 'data', data, mimeType };
}

function toWholeBlock(block: Block): Block {
  if (block.type === 'text') return { ...block, text: toWholeText(block.text) };
  if (block.type !== 'resource' || !('text' in block.resource)) return block;
  return { ...block, resource: { ...block.resource, text: toWholeText(block.resource.text) } };
}

/** The media type that a handler states, without its parameters. */
function findMediaType(value: unknown): string | undefined {
  const stated = isReply(value) ? findHeader(value.headers) : undefined;
  const given = toReplyData(value);
  const type = stated ?? (isObject(given) && isResponse(given) ? given.headers.get('content-type') : undefined);
  return type?.split(';')[0]?.trim().toLowerCase();
}

function findHeader(headers: Readonly<Record<string, string | readonly string[]>>): string | undefined {
  const [, found] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return found === undefined ? undefined : String(found);
}

function isTextType(mimeType: string): boolean {
  return /^text\/|[/+](json|xml|yaml|javascript)$|^application\/x-www-form-urlencoded$/.test(mimeType);
}

/** Bytes that say of themselves that they are a text are taken at their word. */
function findText(bytes: Uint8Array, mimeType: string | undefined): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: mimeType === undefined, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Data as the text of a part. */
export function toContentText(data: unknown): string {
  return typeof data === 'string' ? toWholeText(data) : toDataText(data);
}
