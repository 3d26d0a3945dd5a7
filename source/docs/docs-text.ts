import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import type { OwnDocument } from '../files/write-output.ts';
import { type ApiDescription, type Endpoint, findErrors } from '../manifest/describe-api.ts';
import { toTypeText } from '../shape/schema-type.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toAnchor, toCell, toCode, toParagraph, toTable } from './markdown.ts';

const DOCS_MARK = '<!-- Written by `capix docs`. Write it again when the API changes; do not edit it. -->';

/** How `capix docs` knows its own documents. */
export const docsDocument: OwnDocument = { command: 'docs', mark: /^<!-- Written by `capix docs`\. .*-->$/m };

/** The API as one page of Markdown: its operations by group, then the types that they share and the form of errors. */
export function toDocsText({ document, endpoints }: ApiDescription): string {
  const groups = [...new Set(endpoints.map(({ operation }) => operation.groups.join('.')))];
  const sections = [
    `# ${toParagraph(document.info.title)}`,
    `Version ${toParagraph(document.info.version)}. An answer is \`{ "data": … }\`; an error is \`{ "error", "message", "meta"? }\`.`,
    toTable(['Operation', 'Route', 'Access'], endpoints.map(toOverviewRow)),
    ...groups.flatMap((group) => [
      `## ${group === '' ? 'Other' : group}`,
      ...endpoints
        .filter(({ operation }) => operation.groups.join('.') === group)
        .flatMap((endpoint) => toOperationSections(endpoint, document)),
    ]),
    ...toTypesSections(document),
    DOCS_MARK,
  ];
  return `${stripControl(sections.filter((section) => section !== '').join('\n\n'))}\n`;
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

function toOperationSections(
  { operation, method, path, object }: Endpoint,
  document: OpenApiDocument,
): readonly string[] {
  const { guards } = operation.definition;
  const output = operation.definition.output === undefined ? undefined : findData(object.responses['200']);
  return [
    `### ${operation.key}`,
    toCode(`${method} ${toRoutePath(path)}`),
    toParagraph(object.description ?? object.summary),
    guards.length === 0 ? '' : `Guarded by ${toAccess(guards.map(({ name }) => name))}.`,
    toTable(['Field', 'In', 'Type', 'Required', 'Description'], toFieldRows({ operation, method, path, object })),
    output === undefined ? '' : `Answers with ${toCode(toTypeText(output))}.`,
    output?.['properties'] === undefined ? '' : toPropertyTable(output),
    toTable(['Status', 'Error'], toErrorRows({ operation, method, path, object }, document)),
  ];
}

function findData(response: Endpoint['object']['responses'][string] | undefined): JsonSchema | undefined {
  if (response === undefined || !('content' in response)) return undefined;
  return (response.content['application/json']?.schema['properties'] as { readonly data?: JsonSchema } | undefined)
    ?.data;
}

function toFieldRows({ object: { parameters = [], requestBody } }: Endpoint): readonly (readonly string[])[] {
  const inUrl = parameters.map(({ name, in: place, required, schema, description }) =>
    toRow({ name, place, required: required === true, schema, description }),
  );
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (media === undefined) return inUrl;
  const place = type === 'multipart/form-data' ? 'form' : 'body';
  const { properties, required = [] } = media.schema;
  if (properties === undefined)
    return [
      ...inUrl,
      [
        '',
        place,
        toCode(toTypeText(media.schema), { isCell: true }),
        requestBody?.required === true ? 'yes' : 'no',
        '',
      ],
    ];
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) =>
    toRow({
      name,
      place,
      required: (required as readonly string[]).includes(name),
      schema,
      description: schema['description'] as string | undefined,
    }),
  );
  return [...inUrl, ...fields];
}

interface FieldRow {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly description: string | undefined;
}

function toRow({ name, place, required, schema, description }: FieldRow): readonly string[] {
  return [
    toCode(name, { isCell: true }),
    place,
    toCode(toTypeText(schema), { isCell: true }),
    required ? 'yes' : 'no',
    toRemarks(schema, description),
  ];
}

function toRemarks(schema: JsonSchema, description: string | undefined): string {
  const fallback =
    schema['default'] === undefined
      ? undefined
      : `Default ${toCode(JSON.stringify(schema['default']), { isCell: true })}.`;
  return [description === undefined ? undefined : toCell(description), fallback]
    .filter((remark) => remark !== undefined)
    .join(' ');
}

function toErrorRows({ object }: Endpoint, document: OpenApiDocument): readonly (readonly string[])[] {
  return findErrors(object, document).map(({ status, name }) => [status, toCode(name, { isCell: true })]);
}

function toPropertyTable({ properties, required = [] }: JsonSchema): string {
  const rows = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, schema]) => [
    toCode(name, { isCell: true }),
    toCode(toTypeText(schema), { isCell: true }),
    (required as readonly string[]).includes(name) ? 'always' : 'sometimes',
    toRemarks(schema, schema['description'] as string | undefined),
  ]);
  return toTable(['Field', 'Type', 'Present', 'Description'], rows);
}

function toTypesSections({ components }: OpenApiDocument): readonly string[] {
  const types = Object.entries(components.schemas).filter(([name]) => name !== 'Error');
  if (types.length === 0) return [];
  const sections = types.flatMap(([name, schema]) => [
    `### ${name}`,
    typeof schema['description'] === 'string' ? toParagraph(schema['description']) : '',
    schema['properties'] === undefined ? toCode(toTypeText(schema)) : toPropertyTable(schema),
  ]);
  return ['## Types', ...sections];
}
