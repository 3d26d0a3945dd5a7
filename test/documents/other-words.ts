import type { OpenApi } from './document-types.ts';
import { toShuffled, toWithoutField } from './whole-documents.ts';

export { compare } from '../../source/contract/compare.ts';

const SEED = 1;

/** The document with its keys in another order, all descriptions changed and, where it has one, without a field. */
export function toOtherWords(document: OpenApi): OpenApi {
  return toShuffled(toWithoutField(document, SEED)?.after ?? document, SEED);
}
