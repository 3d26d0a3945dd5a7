import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { OwnDocument } from '../files/write-output.ts';
import {
  type ApiDescription,
  describeApi,
  type Endpoint,
  findAnswers,
  findErrors,
  type ListedAnswer,
} from '../manifest/describe-api.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { toShape } from '../shape/read/to-shape.ts';
import type { ObjectShape, Shape } from '../shape/shape.ts';
import { toTypeText } from '../shape/type-text.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import { toAnchor, toCode, toMarkdown, toTable, toTableCell } from './markdown.ts';

const DOCS_MARK = '<!-- Written by `capix docs`. Write it again when the API changes; do not edit it. -->';

/** The mark by which `capix docs` knows its own documents. */
export const docsDocument: OwnDocument = { command: 'docs', mark: /^<!-- Written by `capix docs`\. .*-->$/m };

/** The page of a project, under its own title or its name. */
export function toProjectDocsText(loaded: LoadedRegistry): string {
  const title = loaded.restOptions.docs?.title ?? loaded.project.name;
  return toDocsText(describeApi(loaded, { title }));
}

/** The API as one page of Markdown: its operations by group, then the types that they share and the form of errors. */
export function toDocsText(api: ApiDescription): string {
  const { document, endpoints, envelope } = api;
  const groups = [...new Set(endpoints.map(({ operation }) => operation.groups.join('.')))];
  const sections = [
    `# ${toMarkdown(document.info.title)}`,
    `Version ${toMarkdown(document.info.version)}. ${toEnvelopeText(envelope)}`,
    toTable(['Operation', 'Route', 'Access'], endpoints.map(toOverviewRow)),
    ...groups.flatMap((group) => [
      `## ${group === '' ? 'Other' : group}`,
      ...endpoints
        .filter(({ operation }) => operation.groups.join('.') === group)
        .flatMap((endpoint) => toOperationSections(endpoint, api)),
    ]),
    ...toTypesSections(api),
    DOCS_MARK,
  ];
  return `${stripControl(sections.filter((section) => section !== '').join('\n\n'))}\n`;
}

/** ``An answer is `{ "data": … }`; an error is `{ "error", "message", "meta"? }`.`` */
function toEnvelopeText({ dataPath, failure, failureType }: ApiDescription['envelope']): string {
  const holder = dataPath.reduceRight((inside, name) => `{ "${name}": ${inside} }`, '…');
  const answer = dataPath.length === 0 ? 'the data itself' : toCode(holder);
  const error =
    failure === undefined
      ? toCode('{ "error", "message", "meta"? }')
      : `the type Error below, as ${toCode(failureType)}`;
  return `An answer is ${answer}; an error is ${error}.`;
}

function toOverviewRow({ operation, method, path }: Endpoint): readonly string[] {
  return [
    `[${operation.key}](#${toAnchor(operation.key)})`,
    toCode(`${method} ${toRoutePath(path)}`),
    toAccess(operation.definition.guards.map(({ name }) => name)),
  ];
}

function toAccess(guards: readonly string[]): string {
  return guards.length === 0 ? 'public' : guards.map((guard) => toCode(guard, { isCell: true })).join(', ');
}

/** `/users/{id}` as the tool writes it elsewhere: `/users/:id`. */
function toRoutePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function toOperationSections(endpoint: Endpoint, api: ApiDescription): readonly string[] {
  const { document } = api;
  const { operation, method, path, object } = endpoint;
  const { guards } = operation.definition;
  return [
    `### ${operation.key}`,
    toCode(`${method} ${toRoutePath(path)}`),
    toMarkdown(object.description ?? object.summary),
    guards.length === 0 ? '' : `Guarded by ${toAccess(guards.map(({ name }) => name))}.`,
    toTable(['Field', 'In', 'Type', 'Required', 'Description'], toFieldRows(object, document)),
    ...(operation.definition.answers.length === 0
      ? []
      : findAnswers(endpoint, api).flatMap((each) => toAnswerSections(each, object))),
    toTable(['Status', 'Error'], toErrorRows(object, document)),
  ];
}

