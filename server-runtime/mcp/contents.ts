import { isUtf8 } from 'node:buffer';
import type { CallToolResult, PromptMessage, ReadResourceResult } from '@modelcontextprotocol/server';
import { type Block, isBlocks, toBytesBlock } from '../capability/blocks.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { toDataText, toWholeText } from '../http/to-json-text.ts';
import { isResponse } from '../resources/item-source.ts';
import { type ReadOptions, readValue } from '../server/read-value.ts';

/** A handler's value, read to its end: parts where it is bytes or blocks. */
export type ReadContent =
  | { readonly kind: 'data'; readonly data: unknown; readonly mimeType: string | undefined }
  | { readonly kind: 'blocks'; readonly blocks: readonly Block[] };

export interface ContentOptions {
  /** The address of bytes that are neither image nor audio. */
  readonly uri: string;
  readonly mimeType?: string | undefined;
}

/** Bytes of no stated type that are UTF-8 are a text. */
export async function readContent(
  value: unknown,
  { uri, mimeType: declared, ...options }: ContentOptions & ReadOptions,
): Promise<ReadContent> {
  const given = toReplyData(value);
  if (isBlocks(given)) return { kind: 'blocks', blocks: given.blocks.map(toWholeBlock) };
  const stated = findMediaType(value);
  const isText = (bytes: Uint8Array): boolean => (stated === undefined ? isUtf8(bytes) : textTypes.test(stated));
  const decode = (bytes: Uint8Array): unknown =>
    isText(bytes) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : bytes;
  const data = await readValue(value, { ...options, decode });
  if (!(data instanceof Uint8Array)) return { kind: 'data', data, mimeType: declared ?? stated };
  const mimeType = declared ?? stated ?? 'application/octet-stream';
  const isMedia = /^(image|audio)\//.test(mimeType);
  return { kind: 'blocks', blocks: [toBytesBlock({ bytes: data, mimeType, uri: isMedia ? undefined : uri })] };
}

function toWholeBlock(block: Block): Block {
  if (block.type === 'text') return { ...block, text: toWholeText(block.text) };
  if (block.type !== 'resource' || !('text' in block.resource)) return block;
  return { ...block, resource: { ...block.resource, text: toWholeText(block.resource.text) } };
}

const textTypes = /^text\/|[/+](json|xml|yaml|javascript)$|^application\/x-www-form-urlencoded$/;

function findMediaType(value: unknown): string | undefined {
  const given = toReplyData(value);
  const sent = typeof given === 'object' && given !== null && isResponse(given) ? given.headers : new Headers();
  const headers = [...(isReply(value) ? Object.entries(value.headers) : []), ...sent];
  const [, stated] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const [type = ''] = String(stated ?? '').split(';');
  return type.trim().toLowerCase() || undefined;
}

export function toToolResult(content: ReadContent, key: string): CallToolResult {
  if (content.kind === 'blocks') return { content: [...content.blocks] };
  const text = toDataText(content.data, key);
  return { content: [{ type: 'text', text }], structuredContent: { data: JSON.parse(text) as unknown } };
}

export function toResourceResult(content: ReadContent, uri: string): ReadResourceResult {
  if (content.kind === 'blocks') return { contents: content.blocks.map((block) => toBlockContent(block, uri)) };
  const { data, mimeType = typeof data === 'string' ? 'text/plain' : 'application/json' } = content;
  return { contents: [{ uri, mimeType, text: toContentText(data) }] };
}

function toBlockContent(block: Block, uri: string): ReadResourceResult['contents'][number] {
  if (block.type === 'text') return { uri, mimeType: 'text/plain', text: block.text };
  if (block.type === 'resource') return block.resource;
  if (block.type === 'resource_link') return { uri: block.uri, mimeType: 'text/uri-list', text: block.uri };
  return { uri, mimeType: block.mimeType, blob: block.data };
}

/** The messages of a prompt: a text or blocks are said by the user, a list of `{role, content}` is a conversation. */
export function toMessages(content: ReadContent): PromptMessage[] {
  if (content.kind === 'blocks') return content.blocks.map((part) => ({ role: 'user', content: part }));
  const { data } = content;
  const said = Array.isArray(data) && data.every(isMessage) ? data : [{ role: 'user' as const, content: data }];
  return said.flatMap(({ role, content: one }): PromptMessage[] => {
    const parts = isBlocks(one) ? one.blocks : [{ type: 'text' as const, text: toContentText(one) }];
    return parts.map((part) => ({ role, content: part }));
  });
}

function isMessage(value: unknown): value is { readonly role: PromptMessage['role']; readonly content: unknown } {
  const role: unknown = (value as { readonly role?: unknown } | null)?.role;
  return role === 'user' || role === 'assistant';
}

function toContentText(data: unknown): string {
  return typeof data === 'string' ? toWholeText(data) : toDataText(data);
}

type ResultPart = { readonly text?: string } & {
  readonly [Name in 'resource' | 'content' | 'contents' | 'messages']?: ResultPart | readonly ResultPart[];
};

/** The bytes of the text that a model reads in a result, or in a part of one. */
export function countText({
  text = '',
  resource = [],
  content = [],
  contents = [],
  messages = [],
}: ResultPart): number {
  const parts = [resource, content, contents, messages].flat();
  return parts.reduce((sum, part) => sum + countText(part), Buffer.byteLength(text));
}
