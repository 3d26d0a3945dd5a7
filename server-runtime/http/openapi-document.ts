import type { SecurityScheme } from '../capability/guard.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

type ByName<Value> = Readonly<Record<string, Value>>;

/** A schema inside a document, or a reference to a component. */
export type SchemaObject = JsonSchema;

/** An OpenAPI 3.1 document, as far as this package writes it. Plain data: `JSON.stringify` gives the file. */
export interface OpenApiDocument {
  /** Version of the format. */
  readonly openapi: '3.1.0';
  /** The description of the API. */
  readonly info: InfoObject;
  /** The servers at which the API is. */
  readonly servers: readonly ServerObject[];
  /** The groups, in the order of declaration; dots between nested ones: `catalog.items`. */
  readonly tags?: readonly TagObject[];
  /** The operations by path, with `{name}` for a parameter, and by method in lower case. */
  readonly paths: ByName<PathItemObject>;
  /** The capabilities that a queue runs, by key. An extension; missing without a queue. */
  readonly 'x-jobs'?: ByName<JobObject>;
  /** The parts that operations refer to, by name. */
  readonly components: {
    readonly schemas: ByName<SchemaObject>;
    readonly responses: ByName<ResponseObject>;
    readonly securitySchemes?: ByName<SecurityScheme>;
  };
}

export interface InfoObject {
  readonly title: string;
  readonly version: string;
  /** In Markdown, as all descriptions are. */
  readonly description?: string;
  readonly contact?: ContactObject;
  readonly license?: LicenseObject;
}

export interface TagObject {
  readonly name: string;
  readonly description?: string;
}

export interface ContactObject {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly email?: string | undefined;
}

/** A licence: `{name: 'MIT', identifier: 'MIT'}`, by its SPDX expression or the address of its text. */
export interface LicenseObject {
  readonly name: string;
  readonly identifier?: string | undefined;
  readonly url?: string | undefined;
}

/** `https://api.example.org`, or relative to where the document was found. */
export interface ServerObject {
  readonly url: string;
  readonly description?: string | undefined;
}

export type PathItemObject = ByName<OperationObject>;

/** One operation: a capability at its route. */
export interface OperationObject {
  /** The key with underscores: `users_getUser`. */
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: RequestBodyObject;
  /** The responses by status. */
  readonly responses: ByName<ResponseObject | ReferenceObject>;
  /** Any one of these is to be sent; nothing where an empty one is among them. */
  readonly security: readonly ByName<readonly string[]>[];
}

/** A capability as a job: what is added for it, and how a queue runs it. */
export interface JobObject {
  readonly description?: string;
  readonly input?: SchemaObject;
  /** Jobs that run at once in each process. */
  readonly maxJobs: number;
  /** Attempts in all. */
  readonly attempts: number;
  /** The wait before the second attempt, milliseconds; it doubles with each. */
  readonly backoffMs: number;
  /** Jobs that begin within a time, in all processes together. */
  readonly rate?: { readonly limit: number; readonly windowMs: number } | undefined;
  /** When it is added by itself, and with what. */
  readonly repeat?:
    | { readonly cron: string; readonly timezone?: string | undefined; readonly input?: unknown }
    | undefined;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly deprecated?: true;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: SchemaObject;
  /** Whether it takes the rest of the path, slashes included. */
  readonly 'x-wildcard'?: true;
}

export interface RequestBodyObject {
  readonly required: boolean;
  /** The schemas of the body by media type. */
  readonly content: ByName<MediaTypeObject>;
}

/** A response; without content where nothing is sent but the head. */
export interface ResponseObject {
  /** Which errors it may be, where the schema of the envelope does not say. */
  readonly 'x-error-names'?: readonly string[];
  readonly description: string;
  readonly headers?: ByName<HeaderObject>;
  readonly content?: ByName<MediaTypeObject>;
}

export type HeaderObject = Pick<ParameterObject, 'description' | 'required' | 'schema'>;

export interface MediaTypeObject {
  readonly schema: SchemaObject;
  /** Media types of file parts, and styles of objects in a form, by field. */
  readonly encoding?: ByName<{ readonly contentType: string } | { readonly style: string; readonly explode: boolean }>;
}

/** A reference to a part that stands elsewhere in the document: `#/components/responses/NotFound`. */
export interface ReferenceObject {
  readonly $ref: string;
}
