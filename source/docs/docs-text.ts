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
import type { ObjectShape, ShapeField } from '../shape/shape.ts';
import { toTypeText } from '../shape/type-text.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import { toCallSections } from './call-sections.ts';
import { hasFields, toFieldRows, toTypeCell } from './field-rows.ts';
import { toJobSections } from './job-sections.ts';
import { toAnchor, toCode, toMarkdown, toTable } from './markdown.ts';

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
    ...toJobSections(api),
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

function toOverviewRow({ operation, method, path, object }: Endpoint): readonly string[] {
  return [
    `[${operation.key}](#${toAnchor(operation.key)})${object.deprecated === true ? ' (deprecated)' : ''}`,
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
    object.deprecated === true ? '**Deprecated.**' : '',
    guards.length === 0 ? '' : `Guarded by ${toAccess(guards.map(({ name }) => name))}.`,
    toOfferLine(operation),
    ...toCallSections(endpoint, document),
    toTable(['Field', 'In', 'Type', 'Required', 'Description'], toInputRows(object, document)),
    ...(operation.definition.answers.length === 0
      ? []
      : findAnswers(endpoint, api).flatMap((each) => toAnswerSections(each, object))),
    toTable(['Status', 'Error'], toErrorRows(object, document)),
  ];
}

/** The resources and the prompt that an operation is for agents; empty where it is none. */
function toOfferLine({ key, definition: { offers } }: Endpoint['operation']): string {
  const { resources, prompt } = offers;
  const texts = [
    ...resources.map(({ uri }) => `the resource ${toCode(uri)}`),
    ...(prompt === undefined ? [] : [`the prompt ${toCode(prompt.name ?? key.replaceAll('.', '_'))}`]),
  ];
  return texts.length === 0 ? '' : `For AI agents it is ${texts.join(' and ')}, too.`;
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
function toInputRows(
  { parameters = [], requestBody }: Endpoint['object'],
  document: OpenApiDocument,
): readonly (readonly string[])[] {
  const inUrl = parameters.flatMap(({ name, in: place, required = false, schema, description }) => {
    const shape = toShape(schema, document);
    return toInputRow(
      { name, isRequired: required, shape: () => ({ ...shape, description: description ?? shape.description }) },
      place,
    );
  });
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (media === undefined) return inUrl;
  const place = type === 'multipart/form-data' ? 'form' : 'body';
  const body = toShape(media.schema, document);
  if (!hasFields(body))
    return [...inUrl, ['', place, toTypeCell(body), requestBody?.required === true ? 'yes' : 'no', '']];
  return [...inUrl, ...body.fields.flatMap((field) => toInputRow(field, place))];
}

function toInputRow(field: ShapeField, place: string): readonly (readonly string[])[] {
  return toFieldRows(field).map(({ name, type, isRequired, remarks }) => [
    name,
    place,
    type,
    isRequired ? 'yes' : 'no',
    remarks,
  ]);
}

function toErrorRows(object: Endpoint['object'], document: OpenApiDocument): readonly (readonly string[])[] {
  return findErrors(object, document).map(({ status, name }) => [status, toCode(name, { isCell: true })]);
}

function toFieldTable({ fields }: ObjectShape): string {
  const rows = fields
    .flatMap((field) => toFieldRows(field))
    .map(({ name, type, isRequired, remarks }) => [name, type, isRequired ? 'always' : 'sometimes', remarks]);
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
