import { type ApiSchema, isFile } from '../branch.ts';
import { FACTS } from '../facts.ts';
import {
  findField,
  findOnlyBranch,
  findOnlyObject,
  findValues,
  isAnything,
  toBranches,
} from '../read-branches.ts';
import {
  findReference,
  follow,
  isOpenApi30,
  recordOf,
  type SchemaJson,
  textOf,
} from '../schema-json.ts';
import type {
  ApiContent,
  ApiHeader,
  ApiLink,
  ApiOperation,
  ApiResponse,
  DocumentedError,
  SharedPart,
} from './api-operation.ts';

/** The parts of a document that its responses need. */
interface ResponseSource extends SharedPart {
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
  const { document, facts, dataField, reference } = source;
  const contents = toApiContents(response, document);
  const kind =
    facts?.answers.find((answer) => String(answer.status) === status)?.kind ??
    findKind(status, contents);
  const [first] = contents;
  return {
    reference,
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
    const reference = findReference(link);
    return { reference, name, target: { operationId, operationRef, parameters, requestBody } };
  });
}

/** The kind of an answer, as far as the document shows it. */
function findKind(status: string, contents: readonly ApiContent[]): ApiResponse['kind'] {
  const [first] = contents;
  if (first === undefined) return status.startsWith('3') && status !== '304' ? 'redirect' : 'none';
  if (first.items !== undefined) return 'stream';
  if (isJson(first.mediaType)) return 'data';
  const only = findOnlyBranch(first.schema);
  return only?.type === 'string' && !isFile(only) ? 'text' : 'bytes';
}

function toHeaders({ headers }: SchemaJson, document: SchemaJson): readonly ApiHeader[] {
  return Object.entries(recordOf(headers)).map(([written, json]) => {
    const header = follow(json, document);
    return {
      reference: findReference(json),
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
  { document, reference }: Pick<ResponseSource, 'document' | 'reference'>,
): readonly DocumentedError[] {
  const contents = toApiContents(response, document);
  const headers = toHeaders(response, document);
  const description = textOf(response['description']);
  const about = {
    reference,
    status,
    description,
    contents,
    headers,
    meta: undefined,
    hasMeta: false,
  };
  const names = response['x-error-names'];
  if (Array.isArray(names)) return names.map((name) => ({ ...about, name: String(name) }));
  const content = findMainContent(contents);
  // Part by part: what the common envelope says of `meta` must not be merged into the `meta` of one error.
  const branches = content === undefined ? [] : toBranches(content.schema);
  const parts = new Set(branches.flatMap((branch) => branch.parts ?? [branch]));
  const named = [...parts].flatMap((part) => {
    if (part.type !== 'object') return [];
    const error = part.fields.get('error');
    const texts = error === undefined ? [] : (findValues(error) ?? []);
    const meta = part.fields.get('meta');
    const hasMeta = meta !== undefined && part.required.has('meta');
    return texts.map((name) => ({ ...about, name: String(name), meta, hasMeta }));
  });
  return named.length === 0 ? [{ ...about, name: undefined }] : named;
}

/** The data of the answer that a capability declares first, or each of its items; undefined where there is none. */
export function findOutput({ facts, responses }: ApiOperation): ApiSchema | undefined {
  const status = String(facts?.answers[0]?.status);
  return responses.find((response) => response.status === status)?.data();
}

export function isJson(mediaType: string): boolean {
  return /[/+]json\b/i.test(mediaType);
}

/** The content that is JSON, else the first one. */
export function findMainContent(contents: readonly ApiContent[]): ApiContent | undefined {
  return contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0];
}

/** The bodies of a request or a response, by media type. */
export function toApiContents(
  { content }: SchemaJson,
  document: SchemaJson,
): readonly ApiContent[] {
  return Object.entries(recordOf(content)).map(([mediaType, media]) => {
    const { schema, encoding, itemSchema } = recordOf(media);
    // A text of JSON in a body of JSON is not a stream.
    const items = itemSchema ?? (isJson(mediaType) ? undefined : recordOf(schema)['contentSchema']);
    return {
      mediaType,
      schema: withFileParts(mediaType, { json: schema ?? {}, root: document }),
      items: items === undefined ? undefined : { json: items, root: document },
      encoding: recordOf(encoding),
    };
  });
}

/**
 * The schema of a body with its files. In documents of others since OpenAPI 3.1 a part of a form that no keyword
 * describes is a file, as `format: binary` was before.
 */
function withFileParts(mediaType: string, schema: ApiSchema): ApiSchema {
  const { json, root } = schema;
  const isForm = /^multipart\//i.test(mediaType);
  if (!isForm || isOpenApi30(root) || recordOf(root)[FACTS] !== undefined) return schema;
  const fields = [...(findOnlyObject(schema)?.fields ?? [])];
  const files = fields.flatMap(([name, field]) => {
    const file = findFile(field);
    return file === undefined ? [] : [[name, file] as const];
  });
  if (files.length === 0) return schema;
  const form = { type: 'object', properties: Object.fromEntries(files) };
  return { json: { allOf: [json, form] }, root };
}

const anyFile = { type: 'string', format: 'binary' };

/** The words for a part that is a file, or a list of files; undefined for another. */
function findFile(part: ApiSchema): object | undefined {
  if (isAnything(part)) return anyFile;
  const only = findOnlyBranch(part);
  const item = only?.type === 'array' ? only.rest : undefined;
  return item !== undefined && isAnything(item) ? { type: 'array', items: anyFile } : undefined;
}

/** The schema of a parameter or a header, also where it stands below a media type. */
export function toParameterSchema({ schema, content }: SchemaJson): unknown {
  return schema ?? recordOf(Object.values(recordOf(content))[0])['schema'] ?? {};
}
