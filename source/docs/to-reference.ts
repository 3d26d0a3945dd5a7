import type { ErrorFactory } from '../../server-runtime/errors/define-error.ts';
import type {
  OpenApiDocument,
  ResponseObject,
} from '../../server-runtime/openapi/openapi-document.ts';
import { toOperationId, toPascal } from '../../server-runtime/openapi/operation-id.ts';
import { findRefusals, type Refusal } from '../../server-runtime/openapi/responses.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { toSampleValue } from '../document/schema-fields.ts';
import {
  type DeclaredField,
  follow,
  recordOf,
  type SchemaJson,
  toDeclaredFields,
  withoutNull,
} from '../document/schema-json.ts';
import { toConstraints, toTypeText } from '../document/type-text.ts';
import {
  toAnchor,
  toBlock,
  toCode,
  toCodeCell,
  toMarkdown,
  toTable,
  toTableCell,
} from './markdown.ts';
import { type PlacedOperation, toCallSamples } from './to-call-samples.ts';

/** The parts of the page of an API, as Markdown: the operations by group, the jobs, and the types that they share. */
export function toReference(
  document: OpenApiDocument,
  registry: readonly Operation[],
): readonly string[] {
  const declaredAt = new Map(
    registry.map((operation) => [toOperationId(operation.key), operation]),
  );
  const operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]): PlacedOperation => {
      const declared = declaredAt.get(operation.operationId);
      const rest = operation.parameters?.find((each) => each['x-wildcard'] === true)?.name;
      const toStep = (_: string, name: string): string => `${name === rest ? '*' : ':'}${name}`;
      const path = template.replace(/\{(.+?)\}/g, toStep);
      const key = declared?.key ?? operation.operationId;
      return { document, key, declared, method: method.toUpperCase(), path, operation };
    }),
  );
  const { title, version, description = '' } = document.info;
  const rows = operations.map(({ key, declared, method, path, operation }) => {
    const guards =
      declared?.definition.guards.map(({ name }) => name) ??
      operation.security.flatMap(Object.keys);
    const mark = operation.deprecated === true ? ' (deprecated)' : '';
    const access = guards.map(toCodeCell).join(', ') || 'public';
    return [`[${key}](#${toAnchor(key)})${mark}`, toCodeCell(`${method} ${path}`), access];
  });
  const toGroup = ({ operation }: PlacedOperation): string => operation.tags?.[0] ?? '';
  const jobs = Object.entries(document['x-jobs'] ?? {});
  return [
    `# ${toMarkdown(title)}`,
    toMarkdown(`Version ${version}.`),
    toMarkdown(description),
    toTable(['Operation', 'Route', 'Access'], rows),
    ...[...new Set(operations.map(toGroup))].flatMap((group) => [
      `## ${toMarkdown(group) || 'Other'}`,
      toMarkdown(document.tags?.find(({ name }) => name === group)?.description ?? ''),
      ...operations.filter((each) => toGroup(each) === group).flatMap(toOperation),
    ]),
    jobs.length === 0 ? '' : '## Jobs',
    ...jobs.flatMap(([key, job]) => [
      `### ${toMarkdown(`${key} as a job`)}`,
      toCode(`enqueue('${key}', …)`),
      toMarkdown(job.description ?? ''),
      toFieldTable(toFields(follow(job.input, recordOf(document)))),
    ]),
    '## Types',
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [
      `### ${toMarkdown(name)}`,
      toMarkdown((schema['description'] as string | undefined) ?? ''),
      toFieldTable(toFields(schema)) || toCode(toTypeText({ json: schema })),
    ]),
  ].filter((part) => part !== '');
}

