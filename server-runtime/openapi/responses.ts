import type { Content } from '../capability/content.ts';
import type { HeaderObject, MediaTypeObject, ResponseObject } from '../http/document/openapi-document.ts';
import { isOptionalSchema } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';
import { byStatus } from './by-status.ts';
import type { SchemaConverter } from './schema-converter.ts';

/** The schema of what is sent for data of this schema. */
export type ToEnvelope = (data: JsonSchema) => JsonSchema;

/** The parts that the responses of one operation are written with. */
export interface ResponseParts {
  readonly convert: SchemaConverter['convert'];
  readonly toEnvelope: ToEnvelope;
  /** The name of a component that its author gave none. */
  readonly name: string;
}

/** The answers of an operation by status, as they are declared; without a declaration 200 with any data. */
export function toSuccessResponses(
  answers: readonly Content[],
  { convert, toEnvelope, name }: ResponseParts,
): Record<string, ResponseObject> {
  if (answers.length === 0) {
    return byStatus([['200', { description: 'Success', content: { 'application/json': { schema: toEnvelope({}) } } }]]);
  }
  return byStatus(
    answers.map((answer) => {
      const schema = answer.schema && convert({ schema: answer.schema, io: 'output', name });
      const headers = toHeaders(answer, { convert, name });
      const content = toContent(answer, { schema, toEnvelope });
      const response: ResponseObject = {
        description: answer.description ?? toDescription(answer, schema),
        ...(Object.keys(headers).length === 0 ? {} : { headers }),
        ...(Object.keys(content).length === 0 ? {} : { content }),
      };
      return [String(answer.status), response] as const;
    }),
  );
}

function toDescription({ kind, status }: Content, schema: JsonSchema | undefined): string {
  if (kind === 'data' && typeof schema?.['description'] === 'string') return schema['description'];
  switch (kind) {
    case 'data':
      return status === 201 ? 'Created' : status === 202 ? 'Accepted' : 'Success';
    case 'none':
      return 'No content';
    case 'text':
      return 'A text';
    case 'bytes':
      return 'A file';
    case 'stream':
      return 'Items, as server-sent events or one line of JSON each';
    case 'redirect':
      return 'Another place';
  }
}

function toHeaders(
  { kind, headers }: Content,
  { convert, name }: Omit<ResponseParts, 'toEnvelope'>,
): Record<string, HeaderObject> {
  const declared = Object.entries(headers).map(([header, schema]) => {
    const { description, ...json } = convert({ schema, name });
    const required = !isOptionalSchema(schema);
    const about = typeof description === 'string' ? { description } : {};
    return [header, { ...about, ...(required ? { required } : {}), schema: json }] as const;
  });
  if (kind !== 'redirect' || 'location' in headers) return Object.fromEntries(declared);
  const location = { description: 'Where to go.', required: true, schema: { type: 'string', format: 'uri-reference' } };
  return Object.fromEntries([['Location', location], ...declared]);
}

interface ContentSchema {
  readonly schema: JsonSchema | undefined;
  readonly toEnvelope: ToEnvelope;
}

function toContent(
  { kind, contentTypes }: Content,
  { schema = {}, toEnvelope }: ContentSchema,
): Record<string, MediaTypeObject> {
  switch (kind) {
    case 'data':
      return { [toMediaType(contentTypes[0] ?? 'application/json')]: { schema: toEnvelope(schema) } };
    case 'text':
      return ofTypes(contentTypes, { type: 'string' });
    case 'bytes':
      return ofTypes(contentTypes, { type: 'string', format: 'binary' });
    case 'stream':
      return ofTypes(['text/event-stream', 'application/x-ndjson'], {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: schema,
      });
    case 'none':
    case 'redirect':
      return {};
  }
}

function ofTypes(types: readonly string[], schema: JsonSchema): Record<string, MediaTypeObject> {
  return Object.fromEntries(types.map((type) => [toMediaType(type), { schema }]));
}

/** Without parameters: a document names types. */
function toMediaType(type: string): string {
  return type.split(';')[0]?.trim() ?? type;
}
