import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
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
  const groups = toGroups(operations);
  const parts = [
    `# ${toMarkdown(title)}`,
    toMarkdown(`Version ${version}.`),
    toMarkdown(description),
    toTable(
      ['Operation', 'Route', 'Access'],
      operations.map((each) => [
        `[${each.key}](#${toAnchor(each.key)})${each.operation.deprecated === true ? ' (deprecated)' : ''}`,
        toCodeCell(toRoute(each)),
        toAccess(each, toCodeCell),
      ]),
    ),
    ...[...groups].flatMap(([group, members]) => [
      `## ${group === '' ? 'Other' : toMarkdown(group)}`,
      toMarkdown(document.tags?.find(({ name }) => name === group)?.description ?? ''),
      ...members.flatMap((each) => toOperation(each, document)),
    ]),
    ...toJobs(document),
    ...toTypes(document),
  ];
  return parts.filter((part) => part !== '');
}

function toGroups(operations: readonly PlacedOperation[]): ReadonlyMap<string, readonly PlacedOperation[]> {
  const groups = new Map<string, PlacedOperation[]>();
  for (const each of operations) {
    const group = each.operation.tags?.[0] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return groups;
}

/** `GET /users/:id`, `PUT /files/*path`: a parameter with a star takes the rest of the path. */
function toRoute({ method, template, operation: { parameters = [] } }: PlacedOperation): string {
  const isRest = (name: string): boolean =>
    parameters.some((each) => each.name === name && each['x-wildcard'] === true);
  return `${method} ${template.replace(/\{(.+?)\}/g, (_, name: string) => `${isRest(name) ? '*' : ':'}${name}`)}`;
}

function toAccess({ declared, operation: { security } }: PlacedOperation, write: (name: string) => string): string {
  const guards = declared?.definition.guards.map(({ name }) => name) ?? security.flatMap(Object.keys);
  return guards.length === 0 ? 'public' : guards.map(write).join(', ');
}

/** The resources and the prompt that an operation is for agents; nothing where it is none. */
function toOffers({ key, declared }: PlacedOperation): string {
  const { resources = [], prompt } = declared?.definition.offers ?? {};
  const offers = resources.map(({ uri }) => `the resource ${toCode(uri)}`);
  if (prompt !== undefined) offers.push(`the prompt ${toCode(prompt.name ?? key.replaceAll('.', '_'))}`);
  return offers.length === 0 ? '' : `For AI agents it is ${offers.join(' and ')}, too.`;
}

function toOperation(placed: PlacedOperation, document: OpenApiDocument): readonly string[] {
  const { key, declared, operation } = placed;
  const { summary, description = summary, deprecated, parameters = [], requestBody, responses } = operation;
  const found = Object.entries(responses).map(
    ([status, response]) => [status, toResponse(response, document)] as const,
  );
  return [
    `### ${toMarkdown(key)}`,
    toCode(toRoute(placed)),
    toMarkdown(description),
    deprecated === true ? '**Deprecated.**' : '',
    declared?.definition.guards.length ? `Guarded by ${toAccess(placed, toCode)}.` : '',
    toOffers(placed),
    ...toCallSamples(placed, document),
    toTable(
      ['Field', 'In', 'Type', 'Required', 'Description'],
      [
        ...parameters.flatMap((each) => toParameterFields(each).map((field) => toInputRow(field, each.in))),
        ...toBodyRows(requestBody, document),
      ],
    ),
    ...found.flatMap(([status, response]) => (Number(status) < 400 ? toResponseParts(status, response, document) : [])),
    toTable(
      ['Status', 'Error', 'When', 'Carries'],
      found.flatMap(([status, response]) =>
        Number(status) < 400 ? [] : toErrorRows(status, response, { document, declared }),
      ),
    ),
  ];
}

function toParameterFields({ name, schema, description, required = false }: ParameterObject): readonly Field[] {
  const told = description === undefined ? schema : { ...schema, description };
  return toFields({ type: 'object', properties: { [name]: told }, required: required ? [name] : [] });
}

/** The fields of a body or form, or the whole of it where it has none. */
function toBodyRows(body: RequestBodyObject | undefined, document: OpenApiDocument): readonly (readonly string[])[] {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (media === undefined) return [];
  const place = type === 'multipart/form-data' ? 'form' : 'body';
  const fields = toFields(followSchema(media.schema, document.components.schemas));
  if (fields.length > 0) return fields.map((field) => toInputRow(field, place));
  return [['', place, toCodeCell(toTypeWords(media.schema)), body?.required === true ? 'yes' : 'no', '']];
}

function toInputRow({ name, schema, isRequired }: Field, ...place: readonly string[]): readonly string[] {
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
  const remarks = [
    limits && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`,
    fallback === undefined ? '' : `Default ${toCodeCell(JSON.stringify(fallback))}.`,
    example === undefined ? '' : `Example ${toCodeCell(JSON.stringify(example))}.`,
  ].filter((remark) => remark !== '');
  const told = typeof description === 'string' ? description.trim() : '';
  const stop = told !== '' && remarks.length > 0 && !/[.!?:;]$/.test(told) ? '.' : '';
  return [...(told === '' ? [] : [toTableCell(told) + stop]), ...remarks].join(' ');
}

/** The fields of what is sent; nothing where it has none. */
function toFieldTable(schema: JsonSchema): string {
  return toTable(
    ['Field', 'Type', 'Present', 'Description'],
    toFields(schema).map(({ name, schema: field, isRequired }) => [
      toCodeCell(name),
      toCodeCell(toTypeWords(field)),
      isRequired ? 'always' : 'sometimes',
      toRemarks(field),
    ]),
  );
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
  const words = data === undefined ? type : toTypeWords(data);
  const isKnown = data !== undefined && toSample(data, components.schemas) !== undefined;
  const sample = isKnown ? toSample(item ?? schema, components.schemas) : undefined;
  return [
    `Responds ${status} with ${item === undefined ? '' : 'items of '}${toCode(words)}${headers}.`,
    sample === undefined ? '' : toBlock(JSON.stringify(sample, undefined, 2), 'json'),
    toFieldTable(data ?? {}),
  ];
}

/** The schema of the data out of the usual envelope, or the whole of another. */
function toData(schema: JsonSchema): JsonSchema {
  const properties = Object(schema['properties']) as Readonly<Record<string, JsonSchema>>;
  return Object.keys(properties).length === 1 && properties['data'] !== undefined ? properties['data'] : schema;
}

function toTypes({ components: { schemas } }: OpenApiDocument): readonly string[] {
  const types = Object.entries(schemas).flatMap(([name, schema]) => [
    `### ${toMarkdown(name)}`,
    toMarkdown(typeof schema['description'] === 'string' ? schema['description'] : ''),
    toFieldTable(schema) || toCode(toTypeWords(schema)),
  ]);
  return types.length === 0 ? [] : ['## Types', ...types];
}

