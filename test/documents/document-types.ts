/** A schema of a document that an edit may change: the words that edits name, and all others. */
export interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export interface Parameter {
  [keyword: string]: unknown;
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

export interface Content {
  schema?: Schema;
  [keyword: string]: unknown;
}

export interface Body {
  [keyword: string]: unknown;
  required?: boolean;
  content?: Record<string, Content>;
}

export interface Response extends Body {
  headers?: Record<string, { schema?: Schema; required?: boolean }>;
  links?: Record<string, unknown>;
}

export interface Operation {
  [keyword: string]: unknown;
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: Body;
  responses?: Record<string, Response>;
  security?: Record<string, string[]>[];
  callbacks?: Record<string, Record<string, Record<string, Operation>>>;
}

export type PathItem = Record<string, Operation>;

export interface OpenApi {
  [keyword: string]: unknown;
  openapi: string;
  paths?: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components?: Record<string, Record<string, unknown>>;
  security?: Record<string, string[]>[];
  servers?: { url: string }[];
}