/** `Answers 201 with `User`, and the header `location`.` and the fields of what is sent. */
function toAnswerSections({ status, kind, shape }: ListedAnswer, { responses }: Endpoint['object']): readonly string[] {
  const response = responses[status];
  const { content = {}, headers = {} } = response === undefined || '$ref' in response ? {} : response;
  const types = Object.keys(content)
    .map((type) => toCode(type))
    .join(', ');
  const code = shape === undefined ? '' : toCode(toTypeText(shape));
  const what = {
    data: code,
    none: 'no content',
    text: types,
    bytes: types,
    stream: `items of ${code}`,
    redirect: 'a redirect',
  };
  const names = Object.keys(headers).map((name) => toCode(name));
  const more = names.length === 0 ? '' : `, and the header${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
  return [
    `Answers ${status === '200' ? '' : `${status} `}with ${what[kind]}${more}.`,
    shape !== undefined && hasFields(shape) ? toFieldTable(shape) : '',
  ];
}

/** The parts that a call sends: each parameter, and the fields of the body or form, or the whole of it where it has none. */
function toFieldRows(
  { parameters = [], requestBody }: Endpoint['object'],
  document: OpenApiDocument,
): readonly (readonly string[])[] {
  const inUrl = parameters.map(({ name, in: place, required = false, schema, description }) =>
    toRow({ name, place, isRequired: required, shape: { ...toShape(schema, document), description } }),
  );
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (media === undefined) return inUrl;
  const place = type === 'multipart/form-data' ? 'form' : 'body';
  const body = toShape(media.schema, document);
  if (!hasFields(body))
    return [...inUrl, ['', place, toTypeCell(body), requestBody?.required === true ? 'yes' : 'no', '']];
  return [
    ...inUrl,
    ...body.fields.map(({ name, isRequired, shape }) => toRow({ name, place, isRequired, shape: shape() })),
  ];
}

interface FieldRow {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly shape: Shape;
}

function toRow({ name, place, isRequired, shape }: FieldRow): readonly string[] {
  return [toCode(name, { isCell: true }), place, toTypeCell(shape), isRequired ? 'yes' : 'no', toRemarks(shape)];
}

function toTypeCell(shape: Shape): string {
  return toCode(toTypeText(shape), { isCell: true });
}

function toRemarks(shape: Shape): string {
  const fallback =
    shape.default === undefined ? undefined : `Default ${toCode(JSON.stringify(shape.default), { isCell: true })}.`;
  return [shape.description === undefined ? undefined : toTableCell(shape.description), fallback]
    .filter((remark) => remark !== undefined)
    .join(' ');
}

function toErrorRows(object: Endpoint['object'], document: OpenApiDocument): readonly (readonly string[])[] {
  return findErrors(object, document).map(({ status, name }) => [status, toCode(name, { isCell: true })]);
}

function hasFields(shape: Shape): shape is Extract<Shape, ObjectShape> {
  return shape.kind === 'object' && shape.fields.length > 0;
}

function toFieldTable({ fields }: ObjectShape): string {
  const rows = fields.map(({ name, isRequired, shape }) => {
    const value = shape();
    return [toCode(name, { isCell: true }), toTypeCell(value), isRequired ? 'always' : 'sometimes', toRemarks(value)];
  });
  return toTable(['Field', 'Type', 'Present', 'Description'], rows);
}

function toTypesSections({ document, envelope }: ApiDescription): readonly string[] {
  const isTold = (name: string): boolean => name !== 'Error' || envelope.failure !== undefined;
  const types = Object.entries(document.components.schemas).filter(([name]) => isTold(name));
  if (types.length === 0) return [];
  const sections = types.flatMap(([name, schema]) => {
    const shape = toShape(schema, document);
    return [
      `### ${name}`,
      shape.description === undefined ? '' : toMarkdown(shape.description),
      hasFields(shape) ? toFieldTable(shape) : toCode(toTypeText(shape)),
    ];
  });
  return ['## Types', ...sections];
}
