import type { SecurityScheme } from '../capability/guard.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { JsonSchema, SchemaNode } from '../schema/to-json-schema.ts';

/** Facts that a document has besides, for readers that are not callers. */
export interface DocumentNotes {
  /** Told of every schema. Keywords that begin with `x-capix-` and that it adds to `json` stay in the document. */
  readonly onNode: (node: SchemaNode) => void;
  /** Stands under `x-capix` of the operation at a route, with its whole input; undefined for nothing. */
  readonly ofRoute: (route: Route<Operation>, nameOf: (scheme: SecurityScheme) => string) => object | undefined;
  /** Stands under `x-capix` of a job. */
  readonly ofJob: (operation: Operation) => object;
}

const NOTES = 'x-capix';

/** The notes as a part of the object that they are about. `input` is a schema, still with its marks. */
export function toNoted(notes: object | undefined, input?: JsonSchema): object {
  return notes === undefined ? {} : { [NOTES]: { ...notes, ...(input === undefined ? {} : { input }) } };
}

/** The input that stands in the notes of an operation. */
export function findNotedInput(operation: object): JsonSchema | undefined {
  return (operation as { readonly [NOTES]?: { readonly input?: JsonSchema } })[NOTES]?.input;
}

/** An operation whose noted input is replaced. */
export function withNotedInput<T extends object>(operation: T, input: JsonSchema): T {
  const notes = (operation as { readonly [NOTES]?: object })[NOTES];
  return { ...operation, [NOTES]: { ...notes, input } };
}
