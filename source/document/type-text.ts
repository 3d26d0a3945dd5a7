import { toLimitWords, toTypeWords } from '../../server-runtime/openapi/schema-words.ts';
import type { ApiSchema, Bound, Branch } from './branch.ts';
import { recordOf } from './schema-json.ts';

/** A schema as a type that a reader knows, as `toTypeWords` gives it: `string`, `'a' | 'b'`, `User[]`, `date`. */
export function toTypeText({ json }: ApiSchema): string {
  return toTypeWords(json);
}

/** The limits of a value beside its type, in a few words each: `1 to 20 characters`, `matches /^a/`, `unique`. */
export function toConstraints({ json }: ApiSchema): readonly string[] {
  return toLimitWords(recordOf(json));
}

/**
 * The names of branches of which one is chosen, no two of them the same: their types, objects of several by their
 * fields (`object with a, b`), and what is still alike by numbers (`string 2`).
 */
export function toVariantTexts(branches: readonly Branch[]): readonly string[] {
  const types = branches.map(({ name, schema }) => name ?? toTypeText(schema));
  const isAlone = (text: string, texts: readonly string[]): boolean =>
    texts.filter((other) => other === text).length === 1;
  const texts = branches.map(({ fields }, at) => {
    const type = types[at] ?? '';
    return isAlone(type, types) || fields.size === 0 ? type : `object with ${[...fields.keys()].join(', ')}`;
  });
  return texts.map((text, at) =>
    isAlone(text, texts) ? text : `${text} ${texts.slice(0, at + 1).filter((other) => other === text).length}`,
  );
}

/** Without the bounds of safe integers, which zod writes and which say nothing of a field. */
export function toTellingBounds({ min, max }: Pick<Branch, 'min' | 'max'>): Pick<Branch, 'min' | 'max'> {
  const isTelling = (bound: Bound | undefined): boolean => Math.abs(bound?.value ?? 0) !== Number.MAX_SAFE_INTEGER;
  return { min: isTelling(min) ? min : undefined, max: isTelling(max) ? max : undefined };
}
