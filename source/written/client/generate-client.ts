import type { OpenApiDocument } from '../../../server-runtime/openapi/openapi-document.ts';
import { type ApiSchema, toApiSchema } from '../../document/branch.ts';
import { findDocumentFacts } from '../../document/facts.ts';
import type {
  ApiOperation,
  ApiParameter,
  ApiResponse,
  DocumentedError,
} from '../../document/operations/api-operation.ts';
import { readOperations } from '../../document/operations/read-operations.ts';
import { findOnlyObject } from '../../document/read-branches.ts';
import { escapeJson } from '../../terminal/strip-control.ts';
import { groupBy } from '../../values/once.ts';
import { createKindFinder } from './create-kind-finder.ts';
import {
  indent,
  readNotes,
  type TypedField,
  type TypeNames,
  toDocblock,
  toFieldTypes,
  toIndex,
  toPropertyName,
  toTypeScript,
  wrap,
} from './to-type-script.ts';

/** The first line of a written client. */
const CLIENT_MARK =
  '// Written by `capix client` from the capabilities of this project. Write it again when they change; do not ' +
  'edit it.';

/** The lines by which a client has its runtime from the package. */
const imports = `import { type Call, createClientOf, type ErrorsAt } from 'capix/client';

export { ApiError, isApiError, pages, toMutation, toQuery, toQueryKey } from 'capix/client';
export type { Call, CallOptions, ClientOptions, ErrorFacts, Interceptor, Result } from 'capix/client';`;

interface ClientRuntime {
  /** The code of the runtime, whose names are taken. */
  readonly code: string;
  /** Whether the client carries it, and does not import it. */
  readonly isCarried: boolean;
}

/** The typed client of an API as TypeScript: the types of its operations, and one table of their routes. */
export function generateClient(
  document: OpenApiDocument,
  { code, isCarried }: ClientRuntime,
): string {
  const withoutComments = code.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const taken = new Set(['Client', ...(withoutComments.match(/\b[A-Z]\w*/g) ?? [])]);
  const { schemas } = document.components;
  const names: TypeNames = new Map(
    Object.keys(schemas).map((name) => [`#/components/schemas/${name}`, toFreeName(name, taken)]),
  );
  const naming = { document, names, taken, kinds: createKindFinder(names) };
  const operations = readOperations(document)
    .filter(({ isMain }) => isMain)
    .map((operation) => toClientOperation(operation, naming));
  const components = Object.entries(schemas).flatMap(([name, json]) => {
    const schema = toApiSchema(json, document);
    const type = `export type ${names.get(`#/components/schemas/${name}`) ?? ''} = ${toTypeScript(schema, names)};`;
    return name === 'Error' ? [] : [`${toDocblock(readNotes(schema))}${type}`];
  });
  const routes = operations.map(({ route }) => route).join('\n');
  const parts = [
    CLIENT_MARK,
    isCarried ? code : imports,
    `/** The operations under their groups, each with one flat input. */\nexport interface Client ` +
      `${toTree(operations)}`,
    `/** Connects to the API. */\nexport const createClient = createClientOf<Client>({\n${indent(routes)}\n}` +
      `${toApiFacts(naming)});`,
    ...components,
    ...operations.flatMap(({ inputType }) => inputType ?? []),
  ];
  return escapeJson(`${parts.join('\n\n')}\n`);
}

/** `'user_list'` gives `'UserList'`, or the first with a number that is not taken; it is taken then. */
function toFreeName(name: string, taken: Set<string>): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const wanted = /^[A-Za-z]/.test(joined) ? joined : `T${joined}`;
  let free = wanted;
  for (let count = 2; taken.has(free); count++) free = `${wanted}${count}`;
  taken.add(free);
  return free;
}

interface Naming {
  readonly document: OpenApiDocument;
  readonly names: TypeNames;
  readonly taken: Set<string>;
  readonly kinds: ReturnType<typeof createKindFinder>;
}

