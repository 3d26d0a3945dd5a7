import type { SecurityScheme } from '../capability/guard.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

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
  /** The groups, in the order of declaration. */
  readonly tags?: readonly TagObject[];
  /** The operations by path, with `{name}` for a parameter. */
  readonly paths: Readonly<Record<string, PathItemObject>>;
  /** The capabilities that a queue runs, by key. An extension; missing without a queue. */
  readonly 'x-jobs'?: Readonly<Record<string, JobObject>>;
  /** The parts that operations refer to, by name. */
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

/** The description of the API. */
export interface InfoObject {
  /** Name of the API. */
  readonly title: string;
  /** Version of the API. */
  readonly version: string;
  /** The purpose of the API, in Markdown. */
  readonly description?: string;
  /** Who answers questions about it. */
  readonly contact?: ContactObject;
  /** Under which licence. */
  readonly license?: LicenseObject;
}

/** A group of operations. */
export interface TagObject {
  /** The group, dots between nested ones: `catalog.items`. */
  readonly name: string;
  /** The purpose of the group, in Markdown. */
  readonly description?: string;
}

/** Who answers questions about an API. */
export interface ContactObject {
  /** Their name. */
  readonly name?: string | undefined;
  /** The address of their page. */
  readonly url?: string | undefined;
  /** Their address. */
  readonly email?: string | undefined;
}

/** A licence. */
export interface LicenseObject {
  /** The name of the licence: `MIT`. */
  readonly name: string;
  /** SPDX expression, as `MIT`. */
  readonly identifier?: string | undefined;
  /** The address of its text. */
  readonly url?: string | undefined;
}

/** A place where the API is. */
export interface ServerObject {
  /** `https://api.example.org`, or relative to where the document was found. */
  readonly url: string;
  /** Which one it is: `Production`. */
  readonly description?: string | undefined;
}

/** Operations by method, in lower case. */
export type PathItemObject = Readonly<Record<string, OperationObject>>;

/** One operation: a capability at its route. */
export interface OperationObject {
  /** The key with underscores: `users_getUser`. */
  readonly operationId: string;
  /** The group of the operation. */
  readonly tags?: readonly string[];
  /** The operation in a few words. */
  readonly summary: string;
  /** The description of the operation, in Markdown. */
  readonly description?: string;
  /** Whether it is going away. */
  readonly deprecated?: true;
  /** The parameters of path and query. */
  readonly parameters?: readonly ParameterObject[];
  /** The body that it takes. */
  readonly requestBody?: RequestBodyObject;
  /** The answers by status. */
  readonly responses: Readonly<Record<string, ResponseObject | ReferenceObject>>;
  /** Any one of these is to be sent; nothing where an empty one is among them. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** A capability as a job: what is added for it, and how a queue runs it. */
export interface JobObject {
  /** The purpose of the job, in Markdown. */
  readonly description?: string;
  /** The input that it is added with. */
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

/** A parameter. */
export interface ParameterObject {
  /** As it is sent. */
  readonly name: string;
  /** The part of the request that it is sent in. */
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /** Whether a call must send it. */
  readonly required?: boolean;
  /** The purpose of the parameter. */
  readonly description?: string;
  /** Whether it is going away. */
  readonly deprecated?: true;
  /** The style in which lists and objects are written. */
  readonly style?: string;
  /** Whether each item, or field, is a parameter of its own. */
  readonly explode?: boolean;
  /** The schema of the value. */
  readonly schema: SchemaObject;
  /** Whether it takes the rest of the path, slashes included. */
  readonly 'x-wildcard'?: true;
}

/** The body of a request. */
export interface RequestBodyObject {
  /** Whether a call must send one. */
  readonly required: boolean;
  /** The content by media type. */
  readonly content: Readonly<Record<string, MediaTypeObject>>;
}

/** An answer. */
export interface ResponseObject {
  /** Which errors it may be, where the schema of the envelope does not say. */
  readonly 'x-error-names'?: readonly string[];
  /** When it is given. */
  readonly description: string;
  /** The headers by name. */
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  /** The content by media type. Missing where nothing is sent but the head. */
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** A header of an answer. */
export interface HeaderObject {
  /** The meaning of the header. */
  readonly description?: string;
  /** Whether it is always there. */
  readonly required?: boolean;
  /** The schema of its text. */
  readonly schema: SchemaObject;
}

/** A body of one media type. */
export interface MediaTypeObject {
  /** The schema of the value. */
  readonly schema: SchemaObject;
  /** Media types of file parts, and styles of objects in a form, by field. */
  readonly encoding?: Readonly<
    Record<string, { readonly contentType: string } | { readonly style: string; readonly explode: boolean }>
  >;
}

/** A reference to a part that stands elsewhere in the document. */
export interface ReferenceObject {
  /** `#/components/responses/NotFound`. */
  readonly $ref: string;
}
