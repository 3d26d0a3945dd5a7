import { createHash } from 'node:crypto';
import { createToolSearch, type SearchMode } from '../../../server-runtime/mcp/search/create-tool-search.ts';
import { toTools } from '../../../server-runtime/mcp/tools.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import type { OfferedList } from './conversation.ts';

/** A fingerprint of each list that clients are shown: another one where they would see another list. */
export function toOffers(operations: readonly Operation[], search: SearchMode): Readonly<Record<OfferedList, string>> {
  const tools = toTools(operations);
  const listed = createToolSearch(tools, search)?.listed ?? [...tools.values()].map(({ description }) => description);
  const declared = operations.map(({ key, definition: { offers, description }, fields }) => ({
    key,
    offers,
    description,
    fields: [...(fields?.keys() ?? [])],
  }));
  return {
    tools: toFingerprint(listed),
    resources: toFingerprint(declared.filter(({ offers }) => offers.resources.length > 0)),
    prompts: toFingerprint(declared.filter(({ offers }) => offers.prompt !== undefined)),
  };
}

function toFingerprint(list: readonly object[]): string {
  return createHash('sha1').update(JSON.stringify(list)).digest('base64');
}
