import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { type Block, type Blocks, isBlocks } from '../capability/blocks.ts';
import type { CallingClient } from '../capability/context.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import type { Failure } from '../errors/failure.ts';
import { toDataText, toWholeText } from '../http/to-json-text.ts';
import type { Operation } from '../registry/operation.ts';
import { isResponse } from '../resources/item-source.ts';
import type { Application } from '../server/create-application.ts';
import { type Door, invokeOperation } from '../server/invoke-operation.ts';
import { type ReadOptions, readValue } from '../server/read-value.ts';
import type { Caller } from './caller.ts';
import { type AskingLink, isAsking } from './load-asker.ts';
import { isReadOnly } from './tool-annotations.ts';

/** One call over the protocol. */
export interface ProtocolCall extends Caller, Pick<ReadOptions, 'onLetGo'> {
  readonly app: Application;
  readonly operation: Operation;
  readonly input: object;
  /** Fires when the call is cancelled and when the caller leaves. */
  readonly signal: AbortSignal;
  readonly link: AskingLink;
  /** The most text that the result may have, bytes. */
  readonly maxResultBytes: number;
  readonly client: CallingClient | undefined;
}

/** The end of a call: its result, or questions to its user that come before; else why there is none. */
export type CallEnd<Result> =
  | { readonly ok: true; readonly result: Result | InputRequiredResult }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Runs a capability, reads what it gives to its end and makes the result of it, all within the time of the call.
 * `checkInput` looks at the input once the guards have passed.
 */
export async function callOperation<Result extends object>(
  { app, operation, input, link, signal, maxResultBytes, onLetGo, headers, ...caller }: ProtocolCall,
  toResult: (content: ReadContent) => Result,
  checkInput?: Door['checkInput'],
): Promise<CallEnd<Result>> {
  const toTooLarge = (size: string): Error => {
    const made = isReadOnly(operation) ? '' : 'The call has been made. ';
    const most = toSize(maxResultBytes);
    return defaultErrors.PayloadTooLarge(
      `${made}The result has ${size}, and may have ${most}. Ask for less at a time, or tell the user.`,
    );
  };
  const finish = async (value: unknown, over: AbortSignal): Promise<Result> => {
    const limit = { bytes: maxResultBytes, toError: () => toTooLarge(`more than ${toSize(maxResultBytes)} of text`) };
    const result = toResult(await readContent(value, { signal: over, limit, onLetGo }));
    const bytes = countText(result);
    if (bytes > maxResultBytes) throw toTooLarge(`${toSize(bytes)} of text`);
    return result;
  };
  const outcome = await invokeOperation(
    app,
    { capability: operation.key, input, headers, signal },
    { ...caller, transport: 'mcp', caller: link, finish, checkInput, isSafe: true },
  );
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

/** The bytes of the text that a model reads. Images, audio and files are no text. */
function countText({ content = [], contents = [], messages = [] }: ResultTexts): number {
  const parts = [...content, ...contents, ...messages.map((message) => message.content)];
  const texts = parts.flatMap(({ text, resource }) => [text, resource?.text]);
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0), 0);
}

function toSize(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

/** A handler's value, read to its end. */
export type ReadContent =
  | { readonly kind: 'data'; readonly data: unknown; readonly mimeType: string | undefined }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mimeType: string }
  | { readonly kind: 'blocks'; readonly blocks: Blocks['blocks'] };

/** Reads a handler's value to its end. Bytes of no stated type that are UTF-8 are a text. */
async function readContent(value: unknown, options: ReadOptions): Promise<ReadContent> {
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
  const given = toReplyData(value);
  const headers = isReply(value) ? Object.entries(value.headers) : [];
  const [, stated] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const isSent = typeof given === 'object' && given !== null && isResponse(given);
  const type = stated ?? (isSent ? given.headers.get('content-type') : undefined) ?? undefined;
  return type && String(type).split(';')[0]?.trim().toLowerCase();
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

/** Data as the text of a part. */
export function toContentText(data: unknown): string {
  return typeof data === 'string' ? toWholeText(data) : toDataText(data);
}
