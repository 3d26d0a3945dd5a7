import { type Block, type Blocks, isBlocks } from '../capability/blocks.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { toWholeText } from '../http/to-json-text.ts';
import { isResponse } from '../resources/item-source.ts';
import { type ReadOptions, readValue } from '../server/invoke/read-value.ts';

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
