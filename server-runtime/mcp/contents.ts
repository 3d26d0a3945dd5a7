import type {
  CallToolResult,
  PromptMessage,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import { type Block, isBlocks } from '../capability/blocks.ts';
import { toDataText } from '../server/to-json-text.ts';

/** A handler's value, read to its end. */
export interface ReadContent {
  /** `blocks(…)`, also where the handler gave bytes; else the value. */
  readonly data: unknown;
  /** The type of its text. */
  readonly mimeType: string;
}

/** Tools tell of a refusal in a result, which a model reads. */
export const ofTools = {
  toRefused: (text: string): CallToolResult => ({
    isError: true,
    content: [{ type: 'text', text }],
  }),
  toResult: ({ data }: ReadContent, key: string): CallToolResult => {
    if (isBlocks(data)) return { content: toBlocks(data) };
    const text = toDataText(data, key);
    return {
      content: [{ type: 'text', text }],
      structuredContent: { data: JSON.parse(text) as unknown },
    };
  },
};

export function toResourceResult({ data, mimeType }: ReadContent, uri: string): ReadResourceResult {
  const contents = toBlocks(data).map((block): ReadResourceResult['contents'][number] => {
    if (block.type === 'text') return { uri, mimeType, text: block.text };
    if (block.type === 'resource') return block.resource;
    if (block.type === 'resource_link')
      return { uri: block.uri, mimeType: 'text/uri-list', text: block.uri };
    return { uri, mimeType: block.mimeType, blob: block.data };
  });
  return { contents };
}

/**
 * The messages of a prompt. A text or blocks become one message of the user; a list of `{role, content}` is a
 * conversation.
 */
export function toMessages({ data }: ReadContent): PromptMessage[] {
  const messages =
    Array.isArray(data) && data.every(isMessage)
      ? data
      : [{ role: 'user' as const, content: data }];
  return messages.flatMap(({ role, content: one }) =>
    toBlocks(one).map((content): PromptMessage => ({ role, content })),
  );
}

function isMessage(
  value: unknown,
): value is { readonly role: PromptMessage['role']; readonly content: unknown } {
  const role: unknown = (value as { readonly role?: unknown } | null)?.role;
  return role === 'user' || role === 'assistant';
}

/** The parts of `blocks(…)`; any other value is one text. */
function toBlocks(data: unknown): Block[] {
  if (!isBlocks(data))
    return [
      { type: 'text', text: typeof data === 'string' ? data.toWellFormed() : toDataText(data) },
    ];
  return data.blocks.map((block) => {
    if (block.type === 'text') return { ...block, text: block.text.toWellFormed() };
    if (block.type !== 'resource' || !('text' in block.resource)) return block;
    return { ...block, resource: { ...block.resource, text: block.resource.text.toWellFormed() } };
  });
}

/** The bytes of the text that a model reads in a result, or in a part of one. */
export function countText({
  structuredContent: _same,
  ...part
}: {
  readonly structuredContent?: unknown;
}): number {
  return Object.entries(part).reduce((sum, [name, value]) => {
    if (typeof value === 'object' && value !== null) return sum + countText(value);
    return name === 'text' ? sum + Buffer.byteLength(String(value)) : sum;
  }, 0);
}
