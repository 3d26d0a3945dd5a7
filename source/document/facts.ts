import type { JsonSchema } from '../../server-runtime/schema/json-schema.ts';
import type {
  toDocumentFacts,
  toOperationFacts,
  toOtherRouteFacts,
  toRouteFacts,
} from './operation-facts.ts';
import { isSchemaObject, type SchemaJson } from './schema-json.ts';

/**
 * The keyword of what a document of the tool says beside OpenAPI. No published document has it, or any other that
 * begins so.
 */
export const FACTS = 'x-capix';

/** The number of the form in which facts are written; a reader of another one refuses the document. */
export const FACTS_VERSION = 3;

export type DocumentFacts = ReturnType<typeof toDocumentFacts> & {
  /** Missing where no transport of GraphQL is exported. */
  readonly graphql?: GraphqlFacts | undefined;
};

/** What the callers of GraphQL rely on. */
export interface GraphqlFacts {
  /** Behind the prefix: `/graphql`. */
  readonly path: string;
  /** The lines of the schema, sorted; missing where the tool could not write it. */
  readonly schema?: readonly string[] | undefined;
}

export type CorsFacts = Exclude<DocumentFacts['cors'], false>;

/** The facts of an operation or a job, with those that are written beside what the library declares. */
export interface OperationFacts extends ReturnType<typeof toOperationFacts> {
  /** The whole input, as agents and the inferred client send it; of a job it stands beside the facts. */
  readonly input?: JsonSchema;
  /** The checks of an input of another library than zod, which are code and stand nowhere in its JSON Schema. */
  readonly inputChecks?: readonly string[];
  /** Only in a manifest: missing where no code of the project declared it. */
  readonly source?: SourceFacts;
  /** `'Query.getUser'`: its field in GraphQL; only in a manifest of a project with a `graphqlTransport`. */
  readonly graphqlField?: string;
}

export type RouteFacts = OperationFacts & ReturnType<typeof toRouteFacts>;
export type OtherRouteFacts = ReturnType<typeof toOtherRouteFacts>;

/** A guard on the input, and all that guards and enhancers have in common. */
export type StepFacts = OperationFacts['inputGuards'][number];
export type EnhancerFacts = OperationFacts['enhancers'][number];
export type ErrorName = OperationFacts['errors'][number];
export type AnswerFacts = OperationFacts['answers'][number];

/** The place where a capability is declared; line and column are counted from 1. */
export interface SourceFacts {
  /** Relative to the project's root, with forward slashes; absolute outside it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The facts of the whole API that OpenAPI has no word for; undefined for one that the tool did not write. */
export function findDocumentFacts(document: object): DocumentFacts | undefined {
  const { [FACTS]: facts } = document as SchemaJson;
  return isSchemaObject(facts) ? (facts as DocumentFacts) : undefined;
}

/** The same of an operation or a job. */
export function findOperationFacts(
  operation: SchemaJson,
): RouteFacts | OtherRouteFacts | undefined {
  const { [FACTS]: facts } = operation;
  return isSchemaObject(facts) ? (facts as RouteFacts | OtherRouteFacts) : undefined;
}

type Guarded = Partial<OperationFacts> | undefined;

/** The guards of an operation with what each declares, and the middleware that stands for one. */
export function toGuardFacts(facts: Guarded): readonly StepFacts[] {
  return [...(facts?.guards ?? []), ...(facts?.inputGuards ?? []), ...toRefusing(facts)];
}

/**
 * The middleware of the application that refuses callers by their roles. Roles that depend on the input stand there.
 */
export function toRefusing(facts: Guarded): readonly EnhancerFacts[] {
  const isRefusal = ({ status }: ErrorName): boolean => status === 401 || status === 403;
  return toMiddleware(facts).filter(({ errors }) => errors.some(isRefusal));
}

/** The middleware of the application: the enhancers of the library have a kind or settings. */
export function toMiddleware(facts: Guarded): readonly EnhancerFacts[] {
  return (facts?.enhancers ?? []).filter(
    ({ kind, settings }) => kind === undefined && Object.keys(settings).length === 0,
  );
}
