import type { JobSettings } from '../../../server-runtime/server/job.ts';
import type { ApiSchema, NamedSchema } from '../branch.ts';
import type { OperationFacts, RouteFacts } from '../facts.ts';
import type { SchemaJson } from '../schema-json.ts';

/** The word in the place of a method where a queue runs a capability. */
export const JOB = 'JOB';

/**
 * One operation of a document, ours or another's, with its references followed. What takes work is made when somebody
 * first reads it. A capability with several routes is several operations of one key.
 */
export interface ApiOperation extends SharedPart {
  /** `users.getUser`; in a document of others the `operationId`, else `GET /users/{id}`. */
  readonly key: string;
  /** The groups from the outermost inwards; empty at the root and in documents of others. */
  readonly groups: readonly string[];
  readonly name: string;
  /** `GET`; {@link JOB} where a queue runs it. */
  readonly method: string;
  /** `/users/:id`, `/files/*path`; empty for a job. */
  readonly path: string;
  /** The same as the document has it: `/users/{id}`, without the path of its first server. */
  readonly template: string;
  /** Whether this is the first route of its key. */
  readonly isMain: boolean;
  readonly params: readonly string[];
  readonly otherRoutes: readonly ApiRoute[];
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | undefined;
  /**
   * Everything that it takes as one value: for documents of others its parameters and its body together. Undefined
   * where it takes nothing.
   */
  readonly input: () => ApiSchema | undefined;
  /** The same as its author declared it, where a document of the tool says so: of `z.coerce.number()` a number. */
  readonly declaredInput: () => ApiSchema | undefined;
  /** The successes and redirects in the order of the document. */
  readonly responses: readonly ApiResponse[];
  /** The responses whose status is 4xx, 5xx or `default`, one for each name, where the document names them. */
  readonly errors: readonly DocumentedError[];
  /** The choices of credentials that are sent together: an empty choice lets anybody pass, no choices say nothing. */
  readonly security: readonly (readonly Credential[])[];
  /** The facts that only a document of the tool has; a second route has those of the first. */
  readonly facts: (OperationFacts & Partial<RouteFacts>) | undefined;
  /** The settings of its jobs; undefined for a route. */
  readonly job: JobSettings | undefined;
  /** The addresses that it has instead of those of the document; empty where it has none of its own. */
  readonly servers: readonly string[];
  /** What the server calls in its turn, at addresses that requests name. */
  readonly callbacks: readonly ApiOperation[];
  /** The same operation with other paths. */
  toMoved(toPath: (path: string) => string): ApiOperation;
  /** The document that its references point into. */
  readonly document: object;
  /** The parts of the document that say all of this; undefined for a job. */
  readonly source: OperationSource | undefined;
}

/** An operation as the document has it. */
export interface OperationSource {
  readonly operation: SchemaJson;
  readonly pathItem: SchemaJson;
}

export type ApiRoute = Pick<ApiOperation, 'method' | 'path'>;

/** A part of an operation that may be a component of the document, which several operations have. */
export interface SharedPart {
  /** The reference that leads to it: `#/components/parameters/Limit`; undefined where it stands in its operation. */
  readonly reference: string | undefined;
}

/** The name is that which is sent; headers are in lower case. */
export interface ApiParameter extends SharedPart, NamedSchema {
  /** As the document writes it: `X-Tenant`. */
  readonly written: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /**
   * The field of the input that it carries: its name, unless the facts say another. Undefined for an `Idempotency-Key`
   * of the enhancer.
   */
  readonly field: string | undefined;
  readonly isDeprecated: boolean;
  readonly description: string | undefined;
  /** `form`, `deepObject`; undefined leaves it to the place. */
  readonly style: string | undefined;
  readonly explode: boolean | undefined;
  /** Whether it may be there without a value: `?all`. */
  readonly takesEmpty: boolean;
  /** Whether characters such as `/` and `&` stand in its value as they are. */
  readonly takesReserved: boolean;
}

export interface ApiBody extends SharedPart {
  readonly isRequired: boolean;
  readonly contents: readonly ApiContent[];
}

export interface ApiContent {
  readonly mediaType: string;
  readonly schema: ApiSchema;
  /** The schema of each item of a stream of events or lines; undefined where it is none. */
  readonly items: ApiSchema | undefined;
  /** How each part of a form is written, as the document has it. */
  readonly encoding: SchemaJson;
}

export interface ApiResponse extends SharedPart {
  /** `200`; in documents of others also `2XX`. */
  readonly status: string;
  readonly description: string | undefined;
  readonly headers: readonly ApiHeader[];
  /** What clients may follow from here. */
  readonly links: readonly ApiLink[];
  readonly contents: readonly ApiContent[];
  /** The kind of what is sent: as declared, else what the document lets see. */
  readonly kind: 'data' | 'none' | 'text' | 'bytes' | 'stream' | 'redirect';
  /** The data out of its envelope, or each item of a stream; undefined where there is none. */
  readonly data: () => ApiSchema | undefined;
}

export interface ApiLink extends SharedPart {
  readonly name: string;
  /** The operation that it leads to, with what is sent there. */
  readonly target: SchemaJson;
}

export type ApiHeader = Pick<
  ApiParameter,
  'reference' | 'name' | 'written' | 'isRequired' | 'description' | 'schema'
>;

export interface DocumentedError extends SharedPart {
  /** `404`; in documents of others also `4XX` and `default`. */
  readonly status: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** The facts that it carries besides its message; undefined where none are declared. */
  readonly meta: ApiSchema | undefined;
  readonly hasMeta: boolean;
  readonly contents: readonly ApiContent[];
  readonly headers: readonly ApiHeader[];
}

export interface Credential {
  readonly name: string;
  /** The scheme as the document has it: `{"type":"http","scheme":"bearer"}`. */
  readonly scheme: Readonly<Record<string, unknown>>;
  readonly scopes: readonly string[];
}
