import { isUtf8 } from 'node:buffer';
import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { type Block, type Blocks, isBlocks } from '../capability/blocks.ts';
import type { CallingClient } from '../capability/context.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import type { Outcome } from '../errors/failure.ts';
import { toDataText, toWholeText } from '../http/to-json-text.ts';
import type { Operation } from '../registry/operation.ts';
import { isResponse } from '../resources/item-source.ts';
import type { Application } from '../server/create-application.ts';
import { type Door, invokeOperation } from '../server/invoke-operation.ts';
import { type ReadOptions, readValue } from '../server/read-value.ts';
import type { Caller } from './caller.ts';
import { type AskingLink, isAsking } from './load-asker.ts';
import { isReadOnly } from './tools.ts';

/** One call over the protocol. Its signal fires when the call is cancelled and when the caller leaves. */
export interface ProtocolCall extends Caller, Pick<ReadOptions, 'onLetGo' | 'signal'> {
  readonly app: Application;
  readonly operation: Operation;
  readonly input: object;
  readonly link: AskingLink;
  /** The most text that the result may have, bytes. */
  readonly maxResultBytes: number;
  readonly client: CallingClient | undefined;
}

/**
 * Runs a capability, reads what it gives to its end and makes the result of it, all within the time of the call. Gives
 * that, or the questions to its user that come before. `checkInput` looks at the input once the guards have passed.
 */
export async function callOperation<Result extends object>(
  { app, operation, input, link, signal, maxResultBytes, onLetGo, headers, ...caller }: ProtocolCall,
  toResult: (content: ReadContent) => Result,
  checkInput?: Door['checkInput'],
): Promise<Outcome<Result | InputRequiredResult>> {
  const toTooLarge = (size: string): Error => {
    const made = isReadOnly(operation) ? '' : 'The call has been made. ';
    const sizes = `${size} of text, and may have ${toSize(maxResultBytes)}`;
    return defaultErrors.PayloadTooLarge(`${made}The result has ${sizes}. Ask for less at a time, or tell the user.`);
  };
  const limit = { bytes: maxResultBytes, toError: () => toTooLarge(`more than ${toSize(maxResultBytes)}`) };
  const finish = async (value: unknown, over: AbortSignal): Promise<Result> => {
    const result = toResult(await readContent(value, { signal: over, limit, onLetGo }));
    const bytes = countText(result);
    if (bytes > maxResultBytes) throw toTooLarge(toSize(bytes));
    return result;
  };
  const outcome = await invokeOperation(
    app,
    { capability: operation.key, input, headers, signal },
    { ...caller, transport: 'mcp', caller: link, finish, checkInput, isSafe: true },
  );
  link.end();
  if (outcome.ok) return outcome as Outcome<Result>;
  const questions = isAsking(outcome) ? await link.findPending() : undefined;
  if (questions !== undefined) return { ok: true, value: questions };
  const { unexpected, cause } = outcome.failure;
  if (unexpected === true) app.logger.error(`[capix] ${operation.key} failed as a tool`, { error: cause });
  return outcome;
}

/** The bytes of the text that a model reads in a result of a tool, a resource or a prompt. */
function countText({ content = [], contents = [], messages = [] }: ResultTexts): number {
  const parts = [...content, ...contents, ...messages.map((message) => message.content)];
  const texts = parts.map(({ text, resource }) => text ?? resource?.text ?? '');
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

interface ResultTexts {
  readonly content?: readonly TextPart[];
  readonly contents?: readonly TextPart[];
  readonly messages?: readonly { readonly content: TextPart }[];
}

interface TextPart {
  readonly text?: string;
  readonly resource?: { readonly text?: string };
}

function toSize(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

/** A handler's value, read to its end. */
export type ReadContent =
  | { readonly kind: 'data'; readonly data: unknown; readonly mimeType: string | undefined }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mimeType: string }
  | { readonly kind: 'blocks'; readonly blocks: Blocks['blocks'] };

/** Bytes of no stated type that are UTF-8 are a text. */
async function readContent(value: unknown, options: ReadOptions): Promise<ReadContent> {
  const given = toReplyData(value);
  if (isBlocks(given)) return { kind: 'blocks', blocks: given.blocks.map(toWholeBlock) };
  const mimeType = findMediaType(value);
  const isText = (bytes: Uint8Array): boolean => (mimeType === undefined ? isUtf8(bytes) : textTypes.test(mimeType));
  const decode = (bytes: Uint8Array): unknown =>
    isText(bytes) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : bytes;
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

const textTypes = /^text\/|[/+](json|xml|yaml|javascript)$|^application\/x-www-form-urlencoded$/;

/** The media type that a handler states, without its parameters. */
function findMediaType(value: unknown): string | undefined {
  const given = toReplyData(value);
  const headers = isReply(value) ? Object.entries(value.headers) : [];
  const [, stated] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const sent = typeof given === 'object' && given !== null && isResponse(given) ? given.headers : new Headers();
  const [type = ''] = String(stated ?? sent.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase() || undefined;
}

/** Data as the text of a part. */
export function toContentText(data: unknown): string {
  return typeof data === 'string' ? toWholeText(data) : toDataText(data);
}
