import type { PromptMessage, ReadResourceResult } from '@modelcontextprotocol/server';
import { type Block, isBlocks, toBytesBlock } from '../capability/blocks.ts';
import { type ReadContent, toContentText } from './call-operation.ts';

/** A read value as the content of a resource; `mimeType` is what it is declared as. */
export function toResourceResult(content: ReadContent, uri: string, mimeType: string | undefined): ReadResourceResult {
  if (content.kind === 'blocks') return { contents: content.blocks.map((block) => toBlockContent(block, uri)) };
  if (content.kind === 'bytes') {
    const block = toBytesBlock(content.bytes, { mimeType: mimeType ?? content.mimeType, uri });
    return { contents: [toBlockContent(block, uri)] };
  }
  const natural = typeof content.data === 'string' ? 'text/plain' : 'application/json';
  const type = mimeType ?? content.mimeType ?? natural;
  return { contents: [{ uri, mimeType: type, text: toContentText(content.data) }] };
}

function toBlockContent(block: Block, uri: string): ReadResourceResult['contents'][number] {
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

/** A text or blocks are said by the user; a list of `{role, content}` is a conversation. */
export function toMessages(content: ReadContent): PromptMessage[] {
  if (content.kind === 'blocks') return content.blocks.map((block) => ({ role: 'user', content: block }));
  if (content.kind === 'bytes') return [{ role: 'user', content: toBytesBlock(content.bytes, content) }];
  const { data } = content;
  const said = Array.isArray(data) && data.every(isMessage) ? data : [{ role: 'user' as const, content: data }];
  return said.flatMap(({ role, content: one }): PromptMessage[] =>
    isBlocks(one)
      ? one.blocks.map((block) => ({ role, content: block }))
      : [{ role, content: { type: 'text', text: toContentText(one) } }],
  );
}

function isMessage(value: unknown): value is { readonly role: PromptMessage['role']; readonly content: unknown } {
  const role: unknown = (value as { readonly role?: unknown } | null)?.role;
  return role === 'user' || role === 'assistant';
}
