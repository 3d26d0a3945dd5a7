import { createHash } from 'node:crypto';
import type { Operation } from '../../registry/operation.ts';

/** The lists of a server, of which clients are told when they change. */
export const offeredLists = ['tools', 'resources', 'prompts'] as const;

export type OfferedList = (typeof offeredLists)[number];

/** A fingerprint of each list that clients are shown: another one where they would see another list. */
export type OfferPrints = Readonly<Record<OfferedList, string>>;

/** `tools`: those that are listed, as clients see them. */
export function toOffers(operations: readonly Operation[], tools: readonly object[]): OfferPrints {
  const declared = operations.map(({ key, definition: { offers, description }, fields }) => ({
    key,
    offers,
    description,
    fields: [...(fields?.keys() ?? [])],
  }));
  return {
    tools: toFingerprint(tools),
    resources: toFingerprint(declared.filter(({ offers }) => offers.resources.length > 0)),
    prompts: toFingerprint(declared.filter(({ offers }) => offers.prompt !== undefined)),
  };
}

function toFingerprint(list: readonly object[]): string {
  return createHash('sha1').update(JSON.stringify(list)).digest('base64');
}
