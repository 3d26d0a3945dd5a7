import type { SecurityScheme } from '../capability/guard.ts';
import type { OptionNames } from '../errors/expect-options.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { WebSocketObject } from '../server/guests.ts';
import type { JobSettings } from '../server/job.ts';

type ByName<Value> = Readonly<Record<string, Value>>;

/** An OpenAPI 3.1 document, as far as this package writes it. Plain data: `JSON.stringify` gives the file. */
export interface OpenApiDocument {
  /** Version of the format. */
  readonly openapi: '3.1.0';
  /** The description of the API. */
  readonly info: InfoObject;
  /** The servers at which the API is. */
  readonly servers: readonly { readonly url: string; readonly description?: string | undefined }[];
  /** The groups, in the order of declaration; dots between nested ones: `catalog.items`. */
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  /** The operations by path, with `{name}` for a parameter, and by method in lower case. */
  readonly paths: ByName<ByName<OperationObject>>;
  /** The capabilities that a queue runs, by key. An extension; missing without a queue. */
  readonly 'x-jobs'?: ByName<JobObject>;
  /** The paths at which calls are messages of one connection. An extension; missing without `webSocketTransport`. */
  readonly 'x-websockets'?: readonly WebSocketObject[];
  /** The parts that operations refer to, by name. */
  readonly components: {
    readonly schemas: ByName<JsonSchema>;
    readonly responses: ByName<ResponseObject>;
    readonly securitySchemes?: ByName<SecurityScheme>;
  };
}

/** The description is Markdown, as all are. */
export interface InfoObject {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly contact?: Partial<Readonly<Record<'name' | 'url' | 'email', string | undefined>>>;
  /** The identifier is an expression of SPDX: `{name: 'MIT', identifier: 'MIT'}`. */
  readonly license?: { readonly name: string } & Partial<
    Readonly<Record<'identifier' | 'url', string | undefined>>
  >;
}

type Info = { readonly [Name in keyof InfoObject]?: InfoObject[Name] | undefined };

/** The texts on the API in its document. Without a title it is `Capix API`, without a version `0.1.0`. */
export interface DocsOptions extends Info {
  /** @default [{url: '/'}]: where the document was found; served by a handler in another server, that handler */
  readonly servers?: OpenApiDocument['servers'] | undefined;
  /** The purposes of groups, in Markdown: `{users: 'Users and their sessions', 'catalog.items': 'What is sold'}`. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Gives the document that is published instead: with extensions of your own, or without some operations. */
  readonly edit?: ((document: OpenApiDocument) => OpenApiDocument) | undefined;
}

export const docsOptionNames: OptionNames<DocsOptions> = {
  title: true,
  version: true,
  description: true,
  contact: true,
  license: true,
  servers: true,
  tags: true,
  edit: true,
};

/** A capability at its route; the id is its key with underscores: `users_getUser`. */
export interface OperationObject {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: ByName<MediaTypeObject> };
  readonly responses: ByName<ResponseObject | { readonly $ref: string }>;
  /** Any one of these is to be sent; nothing where an empty one is among them. */
  readonly security: readonly ByName<readonly string[]>[];
}

/** A capability as a job, and how a queue runs it. The wait before the second attempt doubles with each further one. */
export type JobObject = JobSettings & {
  readonly description?: string;
  readonly input?: JsonSchema;
};

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly deprecated?: true;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema?: JsonSchema;
  /** In place of the schema: JSON, for values that are too deep for a query. */
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
  /** Whether it takes the rest of the path, slashes included. */
  readonly 'x-wildcard'?: true;
}

/** Without content where nothing is sent but the head. */
export interface ResponseObject {
  /** The errors that it may be, where the schema of the envelope does not say. */
  readonly 'x-error-names'?: readonly string[];
  readonly description: string;
  readonly headers?: ByName<HeaderObject>;
  readonly content?: ByName<MediaTypeObject>;
}

export type HeaderObject = Pick<ParameterObject, 'description' | 'required' | 'schema'>;

export interface MediaTypeObject {
  readonly schema: JsonSchema;
  /** Media types of file parts, and styles of objects in a form, by field. */
  readonly encoding?: ByName<
    { readonly contentType: string } | { readonly style: string; readonly explode: boolean }
  >;
}
