import { findNearest } from '../../errors/expect-options.ts';
import type { Operation } from '../../registry/compile-registry.ts';
import { toRoot } from './answer-shape.ts';
import { type FieldFault, isName } from './field-names.ts';

/** A capability, and what makes its input of the object that the link starts from; the link is null where that is. */
export type GraphqlLink = readonly [
  key: string,
  // A function says what it reads: `(post: Post) => ({ id: post.authorId })`.
  toInput: (value: never) => object | null | undefined,
];

/** Links by their names, by the types that they start from. */
export type GraphqlLinks = Readonly<Record<string, Readonly<Record<string, GraphqlLink>>>>;

/** A link with its place: `Post.author`. */
export interface PlacedLink {
  readonly type: string;
  readonly field: string;
  readonly key: string;
  readonly toInput: (value: unknown) => object | null | undefined;
}

export function toPlacedLinks(links: GraphqlLinks): readonly PlacedLink[] {
  return Object.entries(links).flatMap(([type, fields]) =>
    Object.entries(fields).map(([field, [key, toInput]]) => ({
      type,
      field,
      key,
      toInput: toInput as PlacedLink['toInput'],
    })),
  );
}

/** @throws TypeError for what is not a link */
export function expectLinks(owner: string, links: unknown): void {
  const wanted = "expected { Post: { author: ['users.getUser', (post) => ({ … })] } }";
  if (!isRecord(links)) throw new TypeError(`${owner}: ${wanted}.`);
  for (const [type, fields] of Object.entries(links)) {
    if (!isRecord(fields)) throw new TypeError(`${owner}.${type}: ${wanted}.`);
    for (const [field, link] of Object.entries(fields)) {
      const place = `${owner}.${type}.${field}`;
      const [key, toInput] = Array.isArray(link) ? (link as readonly unknown[]) : [];
      if (!isName(field)) throw new TypeError(`${place}: that is not a name of GraphQL.`);
      if (typeof key !== 'string' || typeof toInput !== 'function')
        throw new TypeError(
          `${place}: expected the key of a capability and a function: ['users.getUser', (post) => ({ … })].`,
        );
    }
  }
}

/** Finds links to capabilities that are not there, or that no field of an object can call. */
export function findLinkFaults(
  operations: readonly Operation[],
  links: GraphqlLinks,
): readonly FieldFault[] {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  return toPlacedLinks(links).flatMap(({ type, field, key }) => {
    const operation = byKey.get(key);
    const link = `The link \`${type}.${field}\``;
    if (operation === undefined) {
      const nearest = findNearest(key, byKey.keys());
      const hint =
        nearest === undefined ? 'Write a key of `capix list`.' : `Did you mean \`${nearest}\`?`;
      return [{ key, message: `${link} calls \`${key}\`, and there is no such capability.`, hint }];
    }
    if (toRoot(operation) === 'Query') return [];
    const hint = 'Links lead to capabilities that read, and answer once.';
    return [{ key, message: `${link} calls \`${key}\`, which is not a query.`, hint }];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
