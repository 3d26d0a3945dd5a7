import type { Route } from '../routing/route.ts';

/** Puts a part of a document under its name, and gives that: another part of a name has a number behind it. */
export function addNamed<Part>(named: Map<string, Part>, wanted: string, part: Part): string {
  const isOther = (name: string): boolean =>
    named.has(name) && JSON.stringify(named.get(name)) !== JSON.stringify(part);
  let name = wanted;
  for (let count = 2; isOther(name); count++) name = `${wanted}${count}`;
  named.set(name, part);
  return name;
}

/** Without the fields that are undefined. */
export function toDefined<T extends object>(
  fields: { readonly [Name in keyof T]: T[Name] | undefined },
): T {
  return Object.fromEntries(Object.entries(fields).filter((field) => field[1] !== undefined)) as T;
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
