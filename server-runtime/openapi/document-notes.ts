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

/** The notes as a part of the object that they are about. `input` is the schema of the whole input. */
export function toNoted(notes: object | undefined, input?: JsonSchema): object {
  return notes === undefined ? {} : { [NOTES]: { ...notes, ...(input === undefined ? {} : { input }) } };
}