/** The second argument of `createClientOf`, where the API needs one. */
function toApiFacts({ document, kinds }: Naming): string {
  const { dataField = 'data' } = findDocumentFacts(document)?.envelope ?? {};
  const facts = toRecord([
    ['dataField', dataField === 'data' ? undefined : dataField],
    ['kinds', toRecord(Object.entries(kinds.shared()))],
  ]);
  return facts === undefined ? '' : `, ${JSON.stringify(facts)}`;
}

interface ClientOperation extends Pick<ApiOperation, 'groups'> {
  /** The property of its call, below a comment that describes it. */
  readonly property: string;
  /** The row in the table. */
  readonly route: string;
  /** The declaration of its input, where it takes any. */
  readonly inputType: string | undefined;
}

function toClientOperation(operation: ApiOperation, naming: Naming): ClientOperation {
  const {
    key,
    name,
    groups,
    method,
    template,
    responses,
    errors,
    description,
    summary,
    isDeprecated,
  } = operation;
  const { names, taken } = naming;
  const input = toInputType(operation, names);
  const inputName = input && toFreeName(`${key.replaceAll('.', '_')}_Input`, taken);
  const data = responses
    .map((response) => `${response.status}: ${toDataType(response, names)}`)
    .join('; ');
  const types = [
    inputName ?? 'Record<string, never>',
    `{ ${data} }`,
    toErrorTypes(errors, names),
  ].filter(Boolean);
  const comment = toDocblock({ description: description ?? summary, isDeprecated });
  const facts = toRouteFacts(operation, naming);
  const route = [method, template, ...(facts === undefined ? [] : [facts])];
  return {
    groups,
    property: `${comment}readonly ${toPropertyName(name)}: Call<${types.join(', ')}>;`,
    route: `${JSON.stringify(key)}: ${JSON.stringify(route)},`,
    inputType: input && `/** Input of \`${key}\`. */\nexport type ${inputName ?? ''} = ${input};`,
  };
}

/** The input of an operation for its caller: one flat object, wherever its fields travel; undefined for none. */
function toInputType(
  { parameters, body, facts }: ApiOperation,
  names: TypeNames,
): string | undefined {
  const inHead = parameters.flatMap((parameter) =>
    isOpen(parameter) ? [] : toParameterField(parameter),
  );
  const whole = facts?.body;
  const fields = whole === undefined ? inHead : [...inHead, ...toBodyField(body, whole.field)];
  const media = ['multipart/form-data', 'application/json'].flatMap(
    (type) => body?.contents.find(({ mediaType }) => mediaType === type) ?? [],
  );
  const inBody = whole === undefined ? media.slice(0, 1) : [];
  const others = [...parameters.filter(isOpen), ...inBody].map(({ schema }) => schema);
  const parts = [
    ...(fields.length === 0 ? [] : [toFieldTypes(fields, names)]),
    ...others.map((schema) =>
      fields.length + others.length > 1 ? toPart(schema, names) : toTypeScript(schema, names),
    ),
  ];
  if (parts.length === 0) return undefined;
  const type = parts.join(' & ');
  return whole === undefined &&
    body?.isRequired === false &&
    fields.every(({ isRequired }) => !isRequired)
    ? `Partial<${type}>`
    : type;
}

/** The field that is the whole body: the same in each of its media types. */
function toBodyField(body: ApiOperation['body'], name: string): readonly TypedField[] {
  const [content] = body?.contents ?? [];
  if (body === undefined || content === undefined) return [];
  const { schema } = content;
  const { description, default: fallback, isDeprecated } = readNotes(schema);
  const notes = { description, default: fallback, isDeprecated };
  return [{ name, isRequired: body.isRequired, schema, notes }];
}

/** A record in the query, which is not a field itself. */
function isOpen({ in: place, style }: ApiParameter): boolean {
  return place === 'query' && style === 'form';
}

/** Under the name of its field. The client makes keys, and a browser sends cookies, so callers may leave both out. */
function toParameterField({
  in: place,
  field,
  isRequired,
  schema,
  ...about
}: ApiParameter): readonly TypedField[] {
  if (field === undefined) return [];
  const { description, default: fallback, isDeprecated } = readNotes(schema);
  const notes = {
    description: about.description ?? description,
    default: fallback,
    isDeprecated: about.isDeprecated || isDeprecated,
  };
  return [{ name: field, isRequired: isRequired && place !== 'cookie', schema, notes }];
}

