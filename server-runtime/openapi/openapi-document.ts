import type { SecurityScheme } from '../capability/guard.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';

/** A schema inside a document, or a reference to a component. */
export type SchemaObject = JsonSchema;

/** An OpenAPI 3.1 document, as far as this package writes it. Plain data: `JSON.stringify` gives the file. */
export interface OpenApiDocument {
  /** Version of the format. */
  readonly openapi: '3.1.0';
  /** What the API is. */
  readonly info: InfoObject;
  /** Where it is. */
  readonly servers: readonly ServerObject[];
  /** The groups, in the order of declaration. */
  readonly tags?: readonly { readonly name: string }[];
  /** By path, with `{name}` for a parameter. */
  readonly paths: Readonly<Record<string, PathItemObject>>;
  /** What operations refer to, by name. */
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

/** What the API is. */
export interface InfoObject {
  /** Name of the API. */
  readonly title: string;
  /** Version of the API. */
  readonly version: string;
  /** What it is for, in Markdown. */
  readonly description?: string;
  /** Under which licence. */
  readonly license?: LicenseObject;
}

/** A licence. */
export interface LicenseObject {
  /** For people: `MIT`. */
  readonly name: string;
  /** SPDX expression, as `MIT`. */
  readonly identifier?: string | undefined;
  /** Where its text is. */
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
  /** Its group. */
  readonly tags?: readonly string[];
  /** What it does, in a few words. */
  readonly summary: string;
  /** What it does, in Markdown. */
  readonly description?: string;
  /** Whether it is going away. */
  readonly deprecated?: true;
  /** Of path and query. */
  readonly parameters?: readonly ParameterObject[];
  /** What it takes as a body. */
  readonly requestBody?: RequestBodyObject;
  /** By status. */
  readonly responses: Readonly<Record<string, ResponseObject | ReferenceObject>>;
  /** Any one of these is to be sent; nothing where an empty one is among them. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** A parameter. */
export interface ParameterObject {
  /** As it is sent. */
  readonly name: string;
  /** Where it is sent. */
  readonly in: 'path' | 'query';
  /** Whether a call must send it. */
  readonly required?: boolean;
  /** What it is for. */
  readonly description?: string;
  /** Whether it is going away. */
  readonly deprecated?: true;
  /** How lists and objects are written. */
  readonly style?: string;
  /** Whether each item, or field, is a parameter of its own. */
  readonly explode?: boolean;
  /** What it may be. */
  readonly schema: SchemaObject;
}

/** The body of a request. */
export interface RequestBodyObject {
  /** Whether a call must send one. */
  readonly required: boolean;
  /** By media type. */
  readonly content: Readonly<Record<string, MediaTypeObject>>;
}

/** An answer. */
export interface ResponseObject {
  /** When it is given. */
  readonly description: string;
  /** By name. */
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  /** By media type. Missing where nothing is sent but the head. */
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** A header of an answer. */
export interface HeaderObject {
  /** What it says. */
  readonly description?: string;
  /** Whether it is always there. */
  readonly required?: boolean;
  /** What its text may be. */
  readonly schema: SchemaObject;
}

/** A body of one media type. */
export interface MediaTypeObject {
  /** What it may be. */
  readonly schema: SchemaObject;
  /** Media types of file parts, by field. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>;
}

/** What stands elsewhere in the document. */
export interface ReferenceObject {
  /** `#/components/responses/NotFound`. */
  readonly $ref: string;
}
