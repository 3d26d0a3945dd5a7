import type { OperationObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import { splitWords } from '../routing/infer-route.ts';
import type { Route } from '../routing/route.ts';

/** The name of an operation where keys cannot stand: `users_getUser`. */
export function toOperationId(key: string): string {
  return key.replaceAll('.', '_');
}

/**
 * The first sentence of the description, else the name in words (`Get user`), without a full stop; and the whole, where
 * it says more, with what replaces the operation where it goes away.
 */
export function toOperationTexts({ name, definition }: Operation): Pick<OperationObject, 'summary' | 'description'> {
  const text = definition.description?.trim() ?? '';
  const [line = ''] = text.split(/\n|(?<=[.!?])\s/);
  const summary = line.replace(/\.$/, '') || toWords(name);
  const says = text.replace(/\.$/, '') === summary ? '' : text;
  const { since, sunset, use } = definition.deprecation ?? {};
  const ending = [
    since === undefined ? 'Deprecated.' : `Deprecated since ${since}.`,
    ...(sunset === undefined ? [] : [`It ends on ${sunset}.`]),
    ...(use === undefined ? [] : [`Use \`${toOperationId(use)}\`.`]),
  ];
  const parts = [says, definition.deprecation === undefined ? '' : ending.join(' ')].filter((part) => part !== '');
  return { summary, ...(parts.length > 0 && { description: parts.join('\n\n') }) };
}

function toWords(name: string): string {
  const words = splitWords(name)
    .map((word) => (/^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return toPascal(words);
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
  routes: readonly Pick<Route, 'method' | 'routerPath'>[],
  operations: readonly Written[],
): Record<string, Record<string, Written>> {
  const paths: Record<string, Record<string, Written>> = {};
  for (const [index, { method: name, routerPath }] of routes.entries()) {
    const method = name.toLowerCase();
    const template = routerPath.replaceAll(/(?:\*\*)?:(\w+)/g, '{$1}');
    let path = template;
    for (let count = 2; method in (paths[path] ?? {}); count++) path = `${template}#${count}`;
    paths[path] = { ...paths[path], [method]: operations[index] as Written };
  }
  return paths;
}
