import type { OpenApiDocument, OperationObject, ReferenceObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { toAnchor, toBlock, toCode, toCodeCell, toMarkdown, toTable, toTableCell } from './markdown.ts';
import { toOperationId } from './operation-id.ts';
import { type Field, followSchema, toFields, toLimitWords, toSample, toTypeWords } from './schema-words.ts';
import { toCallSamples } from './to-call-samples.ts';

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
    toAccess(each),
  ]);
  const groups = new Set(operations.map(toGroup));
  const jobs = Object.entries(document['x-jobs'] ?? {});
  return [
    `# ${toMarkdown(title)}`,
    toMarkdown(`Version ${version}.`),
    toMarkdown(description),
    toTable(['Operation', 'Route', 'Access'], rows),
    ...[...groups].flatMap((group) => [
      `## ${group === '' ? 'Other' : toMarkdown(group)}`,
      toMarkdown(document.tags?.find(({ name }) => name === group)?.description ?? ''),
      ...operations.filter((each) => toGroup(each) === group).flatMap((each) => toOperation(each, document)),
    ]),
    jobs.length === 0 ? '' : '## Jobs',
    ...jobs.flatMap(([key, job]) => [
      `### ${toMarkdown(`${key} as a job`)}`,
      toCode(`enqueue('${key}', …)`),
      toMarkdown(job.description ?? ''),
      toFieldTable(toFields(followSchema(job.input ?? {}, schemas))),
    ]),
    '## Types',
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      `### ${toMarkdown(name)}`,
      toMarkdown(typeof schema['description'] === 'string' ? schema['description'] : ''),
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

function toAccess({ declared, operation: { security } }: PlacedOperation): string {
  const guards = declared?.definition.guards.map(({ name }) => name) ?? security.flatMap(Object.keys);
  return guards.length === 0 ? 'public' : guards.map(toCodeCell).join(', ');
}

function toOperation(placed: PlacedOperation, document: OpenApiDocument): readonly string[] {
  const { key, operation } = placed;
  const { summary, description = summary, deprecated, parameters = [], requestBody, responses } = operation;
  const { schemas } = document.components;
  const inHead = parameters.map(({ name, in: place, schema, description: text, required = false }) =>
    toFieldRow({ name, schema: { ...schema, ...(text && { description: text }) }, isRequired: required }, place),
  );
  // The fields of a body or form, or the whole of it where it has none.
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  const whole = media && { name: '', schema: media.schema, isRequired: requestBody?.required === true };
  const fields = toFields(followSchema(media?.schema ?? {}, schemas));
  const inBody = fields.length === 0 && whole ? [whole] : fields;
  const place = type === 'multipart/form-data' ? 'form' : 'body';
  const found = Object.entries(responses).map(
    ([status, response]) => [status, toFollowed(response, document)] as const,
  );
  const isError = ([status]: readonly [string, ResponseObject]): boolean => Number(status) >= 400;
  return [
    `### ${toMarkdown(key)}`,
    toCode(toRoute(placed)),
    toMarkdown(description),
    deprecated === true ? '**Deprecated.**' : '',
    ...toCallSamples(placed, document),
    toTable(
      ['Field', 'In', 'Type', 'Required', 'Description'],
      [...inHead, ...inBody.map((field) => toFieldRow(field, place))],
    ),
    ...found.filter((each) => !isError(each)).flatMap((each) => toResponseParts(each, document)),
    toTable(
      ['Status', 'Error', 'When', 'Carries'],
      found.filter(isError).flatMap((each) => toErrorRows(each, placed, schemas)),
    ),
  ];
}

function toFollowed(response: ResponseObject | ReferenceObject, { components }: OpenApiDocument): ResponseObject {
  if (!('$ref' in response)) return response;
  return components.responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)] ?? { description: '' };
}

function toFieldTable(fields: readonly Field[]): string {
  return toTable(
    ['Field', 'Type', 'Required', 'Description'],
    fields.map((field) => toFieldRow(field)),
  );
}

