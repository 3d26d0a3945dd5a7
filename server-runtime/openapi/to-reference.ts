import type {
  OpenApiDocument,
  OperationObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
} from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { toAnchor, toBlock, toCode, toCodeCell, toMarkdown, toTable, toTableCell } from './markdown.ts';
import { toOperationId } from './operation-id.ts';
import { type Field, followSchema, toFields, toLimitWords, toSample, toTypeWords } from './schema-words.ts';
import { toCallSamples } from './to-call-samples.ts';
import { toErrorRows } from './to-error-rows.ts';

/** An operation at its place. */
export interface PlacedOperation {
  /** `users.getUser` */
  readonly key: string;
  /** As it was declared; undefined where the document was edited. */
  readonly declared: Operation | undefined;
  readonly method: string;
  /** `/users/{id}` */
  readonly template: string;
  readonly operation: OperationObject;
}

/** The parts of the page of an API, as Markdown: the operations by group, the jobs, and the types that they share. */
export function toReference(document: OpenApiDocument, registry: readonly Operation[]): readonly string[] {
  const declaredAt = new Map(registry.map((operation) => [toOperationId(operation.key), operation]));
  const operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]): PlacedOperation => {
      const declared = declaredAt.get(operation.operationId);
      const key = declared?.key ?? operation.operationId;
      return { key, declared, method: method.toUpperCase(), template, operation };
    }),
  );
  const { title, version, description = '' } = document.info;
  const { schemas } = document.components;
  const rows = operations.map((each) => [
    `[${each.key}](#${toAnchor(each.key)})${each.operation.deprecated === true ? ' (deprecated)' : ''}`,
    toCodeCell(toRoute(each)),
    toAccess(each, toCodeCell),
  ]);
  return [
    `# ${toMarkdown(title)}`,
    toMarkdown(`Version ${version}.`),
    toMarkdown(description),
    toTable(['Operation', 'Route', 'Access'], rows),
    ...[...new Set(operations.map(toGroup))].flatMap((group) => [
      `## ${group === '' ? 'Other' : toMarkdown(group)}`,
      toMarkdown(document.tags?.find(({ name }) => name === group)?.description ?? ''),
      ...operations.filter((each) => toGroup(each) === group).flatMap((each) => toOperation(each, document)),
    ]),
    ...toJobs(document),
    '## Types',
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      `### ${toMarkdown(name)}`,
      toMarkdown(toText(schema['description'])),
      toFieldTable(toFields(schema)) || toCode(toTypeWords(schema)),
    ]),
  ].filter((part) => part !== '');
}

function toGroup({ operation }: PlacedOperation): string {
  return operation.tags?.[0] ?? '';
}

/** `GET /users/:id`, `PUT /files/*path`: a parameter with a star takes the rest of the path. */
function toRoute({ method, template, operation: { parameters = [] } }: PlacedOperation): string {
  const rest = parameters.find((each) => each['x-wildcard'] === true)?.name;
  return `${method} ${template.replace(/\{(.+?)\}/g, (_, name: string) => `${name === rest ? '*' : ':'}${name}`)}`;
}

function toAccess({ declared, operation: { security } }: PlacedOperation, write: (name: string) => string): string {
  const guards = declared?.definition.guards.map(({ name }) => name) ?? security.flatMap(Object.keys);
  return guards.length === 0 ? 'public' : guards.map(write).join(', ');
}

function toOperation(placed: PlacedOperation, document: OpenApiDocument): readonly string[] {
  const { key, declared, operation } = placed;
  const { summary, description = summary, deprecated, parameters = [], requestBody, responses } = operation;
  const found = Object.entries(responses).map(
    ([status, response]) => [status, toResponse(response, document)] as const,
  );
  const inHead = parameters.map(({ name, in: place, schema, description: text, required = false }) =>
    toFieldRow(
      { name, schema: text === undefined ? schema : { ...schema, description: text }, isRequired: required },
      place,
    ),
  );
  return [
    `### ${toMarkdown(key)}`,
    toCode(toRoute(placed)),
    toMarkdown(description),
    deprecated === true ? '**Deprecated.**' : '',
    declared?.definition.guards.length ? `Guarded by ${toAccess(placed, toCode)}.` : '',
    ...toCallSamples(placed, document),
    toTable(['Field', 'In', 'Type', 'Required', 'Description'], [...inHead, ...toBodyRows(requestBody, document)]),
    ...found.flatMap(([status, response]) => (isError(status) ? [] : toResponseParts(status, response, document))),
    toTable(
      ['Status', 'Error', 'When', 'Carries'],
      found.flatMap(([status, response]) =>
        isError(status) ? toErrorRows(status, response, { document, declared }) : [],
      ),
    ),
  ];
}

