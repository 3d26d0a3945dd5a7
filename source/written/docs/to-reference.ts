import type { ErrorFactory } from '../../../server-runtime/errors/define-error.ts';
import { findRefusals, type Refusal } from '../../../server-runtime/openapi/error-responses.ts';
import type {
  OpenApiDocument,
  OperationObject,
} from '../../../server-runtime/openapi/openapi-document.ts';
import { toOperationId } from '../../../server-runtime/openapi/operation-id.ts';
import type { Operation } from '../../../server-runtime/registry/compile-registry.ts';
import { toPascal } from '../../../server-runtime/routing/infer-route.ts';
import type { ApiSchema, NamedSchema } from '../../document/branch.ts';
import { toConstraints } from '../../document/constraints.ts';
import type {
  ApiOperation,
  ApiResponse,
  DocumentedError,
} from '../../document/operations/api-operation.ts';
import { readJobs, readOperations } from '../../document/operations/read-operations.ts';
import { isJson } from '../../document/operations/to-response.ts';
import { findNote, findOnlyBranch, findOnlyObject } from '../../document/read-branches.ts';
import { toSampleValue } from '../../document/samples/sample-value.ts';
import { toDefaultText, toDescription } from '../../document/schema-fields.ts';
import { listOf, recordOf, textOf } from '../../document/schema-json.ts';
import { toTypeText } from '../../document/type-text.ts';
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
  const operations = readOperations(document).map((operation): PlacedOperation => {
    const declared = declaredAt.get(operation.operationId ?? '');
    const key = declared?.key ?? operation.key;
    return { document, key, declared, path: toPath(operation), operation };
  });
  const { title, version, description = '' } = document.info;
  const rows = operations.map(({ key, declared, path, operation }) => {
    const guards = declared?.definition.guards ?? operation.security.flat();
    const mark = operation.isDeprecated ? ' (deprecated)' : '';
    const access = guards.map(({ name }) => toCodeCell(name)).join(', ') || 'public';
    const route = toCodeCell(`${operation.method} ${path}`);
    return [`[${key}](#${toAnchor(key)})${mark}`, route, access];
  });
  const jobs = readJobs(document);
  return [
    `# ${toMarkdown(title)}`,
    toMarkdown(`Version ${version}.`),
    toMarkdown(description),
    toTable(['Operation', 'Route', 'Access'], rows),
    ...[...new Set(operations.map(findGroup))].flatMap((group) => [
      `## ${toMarkdown(group) || 'Other'}`,
      toMarkdown(document.tags?.find(({ name }) => name === group)?.description ?? ''),
      ...operations.filter((each) => findGroup(each) === group).flatMap(toOperation),
    ]),
    jobs.length === 0 ? '' : '## Jobs',
    ...jobs.flatMap(({ key, description: text = '', input }) => [
      `### ${toMarkdown(`${key} as a job`)}`,
      toCode(`enqueue('${key}', …)`),
      toMarkdown(text),
      toFieldTable(toFields(input())),
    ]),
    '## Types',
    ...Object.entries(document.components.schemas).flatMap(([name, json]) =>
      toType(name, { json, root: document }),
    ),
  ].filter((part) => part !== '');
}

function findGroup({ operation }: PlacedOperation): string {
  return textOf(listOf(operation.source?.operation['tags'])[0]) ?? '';
}

/** `/files/*path` where the document says that a parameter takes the rest. */
function toPath({ template, source }: ApiOperation): string {
  const parameters = listOf(source?.operation['parameters']).map(recordOf);
  const rest = parameters.find((each) => each['x-wildcard'] === true)?.['name'];
  return template.replace(/\{(.+?)\}/g, (_, name: string) => `${name === rest ? '*' : ':'}${name}`);
}

function toType(name: string, schema: ApiSchema): readonly string[] {
  return [
    `### ${toMarkdown(name)}`,
    toMarkdown(toDescription(schema) ?? ''),
    toFieldTable(toFields(schema)) || toCode(toTypeText(schema)),
  ];
}

function toOperation(placed: PlacedOperation): readonly string[] {
  const { key, path, operation } = placed;
  const { method, summary, description = summary ?? '', isDeprecated, body } = operation;
  const inHead = operation.parameters.map(({ written, in: place, ...parameter }) =>
    toFieldRow({ ...parameter, name: written }, place),
  );
  const [content] = body?.contents ?? [];
  const whole =
    content === undefined || body === undefined
      ? []
      : [{ name: '', schema: content.schema, isRequired: body.isRequired }];
  const fields = toFields(content?.schema);
  const inBody = (fields.length === 0 ? whole : fields).map((field) =>
    toFieldRow(field, content?.mediaType === 'multipart/form-data' ? 'form' : 'body'),
  );
  return [
    `### ${toMarkdown(key)}`,
    toCode(`${method} ${path}`),
    toMarkdown(description),
    isDeprecated ? '**Deprecated.**' : '',
    ...toCallSamples(placed),
    toTable(['Field', 'In', 'Type', 'Required', 'Description'], [...inHead, ...inBody]),
    ...operation.responses.flatMap(toResponseParts),
    toTable(['Status', 'Error', 'When', 'Carries'], toErrorRows(placed)),
  ];
}

function toFieldTable(fields: readonly ReferenceField[]): string {
  return toTable(
    ['Field', 'Type', 'Required', 'Description'],
    fields.map((field) => toFieldRow(field)),
  );
}