function toOperation(placed: PlacedOperation): readonly string[] {
  const { document, key, method, path, operation } = placed;
  const {
    summary,
    description = summary,
    deprecated,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const root = recordOf(document);
  const inHead = parameters.map(
    ({ name, in: place, schema, description: text, required = false }) =>
      toFieldRow(
        { name, schema: { ...schema, ...(text && { description: text }) }, isRequired: required },
        place,
      ),
  );
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  const whole = media && {
    name: '',
    schema: media.schema,
    isRequired: requestBody?.required === true,
  };
  const fields = toFields(follow(media?.schema, root));
  const inBody = (fields.length === 0 && whole ? [whole] : fields).map((field) =>
    toFieldRow(field, type === 'multipart/form-data' ? 'form' : 'body'),
  );
  const found = Object.entries(responses).map(([status, each]) => {
    return [status, follow(each, root) as Partial<ResponseObject>] as const;
  });
  const good = found.filter(([status]) => Number(status) < 400);
  const bad = found.filter((each) => !good.includes(each));
  return [
    `### ${toMarkdown(key)}`,
    toCode(`${method} ${path}`),
    toMarkdown(description),
    deprecated === true ? '**Deprecated.**' : '',
    ...toCallSamples(placed),
    toTable(['Field', 'In', 'Type', 'Required', 'Description'], [...inHead, ...inBody]),
    ...good.flatMap(([status, response]) => toResponseParts(status, response, document)),
    toTable(
      ['Status', 'Error', 'When', 'Carries'],
      bad.flatMap(([status, response]) => toErrorRows(status, response, placed)),
    ),
  ];
}

/** The fields of an object, each followed by those inside it; those of a component stand under its name. */
function toFields(schema: SchemaJson, way = ''): readonly DeclaredField[] {
  return toDeclaredFields(schema).flatMap((field) => {
    const name = way + field.name;
    let [step, inner] = ['', withoutNull(field.schema)];
    for (; inner['type'] === 'array'; step += '[]') inner = withoutNull(recordOf(inner['items']));
    return [{ ...field, name }, ...toFields(inner, `${name}${step}.`)];
  });
}

function toFieldTable(fields: readonly DeclaredField[]): string {
  return toTable(
    ['Field', 'Type', 'Required', 'Description'],
    fields.map((field) => toFieldRow(field)),
  );
}

/** The description, limits, default and an example stand in the last cell. */
function toFieldRow(
  { name, schema, isRequired }: DeclaredField,
  ...place: readonly string[]
): readonly string[] {
  const { description = '', default: fallback, examples } = schema;
  const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  const limits = toConstraints({ json: schema })
    .map((limit) =>
      limit.replace(
        /^(matches )(.*)$/s,
        (_, word, pattern: string) => `${word}${toCodeCell(pattern)}`,
      ),
    )
    .join(', ');
  const remarks = [
    toTableCell(String(description)).replace(/[^.!?:;]$/, '$&.'),
    limits && `${toPascal(limits)}.`,
    fallback === undefined ? '' : `Default ${toCodeCell(JSON.stringify(fallback))}.`,
    example === undefined ? '' : `Example ${toCodeCell(JSON.stringify(example))}.`,
  ];
  const last = remarks.filter(Boolean).join(' ');
  return [
    toCodeCell(name),
    ...place,
    toCodeCell(toTypeText({ json: schema })),
    isRequired ? 'yes' : 'no',
    last,
  ];
}

/** A response, with its headers and an example. */
function toResponseParts(
  status: string,
  { description = '', headers = {}, content = {} }: Partial<ResponseObject>,
  root: OpenApiDocument,
): readonly string[] {
  const names = Object.keys(headers).map(toCode).join(', ');
  const sent = names && ` Headers: ${names}.`;
  const first = Object.entries(content)[0];
  if (first === undefined)
    return [`Responds ${status}: ${toMarkdown(description).replace(/\.$/, '')}.${sent}`];
  const [type, { schema }] = first;
  const item = schema['contentSchema'] as SchemaJson | undefined;
  const data = item ?? (/[/+]json\b/.test(type) ? findData(schema) : undefined);
  if (data === undefined) return [`Responds ${status} with ${toCode(type)}.${sent}`];
  const what = toCode(toTypeText({ json: data }));
  const isKnown = toSampleValue({ json: data, root }) !== undefined;
  return [
    `Responds ${status} with ${item === undefined ? '' : 'items of '}${what}.${sent}`,
    isKnown ? toSampleBlock(item ?? schema, root) : '',
    toFieldTable(toFields(data)),
  ];
}

function toSampleBlock(json: SchemaJson, root: OpenApiDocument): string {
  return toBlock(JSON.stringify(toSampleValue({ json, root }), undefined, 2), 'json');
}

/** The schema of the data in the usual envelope, or the whole of another. */
function findData(schema: SchemaJson): SchemaJson {
  const { data, ...others } = Object(schema['properties']) as Readonly<Record<string, SchemaJson>>;
  return data === undefined || Object.keys(others).length > 0 ? schema : data;
}

/** The errors of a status by their names: when each is thrown, as far as it is declared, and what its `meta` has. */
function toErrorRows(
  status: string,
  { description = '', content = {}, 'x-error-names': names }: Partial<ResponseObject>,
  { document, declared, method, operation }: PlacedOperation,
): readonly (readonly string[])[] {
  const metas = new Map(toNamedMetas(Object.values(content)[0]?.schema ?? {}));
  const refusals = declared === undefined ? [] : findRefusals(declared, method, operation);
  return (names ?? [...metas.keys()]).map((name) => {
    const carried = toFields(follow(metas.get(name), recordOf(document)))
      .filter(({ name: field }) => !field.includes('.'))
      .map(({ name: field, schema }) => toCodeCell(`${field}: ${toTypeText({ json: schema })}`));
    const isIt = (error: ErrorFactory): boolean =>
      `${error.status}` === status && error.errorName === name;
    const when = refusals.filter(({ errors }) => errors.some(isIt)).map(toWhen);
    return [
      status,
      toCodeCell(name),
      when.join(', ') || toTableCell(description),
      carried.join(', '),
    ];
  });
}

/** When a step refuses a call: ``the guard `mustBeUser` refuses``. */
function toWhen({ step, name = '' }: Refusal): string {
  return whenWords[step].replace('{name}', () => toCodeCell(name));
}

const whenWords: Readonly<Record<Refusal['step'], string>> = {
  input: 'the input does not fit',
  guard: 'the guard {name} refuses',
  size: 'the body is too large',
  type: 'the body is of another type',
  form: 'the form comes from a page of another site',
  enhancer: '{name} refuses',
  handler: 'the handler throws it',
  failure: 'the handler fails',
  timeout: 'the handler takes too long',
};

function toNamedMetas(schema: SchemaJson): readonly (readonly [string, SchemaJson | undefined])[] {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap(
    (word) => (schema[word] ?? []) as readonly SchemaJson[],
  );
  const { error, meta } = Object(schema['properties']) as Readonly<Record<string, SchemaJson>>;
  const names = (error?.['enum'] ?? []) as readonly string[];
  return [...names.map((name) => [name, meta] as const), ...parts.flatMap(toNamedMetas)];
}
