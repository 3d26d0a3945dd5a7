import type { GetPromptResult, PromptMessage, ReadResourceResult } from '@modelcontextprotocol/server';
import { type Block, isBlocks, toBytesBlock } from '../../capability/blocks.ts';
import { toDataText, toWholeText } from '../../http/to-json-text.ts';
import type { ReadContent } from '../read-content.ts';

/** A read value as the content of a resource. */
export function toContents(content: ReadContent, uri: string, mimeType: string | undefined): ReadResourceResult {
  if (content.kind === 'bytes') {
    const block = toBytesBlock(content.bytes, { mimeType: mimeType ?? content.mimeType, uri });
    return { contents: block.type === 'resource' ? [block.resource] : [] };
  }
  if (content.kind === 'blocks') return { contents: content.blocks.map((block) => toContent(block, uri)) };
  const isText = typeof content.data === 'string';
  const type = mimeType ?? content.mimeType ?? (isText ? 'text/plain' : 'application/json');
  return { contents: [{ uri, mimeType: type, text: toText(content.data) }] };
}

function toContent(block: Block, uri: string): ReadResourceResult['contents'][number] {
  switch (block.type) {
    case 'text':
      return { uri, mimeType: 'text/plain', text: block.text };
    case 'image':
    case 'audio':
      return { uri, mimeType: block.mimeType, blob: block.data };
    case 'resource':
      return block.resource;
    case 'resource_link':
      return { uri: block.uri, mimeType: 'text/uri-list', text: block.uri };
  }
}

/** A read value as a prompt: a text or blocks are said by the user; a list of `{role, content}` is a conversation. */
export function toPrompt(content: ReadContent, description: string | undefined): GetPromptResult {
  return { ...(description === undefined ? {} : { description }), messages: toMessages(content) };
}

function toMessages(content: ReadContent): PromptMessage[] {
  if (content.kind === 'blocks') return content.blocks.map((block) => ({ role: 'user', content: block }));
  if (content.kind === 'bytes') return [{ role: 'user', content: toBytesBlock(content.bytes, content) }];
  const { data } = content;
  if (Array.isArray(data) && data.every(isMessage)) return data.flatMap(toSaid);
  return [{ role: 'user', content: { type: 'text', text: toText(data) } }];
}

interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
}

function isMessage(value: unknown): value is Said {
  const role: unknown = (value as Partial<Said> | null)?.role;
  return role === 'user' || role === 'assistant';
}

function toSaid({ role, content }: Said): PromptMessage[] {
  if (isBlocks(content)) return content.blocks.map((block) => ({ role, content: block }));
  return [{ role, content: { type: 'text', text: toText(content) } }];
}

function toText(data: unknown): string {
  return typeof data === 'string' ? toWholeText(data) : toDataText(data);
}
