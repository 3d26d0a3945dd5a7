import type { Operation } from '../registry/operation.ts';
import { splitWords } from '../routing/infer-route.ts';

/** The name of an operation where keys cannot stand: `users_getUser`. */
export function toOperationId(key: string): string {
  return key.replaceAll('.', '_');
}

/** One line: the first sentence of the description, else the name in words (`Get user`). Without a full stop. */
export function toSummary({ name, definition }: Operation): string {
  const line = definition.description
    ?.trim()
    .split(/\n|(?<=[.!?])\s/)[0]
    ?.replace(/\.$/, '');
  return line === undefined || line === '' ? toWords(name) : line;
}

/** The whole description, where it says more than the summary, and what replaces the operation where it goes away. */
export function findDescription(operation: Operation): string | undefined {
  const { description, deprecation } = operation.definition;
  const text = description?.trim();
  const says = text === undefined || text.replace(/\.$/, '') === toSummary(operation) ? undefined : text;
  const parts = [says, deprecation === undefined ? undefined : toDeprecationText(deprecation)].filter(
    (part) => part !== undefined && part !== '',
  );
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function toDeprecationText({ since, sunset, use }: NonNullable<Operation['definition']['deprecation']>): string {
  const sentences = [
    since === undefined ? 'Deprecated.' : `Deprecated since ${since}.`,
    sunset === undefined ? '' : `It ends on ${sunset}.`,
    use === undefined ? '' : `Use \`${toOperationId(use)}\`.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function toWords(name: string): string {
  const words = splitWords(name)
    .map((word) => (/^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a component for the input of an operation, where its author gave none. */
export function toInputName({ name }: Pick<Operation, 'name'>): string {
  return `${toPascal(name)}Input`;
}

export function toPascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