function isError(status: string): boolean {
  return Number(status) >= 400;
}

/** The fields of a body or form, or the whole of it where it has none. */
function toBodyRows(body: RequestBodyObject | undefined, document: OpenApiDocument): readonly (readonly string[])[] {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (media === undefined) return [];
  const fields = toFields(followSchema(media.schema, document.components.schemas));
  const whole = { name: '', schema: media.schema, isRequired: body?.required === true };
  const place = type === 'multipart/form-data' ? 'form' : 'body';
  return (fields.length === 0 ? [whole] : fields).map((field) => toFieldRow(field, place));
}

function toFieldTable(fields: readonly Field[]): string {
  return toTable(
    ['Field', 'Type', 'Required', 'Description'],
    fields.map((field) => toFieldRow(field)),
  );
}

function toFieldRow({ name, schema, isRequired }: Field, ...place: readonly string[]): readonly string[] {
  return [toCodeCell(name), ...place, toCodeCell(toTypeWords(schema)), isRequired ? 'yes' : 'no', toRemarks(schema)];
}

/** The description, limits, default and an example, in a cell. */
function toRemarks(schema: JsonSchema): string {
  const { description, default: fallback, examples } = schema;
  const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  const limits = toLimitWords(schema)
    .map((limit) =>
      limit.replace(/^(matches )(.*)$/s, (_, word: string, pattern: string) => word + toCodeCell(pattern)),
    )
    .join(', ');
  const text = toTableCell(toText(description));
  return [
    /[^.!?:;]$/.test(text) ? `${text}.` : text,
    limits && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`,
    fallback === undefined ? '' : `Default ${toCodeCell(JSON.stringify(fallback))}.`,
    example === undefined ? '' : `Example ${toCodeCell(JSON.stringify(example))}.`,
  ]
    .filter((remark) => remark !== '')
    .join(' ');
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toResponse(response: ResponseObject | ReferenceObject, { components }: OpenApiDocument): ResponseObject {
  if (!('$ref' in response)) return response;
  return components.responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)] ?? { description: '' };
}

/** A response, with an example of it. */
function toResponseParts(status: string, response: ResponseObject, { components }: OpenApiDocument): readonly string[] {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  const names = Object.keys(response.headers ?? {}).map(toCode);
  const headers = names.length === 0 ? '' : `, and the ${names.length > 1 ? 'headers' : 'header'} ${names.join(', ')}`;
  if (media === undefined || type === undefined)
    return [`Responds ${status} with ${Number(status) >= 300 ? 'a redirect' : 'no content'}${headers}.`];
  const { schema } = media;
  const item = schema['contentSchema'] as JsonSchema | undefined;
  const data = item ?? (/[/+]json\b/.test(type) ? toData(schema) : undefined);
  const what = `${item === undefined ? '' : 'items of '}${toCode(data === undefined ? type : toTypeWords(data))}`;
  const isKnown = data !== undefined && toSample(data, components.schemas) !== undefined;
  const sample = isKnown ? toSample(item ?? schema, components.schemas) : undefined;
  return [
    `Responds ${status} with ${what}${headers}.`,
    sample === undefined ? '' : toBlock(JSON.stringify(sample, undefined, 2), 'json'),
    toFieldTable(toFields(data ?? {})),
  ];
}

/** The schema of the data out of the usual envelope, or the whole of another. */
function toData(schema: JsonSchema): JsonSchema {
  const { data, ...others } = Object(schema['properties']) as Readonly<Record<string, JsonSchema>>;
  return data === undefined || Object.keys(others).length > 0 ? schema : data;
}

/** The capabilities that a queue runs. */
function toJobs(document: OpenApiDocument): readonly string[] {
  const jobs = Object.entries(document['x-jobs'] ?? {}).flatMap(([key, { description = '', input = {} }]) => [
    `### ${toMarkdown(`${key} as a job`)}`,
    toCode(`enqueue('${key}', …)`),
    toMarkdown(description),
    toFieldTable(toFields(followSchema(input, document.components.schemas))),
  ]);
  if (jobs.length === 0) return [];
  const about = 'A queue runs these, within the server: they are added by code, and not called over HTTP.';
  return ['## Jobs', about, ...jobs];
}
