import type { SecurityScheme } from '../capability/guard.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';

/** A schema inside a document, or a reference to a component. */
export type SchemaObject = JsonSchema;

/** An OpenAPI 3.1 document, as far as this package writes it. Plain data: `JSON.stringify` gives the file. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: InfoObject;
  readonly servers: readonly ServerObject[];
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItemObject>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

export interface InfoObject {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: LicenseObject;
}

export interface LicenseObject {
  readonly name: string;
  /** SPDX expression, as `MIT`. */
  readonly identifier?: string;
  readonly url?: string;
}

export interface ServerObject {
  readonly url: string;
  readonly description?: string;
}

/** Operations by method, in lower case. */
export type PathItemObject = Readonly<Record<string, OperationObject>>;

export interface OperationObject {
  /** The key with underscores: `users_getUser`. */
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: RequestBodyObject;
  readonly responses: Readonly<Record<string, ResponseObject | ReferenceObject>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description?: string;
  readonly deprecated?: true;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: SchemaObject;
}

export interface RequestBodyObject {
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaTypeObject>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  /** Missing where nothing is sent but the head. */
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

export interface HeaderObject {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: SchemaObject;
}

export interface MediaTypeObject {
  readonly schema: SchemaObject;
  /** Media types of file parts, by field. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>;
}

export interface ReferenceObject {
  readonly $ref: string;
}
