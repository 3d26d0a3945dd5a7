import type { Operation } from '../registry/operation.ts';
import { splitWords } from '../routing/infer-route.ts';
import type { Route } from '../routing/route.ts';

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
  const text = description?.trim() ?? '';
  const says = text.replace(/\.$/, '') === toSummary(operation) ? '' : text;
  const parts = [says, deprecation === undefined ? '' : toDeprecationText(deprecation)].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function toDeprecationText({ since, sunset, use }: NonNullable<Operation['definition']['deprecation']>): string {
  const sentences = [
    since === undefined ? 'Deprecated.' : `Deprecated since ${since}.`,
    ...(sunset === undefined ? [] : [`It ends on ${sunset}.`]),
    ...(use === undefined ? [] : [`Use \`${toOperationId(use)}\`.`]),
  ];
  return sentences.join(' ');
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

/** The operations by path and method. The second of both has a number behind it: `/users/{id}#2`. */
export function toPaths<Written>(
  routes: readonly Pick<Route, 'method' | 'segments'>[],
  operations: readonly Written[],
): Record<string, Record<string, Written>> {
  const paths: Record<string, Record<string, Written>> = {};
  for (const [index, { method: name, segments }] of routes.entries()) {
    const method = name.toLowerCase();
    const template = `/${segments.map(toTemplatePart).join('/')}`;
    let path = template;
    for (let count = 2; method in (paths[path] ?? {}); count++) path = `${template}#${count}`;
    paths[path] = { ...paths[path], [method]: operations[index] as Written };
  }
  return paths;
}

/** `{id}` */
function toTemplatePart(segment: Route['segments'][number]): string {
  return 'param' in segment ? `{${segment.param}}` : encodeURIComponent(segment.static);
}