/** The capabilities that a queue runs. */
function toJobs(document: OpenApiDocument): readonly string[] {
  const jobs = Object.entries(document['x-jobs'] ?? {});
  if (jobs.length === 0) return [];
  return [
    '## Jobs',
    'A queue runs these, within the server: they are added by code, and not called over HTTP.',
    ...jobs.flatMap(([key, { description = '', input, maxJobs, attempts, backoffMs, rate, repeat }]) => {
      const fields = input === undefined ? [] : toFields(followSchema(input, document.components.schemas));
      const runs = `Runs ${maxJobs} at once in each process, in ${attempts} attempts, ${backoffMs} ms apart at first`;
      const often = rate === undefined ? '' : `, at most ${rate.limit} in ${rate.windowMs} ms`;
      const zone = repeat?.timezone === undefined ? '' : ` in ${repeat.timezone}`;
      const when = repeat === undefined ? '' : `, repeated at ${toCode(repeat.cron)}${zone}`;
      return [
        `### ${toMarkdown(`${key} as a job`)}`,
        toCode(`enqueue('${key}', …)`),
        toMarkdown(description),
        `${runs}${often}${when}.`,
        toTable(
          ['Field', 'Type', 'Required', 'Description'],
          fields.map((field) => toInputRow(field)),
        ),
      ];
    }),
  ];
}