/** The description, limits, default and an example stand in the last cell. */
function toFieldRow(
  { name, schema, isRequired, description = toDescription(schema) ?? '' }: ReferenceField,
  ...place: readonly string[]
): readonly string[] {
  const fallback = toDefaultText(schema);
  const [example] = listOf(findNote(schema, 'examples'));
  const limits = toConstraints(schema).map(toLimitCell).join(', ');
  const remarks = [
    toTableCell(description).replace(/[^.!?:;]$/, '$&.'),
    limits && `${toPascal(limits)}.`,
    fallback === undefined ? '' : `Default ${toCodeCell(fallback)}.`,
    example === undefined ? '' : `Example ${toCodeCell(JSON.stringify(example))}.`,
  ];
  return [
    toCodeCell(name),
    ...place,
    toCodeCell(toTypeText(schema)),
    isRequired ? 'yes' : 'no',
    remarks.filter(Boolean).join(' '),
  ];
}

function toLimitCell(limit: string): string {
  const expression = /^matches (.*)$/s.exec(limit)?.[1];
  return expression === undefined ? limit : `matches ${toCodeCell(expression)}`;
}

/** A response, with its headers and an example. */
function toResponseParts({
  status,
  description = '',
  headers,
  contents,
}: ApiResponse): readonly string[] {
  const names = headers.map(({ written }) => toCode(written)).join(', ');
  const sent = names && ` Headers: ${names}.`;
  const [content] = contents;
  if (content === undefined)
    return [`Responds ${status}: ${toMarkdown(description).replace(/\.$/, '')}.${sent}`];
  const { mediaType, schema, items } = content;
  const data = items ?? (isJson(mediaType) ? findData(schema) : undefined);
  if (data === undefined) return [`Responds ${status} with ${toCode(mediaType)}.${sent}`];
  const what = `${items === undefined ? '' : 'items of '}${toCode(toTypeText(data))}`;
  const isKnown = toSampleValue(data) !== undefined;
  return [
    `Responds ${status} with ${what}.${sent}`,
    isKnown ? toSampleBlock(items ?? schema) : '',
    toFieldTable(toFields(data)),
  ];
}

function toSampleBlock(schema: ApiSchema): string {
  return toBlock(JSON.stringify(toSampleValue(schema), undefined, 2), 'json');
}

/** The schema of the data in the usual envelope, or the whole of another. */
function findData(schema: ApiSchema): ApiSchema {
  const fields = findOnlyObject(schema)?.fields;
  return (fields?.size === 1 && fields.get('data')) || schema;
}

/** The errors by status and name: when each is thrown, as far as it is declared, and what its `meta` has. */
function toErrorRows({ declared, operation }: PlacedOperation): readonly (readonly string[])[] {
  const { method, errors, source } = operation;
  const request = source?.operation as Pick<OperationObject, 'parameters' | 'requestBody'>;
  const refusals = declared === undefined ? [] : findRefusals(declared, method, request);
  return [...new Map(errors.map((error) => [`${error.status} ${error.name}`, error])).values()]
    .filter(({ name }) => name !== undefined)
    .map(({ status, name = '', description = '', meta }: DocumentedError) => {
      const carried = toFields(meta)
        .filter(({ name: field }) => !field.includes('.'))
        .map(({ name: field, schema }) => toCodeCell(`${field}: ${toTypeText(schema)}`));
      const isIt = (error: ErrorFactory): boolean =>
        `${error.status}` === status && error.errorName === name;
      const when = refusals.filter((refusal) => refusal.errors.some(isIt)).map(toWhen);
      const reason = when.join(', ') || toTableCell(description);
      return [status, toCodeCell(name), reason, carried.join(', ')];
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
  range: '`Range` names no bytes that are there',
  failure: 'the handler fails',
  timeout: 'the handler takes too long',
};

/** A field in a table of the page, by its path: `home.street`, `lines[].sku`. */
interface ReferenceField extends NamedSchema {
  /** @default that of its schema */
  readonly description?: string | undefined;
}

/** The fields of an object, each followed by those inside it; those of a component stand under its name. */
function toFields(schema: ApiSchema | undefined): readonly ReferenceField[] {
  return schema === undefined ? [] : toInnerFields(schema, { way: '', above: [] });
}

interface FieldPlace {
  /** `home.` */
  readonly way: string;
  /** The fields of the objects that it is in: one that holds itself has no name where its author gave none. */
  readonly above: readonly object[];
}

function toInnerFields(schema: ApiSchema, { way, above }: FieldPlace): readonly ReferenceField[] {
  const object = findOnlyObject(schema);
  if (object === undefined || object.isRecord || above.includes(object.fields)) return [];
  const within = [...above, object.fields];
  return [...object.fields].flatMap(([name, field]) => [
    { name: way + name, schema: field, isRequired: object.required.has(name) },
    ...toFieldsInside(field, { way: way + name, above: within }),
  ]);
}

/** Those of a field, or of the items of its lists. */
function toFieldsInside(schema: ApiSchema, { way, above }: FieldPlace): readonly ReferenceField[] {
  const only = findOnlyBranch(schema);
  if (only === undefined || only.name !== undefined) return [];
  if (only.type === 'object') return toInnerFields(schema, { way: `${way}.`, above });
  const isList = only.type === 'array' && only.first.length === 0;
  return isList && only.rest !== undefined
    ? toFieldsInside(only.rest, { way: `${way}[]`, above })
    : [];
}