/** The description, limits, default and an example stand in the last cell. */
function toFieldRow({ name, schema, isRequired }: Field, ...place: readonly string[]): readonly string[] {
  const { description = '', default: fallback, examples } = schema;
  const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  const limits = toLimitWords(schema)
    .map((limit) => limit.replace(/^(matches )(.*)$/s, (_, word, pattern: string) => `${word}${toCodeCell(pattern)}`))
    .join(', ');
  const remarks = [
    toTableCell(String(description)).replace(/[^.!?:;]$/, '$&.'),
    limits && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`,
    fallback === undefined ? '' : `Default ${toCodeCell(JSON.stringify(fallback))}.`,
    example === undefined ? '' : `Example ${toCodeCell(JSON.stringify(example))}.`,
  ];
  const last = remarks.filter((remark) => remark !== '').join(' ');
  return [toCodeCell(name), ...place, toCodeCell(toTypeWords(schema)), isRequired ? 'yes' : 'no', last];
}

/** A response, with an example of it. */
function toResponseParts(
  [status, response]: readonly [string, ResponseObject],
  { components: { schemas } }: OpenApiDocument,
): readonly string[] {
  const [[type, media] = []] = Object.entries(response.content ?? {});
  const names = Object.keys(response.headers ?? {}).map(toCode);
  const headers = names.length === 0 ? '' : `, and the ${names.length > 1 ? 'headers' : 'header'} ${names.join(', ')}`;
  if (media === undefined || type === undefined)
    return [`Responds ${status} with ${Number(status) >= 300 ? 'a redirect' : 'no content'}${headers}.`];
  const { schema } = media;
  const item = schema['contentSchema'] as JsonSchema | undefined;
  const data = item ?? (/[/+]json\b/.test(type) ? toData(schema) : undefined);
  const what = `${item === undefined ? '' : 'items of '}${toCode(data === undefined ? type : toTypeWords(data))}`;
  const isKnown = data !== undefined && toSample(data, schemas) !== undefined;
  return [
    `Responds ${status} with ${what}${headers}.`,
    isKnown ? toBlock(JSON.stringify(toSample(item ?? schema, schemas), undefined, 2), 'json') : '',
    toFieldTable(toFields(data ?? {})),
  ];
}

/** The schema of the data out of the usual envelope, or the whole of another. */
function toData(schema: JsonSchema): JsonSchema {
  const { data, ...others } = Object(schema['properties']) as Readonly<Record<string, JsonSchema>>;
  return data === undefined || Object.keys(others).length > 0 ? schema : data;
}

/** The errors of a status by their names: when each is thrown, as far as it is declared, and what its `meta` has. */
function toErrorRows(
  [status, response]: readonly [string, ResponseObject],
  { declared }: PlacedOperation,
  schemas: OpenApiDocument['components']['schemas'],
): readonly (readonly string[])[] {
  const { description, content = {}, 'x-error-names': names } = response;
  const metas = new Map(toNamedMetas(Object.values(content)[0]?.schema ?? {}));
  return (names ?? [...metas.keys()]).map((name) => {
    const carried = toFields(followSchema(metas.get(name) ?? {}, schemas))
      .filter(({ name: field }) => !field.includes('.'))
      .map(({ name: field, schema }) => toCodeCell(`${field}: ${toTypeWords(schema)}`));
    const when = declared === undefined ? [] : toThrowers(declared, `${status} ${name}`);
    return [
      status,
      toCodeCell(name),
      when.join(', ') || (standing[name] ?? toTableCell(description)),
      carried.join(', '),
    ];
  });
}

/** When the framework itself responds with an error. */
const standing: Readonly<Record<string, string>> = {
  BadRequest: 'the input does not fit',
  Unprocessable: 'the input does not fit',
  Forbidden: 'the form comes from a page of another site',
  PayloadTooLarge: 'the body is too large',
  UnsupportedMediaType: 'the body is of another type',
  Internal: 'the handler fails',
  Timeout: 'the handler takes too long',
};

function toThrowers({ definition }: Operation, wanted: string): readonly string[] {
  const { guards, inputGuards, enhancers, errors } = definition;
  const isAmong = (all: Operation['definition']['errors']): boolean =>
    all.some(({ status, errorName }) => `${status} ${errorName}` === wanted);
  const isRefusal = wanted === '401 Unauthorized' || wanted === '403 Forbidden';
  return [
    ...[...guards, ...inputGuards]
      .filter((guard) => isAmong(guard.errors) || (guard.errors.length === 0 && isRefusal))
      .map((guard) => `the guard ${toCodeCell(guard.name)} refuses`),
    ...enhancers.filter((each) => isAmong(each.errors)).map((each) => `${toCodeCell(each.name)} refuses`),
    ...(isAmong(errors) ? ['the handler throws it'] : []),
  ];
}

function toNamedMetas(schema: JsonSchema): readonly (readonly [string, JsonSchema | undefined])[] {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => (schema[word] ?? []) as readonly JsonSchema[]);
  const { error, meta } = Object(schema['properties']) as Readonly<Record<string, JsonSchema>>;
  const names = (error?.['enum'] ?? []) as readonly string[];
  return [...names.map((name) => [name, meta] as const), ...parts.flatMap((part) => toNamedMetas(part))];
}
