import { type ApiSchema, type Branch, toTarget } from '../../document/branch.ts';
import { toRefName } from '../../document/read-branches.ts';
import { recordOf, textOf } from '../../document/schema-json.ts';
import { groupBy } from '../../values/once.ts';
import type { LimitChange } from './limits.ts';

/** A change of the words by which a `discriminator` distinguishes the variants of a union. */
export type TagChange =
  | { readonly kind: 'field'; readonly limit: LimitChange }
  | { readonly kind: 'lost' | 'gained'; readonly field: string; readonly words: string };

interface Discriminator {
  readonly field: string;
  /** The words of each variant, by the name of its component. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

/**
 * Compares the words that stand for variants in the field of a `discriminator`. Only a written `mapping` counts.
 * Without one, the names of components are the words, and generators rename those although the sent values stay.
 */
export function compareTagWords(
  before: ApiSchema,
  after: ApiSchema,
  pairs: readonly (readonly [old: Branch, now: Branch])[],
): readonly TagChange[] {
  const old = findDiscriminator(before);
  const now = findDiscriminator(after);
  if (old === undefined || now === undefined) return [];
  if (old.field !== now.field) {
    const message = `has its variants told apart by \`${now.field}\`, it was \`${old.field}\``;
    return [{ kind: 'field', limit: { message, effect: 'other' } }];
  }
  return pairs.flatMap(([variant, successor]): readonly TagChange[] => {
    const words = old.words.get(variant.name ?? '');
    const wordsNow = now.words.get(successor.name ?? '');
    if (words === undefined || wordsNow === undefined) return [];
    const toChange = (kind: 'lost' | 'gained', some: readonly string[]): readonly TagChange[] =>
      some.length === 0
        ? []
        : [{ kind, field: now.field, words: `of ${successor.name} ${kind} ${some.join(', ')}` }];
    return [
      ...toChange('lost', toOthers(words, wordsNow)),
      ...toChange('gained', toOthers(wordsNow, words)),
    ];
  });
}

function toOthers(words: readonly string[], others: readonly string[]): readonly string[] {
  return words.filter((word) => !others.includes(word)).map((word) => JSON.stringify(word));
}

function findDiscriminator(schema: ApiSchema): Discriminator | undefined {
  const { propertyName, mapping } = recordOf(recordOf(toTarget(schema))['discriminator']);
  const field = textOf(propertyName);
  if (field === undefined) return undefined;
  const targets = recordOf(mapping);
  const words = groupBy(Object.keys(targets), (word) => toRefName(String(targets[word])) ?? '');
  return { field, words };
}
