import { type ApiSchema, isFile } from '../branch.ts';
import { FACTS } from '../facts.ts';
import { findField, findOnlyBranch, findValues } from '../read-branches.ts';
import {
  follow,
  isOpenApi30,
  isSchemaObject,
  listOf,
  recordOf,
  type SchemaJson,
  textOf,
  toTexts,
} from '../schema-json.ts';
import type {
  ApiContent,
  ApiHeader,
  ApiLink,
  ApiOperation,
  ApiResponse,
  DocumentedError,
  FieldEncoding,
} from './api-operation.ts';

/** The parts of a document that its responses need. */
export interface ResponseSource {
  readonly document: SchemaJson;
  readonly facts: ApiOperation['facts'];
  /** The field that holds the data; undefined in documents of others, which say nothing of an envelope. */
  readonly dataField: string | false | undefined;
}

export function toResponse(
  status: string,
  response: SchemaJson,
  source: ResponseSource,
): ApiResponse {
  const { document, facts, dataField } = source;
  const contents = toApiContents(response, document);
  const kind =
    facts?.answers.find((answer) => String(answer.status) === status)?.kind ??
    findKind(status, contents);
  const [first] = contents;
  return {
    status,
    description: textOf(response['description']),
    headers: toHeaders(response, document),
    links: toLinks(response, document),
    contents,
    kind,
    data: () => {
      if (kind === 'stream') return first?.items;
      if (kind !== 'data') return undefined;
      return dataField && first ? findField(first.schema, dataField) : first?.schema;
    },
  };
}

function toLinks({ links }: SchemaJson, document: SchemaJson): readonly ApiLink[] {
  return Object.entries(recordOf(links)).map(([name, link]) => {
    const { operationId, operationRef, parameters, requestBody } = follow(link, document);
    return { name, target: { operationId, operationRef, parameters, requestBody } };
  });
}

/** As far as the document lets see. */
function findKind(status: string, contents: readonly ApiContent[]): ApiResponse['kind'] {
  const [first] = contents;
  if (first === undefined) return status.startsWith('3') && status !== '304' ? 'redirect' : 'none';
  if (first.items !== undefined) return 'stream';
  if (/[/+]json\b/i.test(first.mediaType)) return 'data';
  const only = findOnlyBranch(first.schema);
  return only?.type === 'string' && !isFile(only) ? 'text' : 'bytes';
}

function toHeaders({ headers }: SchemaJson, document: SchemaJson): readonly ApiHeader[] {
  return Object.entries(recordOf(headers)).map(([written, json]) => {
    const header = follow(json, document);
    return {
      name: written.toLowerCase(),
      written,
      isRequired: header['required'] === true,
      description: textOf(header['description']),
      schema: { json: toParameterSchema(header), root: document },
    };
  });
}

/**
 * The errors of a status, one for each name: those of `x-error-names`, else those that the bodies tell apart by their
 * field `error`.
 */
export function toDocumentedErrors(
  status: string,
  response: SchemaJson,
  document: SchemaJson,
): readonly DocumentedError[] {
  const contents = toApiContents(response, document);
  const headers = toHeaders(response, document);
  const description = textOf(response['description']);
  const about = { status, description, contents, headers, meta: undefined, hasMeta: false };
  const names = response['x-error-names'];
  if (Array.isArray(names)) return names.map((name) => ({ ...about, name: String(name) }));
  const content = contents.find(({ mediaType }) => /[/+]json\b/i.test(mediaType)) ?? contents[0];
  // Each part for itself: what an envelope says of any meta adds nothing to that of one error.
  const named = toParts(content?.schema.json, document).flatMap((part) => {
    const { error, meta: json } = recordOf(part['properties']);
    const texts = error === undefined ? [] : (findValues({ json: error, root: document }) ?? []);
    const meta = json === undefined ? undefined : { json, root: document };
    const hasMeta = meta !== undefined && toTexts(part['required']).includes('meta');
    return texts.map((name) => ({ ...about, name: String(name), meta, hasMeta }));
  });
  return named.length === 0 ? [{ ...about, name: undefined }] : named;
}

/** The data of the answer that a capability declares first, or each of its items; undefined where there is none. */
export function findOutput({ facts, responses }: ApiOperation): ApiSchema | undefined {
  const status = String(facts?.answers[0]?.status);
  return responses.find((response) => response.status === status)?.data();
}

/** A schema and those that it consists of, each once: some consist of themselves, and some of one in many ways. */
function toParts(
  json: unknown,
  document: SchemaJson,
  seen = new Set<SchemaJson>(),
): readonly SchemaJson[] {
  const part = follow(json, document);
  if (seen.has(part)) return [];
  seen.add(part);
  const inner = [part['allOf'], part['anyOf'], part['oneOf']].flatMap(listOf);
  return [part, ...inner.flatMap((each) => toParts(each, document, seen))];
}

/** The bodies of a request or a response, by media type. */
export function toApiContents(
  { content }: SchemaJson,
  document: SchemaJson,
): readonly ApiContent[] {
  return Object.entries(recordOf(content)).map(([mediaType, media]) => {
    const { schema, encoding, itemSchema } = recordOf(media);
    const items = itemSchema ?? recordOf(schema)['contentSchema'];
    return {
      mediaType,
      schema: { json: toFileFields(mediaType, schema ?? {}, document), root: document },
      items: items === undefined ? undefined : { json: items, root: document },
      encoding: recordOf(encoding) as Readonly<Record<string, FieldEncoding>>,
    };
  });
}

/**
 * The schema of a form. In documents of others since OpenAPI 3.1 a part that no keyword describes is a file, as
 * `format: binary` was before.
 */
function toFileFields(mediaType: string, schema: unknown, document: SchemaJson): unknown {
  const isForm = /^multipart\//i.test(mediaType);
  if (!isForm || isOpenApi30(document) || document[FACTS] !== undefined) return schema;
  const form = follow(schema, document);
  const parts = Object.entries(recordOf(form['properties']));
  if (!parts.some((part) => isFilePart(part[1]))) return schema;
  const toPart = (part: unknown): unknown => {
    if (!isFilePart(part)) return part;
    return isEmpty(part) ? anyFile : { ...recordOf(part), items: anyFile };
  };
  const properties = parts.map(([name, part]) => [name, toPart(part)] as const);
  return { ...form, properties: Object.fromEntries(properties) };
}

const anyFile = { type: 'string', format: 'binary' };

function isFilePart(part: unknown): boolean {
  return isEmpty(part) || (recordOf(part)['type'] === 'array' && isEmpty(recordOf(part)['items']));
}

/** Whether a schema is there and says nothing but what people read. */
function isEmpty(schema: unknown): boolean {
  return isSchemaObject(schema) && Object.keys(schema).every((word) => word === 'description');
}

/** The schema of a parameter or a header, also where it stands below a media type. */
export function toParameterSchema({ schema, content }: SchemaJson): unknown {
  return schema ?? recordOf(Object.values(recordOf(content))[0])['schema'] ?? {};
}