/** Beside named fields a record admits what those hold too. */
function toPart(schema: ApiSchema, names: TypeNames): string {
  return findOnlyObject(schema)?.fields.size === 0
    ? toIndex('unknown')
    : wrap(toTypeScript(schema, names));
}

/** The type of the data of a response. */
function toDataType({ kind, data }: ApiResponse, names: TypeNames): string {
  const type = toTypeScript(data() ?? toApiSchema({}), names);
  const types = { data: type, none: 'null', text: 'string', redirect: 'string', bytes: 'Blob' };
  return kind === 'stream' ? `AsyncIterable<${type}>` : types[kind];
}

/** `ErrorsAt<{ 404: "NotFound" }>`, with the metas of those that declare one. */
function toErrorTypes(errors: readonly DocumentedError[], names: TypeNames): string {
  const named = errors.filter(({ name }) => name !== undefined);
  if (named.length === 0) return '';
  const byStatus = [...groupBy(named, ({ status }) => status)].map(
    ([status, all]) => `${status}: ${all.map(({ name }) => JSON.stringify(name)).join(' | ')}`,
  );
  const metas = named.flatMap(({ name = '', meta, hasMeta }) =>
    meta !== undefined && hasMeta ? [`${toPropertyName(name)}: ${toTypeScript(meta, names)}`] : [],
  );
  return `ErrorsAt<{ ${byStatus.join('; ')} }${metas.length === 0 ? '' : `, { ${metas.join('; ')} }`}>`;
}

/** The settings of an operation in the table; undefined for one of JSON alone. */
function toRouteFacts(operation: ApiOperation, { document, kinds }: Naming): object | undefined {
  const { parameters, body, responses, errors, facts } = operation;
  const sent = parameters.flatMap(({ in: place, field, name }) =>
    field !== undefined && (place === 'header' || place === 'cookie')
      ? [{ field, in: place, name }]
      : [],
  );
  const types = body?.contents.map(({ mediaType }) => mediaType) ?? [];
  const statusNames = [...groupBy(errors, ({ status }) => status)].map(
    ([status, all]) => [status, all.length === 1 ? all[0]?.name : undefined] as const,
  );
  return toRecord([
    ['sent', sent.length === 0 ? undefined : sent],
    ['body', facts?.body],
    [
      'form',
      types.includes('multipart/form-data') && !types.includes('application/json')
        ? true
        : undefined,
    ],
    ['key', facts?.idempotencyKey === undefined ? undefined : true],
    [
      'contents',
      toRecord(responses.map(({ status, kind }) => [status, kind === 'data' ? undefined : kind])),
    ],
    [
      'errors',
      findDocumentFacts(document)?.envelope.isOwnError ? toRecord(statusNames) : undefined,
    ],
    [
      'kinds',
      toRecord([
        ...responses.map(({ status, data }) => [status, kinds.find(data())] as const),
        ...errors.map(({ name = '', meta }) => [name, kinds.find(meta)] as const),
      ]),
    ],
  ]);
}

/** Without the values that are undefined, and undefined where none is left. */
function toRecord(entries: readonly (readonly [string, unknown])[]): object | undefined {
  const present = entries.filter((entry) => entry[1] !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}

/** The body of the interface, in which calls stand under their groups. */
function toTree(operations: readonly ClientOperation[], depth = 0): string {
  const own = operations
    .filter(({ groups }) => groups.length === depth)
    .map(({ property }) => property);
  const inGroups = operations.filter(({ groups }) => groups.length > depth);
  const trees = [...groupBy(inGroups, ({ groups }) => groups[depth] ?? '')].map(
    ([name, members]) => `readonly ${toPropertyName(name)}: ${toTree(members, depth + 1)};`,
  );
  return `{\n${indent([...own, ...trees].join('\n'))}\n}`;
}
