import type { Operation } from '../registry/compile-registry.ts';
import { splitWords, toPascal } from '../routing/infer-route.ts';
import type { Route } from '../routing/route.ts';
import { addNamed } from './document-parts.ts';
import type { OperationObject } from './openapi-document.ts';

/** The name of an operation where keys cannot stand: `users_getUser`. */
export function toOperationId(key: string): string {
  return key.replaceAll('.', '_');
}

/** The ids of the second and later routes of a capability have their method: `users_saveUser_patch`. */
export function toOperationIds(routes: readonly Route<Operation>[]): readonly string[] {
  const taken = new Map<string, number>();
  return routes.map(({ operation: { key }, method }, index) => {
    const id = toOperationId(key);
    return addNamed(taken, taken.has(id) ? `${id}_${method.toLowerCase()}` : id, index);
  });
}

/** The first sentence of the description, else the name in words; and the whole description, where it is longer. */
export function toOperationTexts({
  name,
  definition,
}: Operation): Pick<OperationObject, 'summary' | 'description'> {
  const text = definition.description?.trim() ?? '';
  const [line = ''] = text.split(/\n|(?<=[.!?])\s/);
  const words = splitWords(name).map((word) =>
    /^[A-Z]{2,}/.test(word) ? word : word.toLowerCase(),
  );
  const summary = line.replace(/\.$/, '') || toPascal(words.join(' '));
  const { since, sunset, use } = definition.deprecation ?? {};
  const ending = [
    definition.deprecation && (since ? `Deprecated since ${since}.` : 'Deprecated.'),
    sunset && `It ends on ${sunset}.`,
    use && `Use \`${toOperationId(use)}\`.`,
  ];
  const says = text.replace(/\.$/, '') === summary ? '' : text;
  const description = [says, ending.filter(Boolean).join(' ')].filter(Boolean).join('\n\n');
  return { summary, ...(description !== '' && { description }) };
}

/** The name of a component for the input of an operation, where its author gave none. */
export function toInputName({ name }: Pick<Operation, 'name'>): string {
  return `${toPascal(name)}Input`;
}
