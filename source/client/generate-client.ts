import type { OpenApiDocument } from '../../server-runtime/http/openapi-document.ts';
import type { ApiOperation, ApiResponse, DocumentedError } from '../document/api-operation.ts';
import { type ApiSchema, toApiSchema } from '../document/branch.ts';
import { findDocumentFacts, readOperations } from '../document/read-operations.ts';
import { escapeJson } from '../terminal/strip-control.ts';
import { createKindFinder } from './create-kind-finder.ts';
import { toClientInput } from './to-client-input.ts';
import {
  indent,
  readNotes,
  type TypeNames,
  toComment,
  toDocblock,
  toPropertyName,
  toTypeScript,
} from './to-type-script.ts';

/** The first line of a written client. */
export const CLIENT_MARK =
  '// Written by `capix client` from the capabilities of this project. Write it again when they change; do not ' +
  'edit it.';

/** The lines by which a client has its runtime from the package. */
const imports = `import { type Call, createClientOf, type ErrorsAt } from 'capix/client';

export { ApiError, isApiError, pages, retry, toMutation, toQuery, toQueryKey } from 'capix/client';
export type { Call, CallOptions, ClientOptions, ErrorFacts, Interceptor, Result } from 'capix/client';`;

export interface ClientRuntime {
  /** The code of the runtime, whose names are taken. */
  readonly code: string;
  /** Whether the client carries it, and does not import it. */
  readonly isCarried: boolean;
}

/** The typed client of an API as TypeScript: the types of its operations, and one table of their routes. */
export function generateClient(document: OpenApiDocument, { code, isCarried }: ClientRuntime): string {
  const taken = new Set(['Client', ...(withoutComments(code).match(/\b[A-Z]\w*/g) ?? [])]);
  const names = nameComponents(document, taken);
  const kinds = createKindFinder(names);
  const operations = readOperations(document)
    .filter(({ isMain }) => isMain)
    .map((operation) => toClientOperation(operation, { names, taken, kinds, document }));
  const components = Object.entries(document.components.schemas).flatMap(([name, schema]) => {
    const type = names.get(`#/components/schemas/${name}`);
    const component = toApiSchema(schema, document);
    return name === 'Error'
      ? []
      : [`${toDocblock(readNotes(component))}export type ${type ?? ''} = ${toTypeScript(component, names)};`];
  });
  const routes = operations.map(({ route }) => route).join('\n');
  const facts = toApiFacts(document, kinds);
  const parts = [
    CLIENT_MARK,
    isCarried ? code : imports,
    `/** The operations under their groups, each with one flat input. */\nexport interface Client ` +
      `${toTree(operations)}`,
    `/** Connects to the API. */\nexport const createClient = createClientOf<Client>({\n${indent(routes)}\n}${facts});`,
    ...components,
    ...operations.flatMap(({ inputType }) => inputType ?? []),
  ];
  return escapeJson(`${parts.join('\n\n')}\n`);
}

function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

/** A free name of a type for each component, by the reference to it. */
function nameComponents({ components }: OpenApiDocument, taken: Set<string>): TypeNames {
  return new Map(
    Object.keys(components.schemas).map((name) => [`#/components/schemas/${name}`, toFreeName(name, taken)]),
  );
}

/** `'user_list'` gives `'UserList'`, or the first with a number that is not taken; it is taken then. */
function toFreeName(name: string, taken: Set<string>): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const wanted = /^[A-Za-z]/.test(joined) ? joined : `T${joined}`;
  for (let attempt = 1; ; attempt++) {
    const free = attempt === 1 ? wanted : `${wanted}${attempt}`;
    if (taken.has(free)) continue;
    taken.add(free);
    return free;
  }
}

/** The second argument of `createClientOf`, where the API needs one. */
function toApiFacts(document: OpenApiDocument, kinds: Naming['kinds']): string {
  const { dataPath = ['data'] } = findDocumentFacts(document)?.envelope ?? {};
  const isPlain = dataPath.length === 1 && dataPath[0] === 'data';
  const facts = { ...(isPlain ? {} : { dataPath }), ...toPresent({ kinds: toPresent(kinds.shared()) }) };
  return Object.keys(facts).length === 0 ? '' : `, ${JSON.stringify(facts)}`;
}

interface Naming {
  readonly document: OpenApiDocument;
  readonly names: TypeNames;
  readonly taken: Set<string>;
  readonly kinds: ReturnType<typeof createKindFinder>;
}

interface ClientOperation extends Pick<ApiOperation, 'groups'> {
  /** The property of its call, with what is said of it above. */
  readonly property: string;
  /** The row in the table. */
  readonly route: string;
  /** The declaration of its input, where it takes any. */
  readonly inputType: string | undefined;
}

function toClientOperation(operation: ApiOperation, naming: Naming): ClientOperation {
  const { key, name, groups, method, template, responses, errors, description, summary, isDeprecated } = operation;
  const { names, taken } = naming;
  const input = toClientInput(operation, names);
  const inputName = input && toFreeName(`${key.replaceAll('.', '_')}_Input`, taken);
  const data = responses.map((response) => `${response.status}: ${toDataType(response, names)}`).join('; ');
  const types = [inputName ?? 'Record<string, never>', `{ ${data} }`, toErrorTypes(errors, names)].filter(Boolean);
  const comment = toComment([description ?? summary, isDeprecated ? '@deprecated' : ''].join('\n'));
  const facts = toRouteFacts(operation, naming);
  const route = [method, template, ...(facts === undefined ? [] : [facts])];
  return {
    groups,
    property: `${comment}readonly ${toPropertyName(name)}: Call<${types.join(', ')}>;`,
    route: `${JSON.stringify(key)}: ${JSON.stringify(route)},`,
    inputType: input && `/** Input of \`${key}\`. */\nexport type ${inputName ?? ''} = ${input};`,
  };
}

const anything: ApiSchema = { json: true, root: true };

/** The type of the data of a response. */
function toDataType({ kind, data }: ApiResponse, names: TypeNames): string {
  switch (kind) {
    case 'data':
      return toTypeScript(data() ?? anything, names);
    case 'none':
      return 'null';
    case 'text':
    case 'redirect':
      return 'string';
    case 'bytes':
      return 'Blob';
    case 'stream':
      return `AsyncIterable<${toTypeScript(data() ?? anything, names)}>`;
  }
}

/** `ErrorsAt<{ 404: "NotFound" }>`, with the metas of those that declare one. */
function toErrorTypes(errors: readonly DocumentedError[], names: TypeNames): string {
  const byStatus = groupBy(errors, ({ status }) => status).flatMap(([status, all]) => {
    const union = all.flatMap(({ name }) => (name === undefined ? [] : [JSON.stringify(name)])).join(' | ');
    return union === '' ? [] : [`${status}: ${union}`];
  });
  const metas = errors.flatMap(({ name, meta, hasMeta }) =>
    name !== undefined && meta !== undefined && hasMeta
      ? [`${toPropertyName(name)}: ${toTypeScript(meta, names)}`]
      : [],
  );
  if (byStatus.length === 0) return '';
  const last = metas.length === 0 ? '' : `, { ${metas.join('; ')} }`;
  return `ErrorsAt<{ ${byStatus.join('; ')} }${last}>`;
}

/** The settings of an operation in the table; undefined for one of JSON alone. */
function toRouteFacts(operation: ApiOperation, { document, kinds }: Naming): object | undefined {
  const { parameters, body, responses, errors, facts } = operation;
  const sentIn = (place: string) =>
    parameters.flatMap(({ in: at, field, name }) =>
      at === place && field !== undefined ? [[field, name] as const] : [],
    );
  const types = body?.contents.map(({ mediaType }) => mediaType) ?? [];
  const statusNames = groupBy(errors, ({ status }) => status).flatMap(([status, all]) =>
    all.length === 1 ? [[status, all[0]?.name] as const] : [],
  );
  const found = toPresent({
    headers: toRecord(sentIn('header')),
    cookies: toRecord(sentIn('cookie')),
    form: types.includes('multipart/form-data') && !types.includes('application/json') ? true : undefined,
    key: facts?.idempotencyKey === undefined ? undefined : true,
    contents: toRecord(responses.map(({ status, kind }) => [status, kind === 'data' ? undefined : kind])),
    errors: findDocumentFacts(document)?.envelope.isOwnError ? toRecord(statusNames) : undefined,
    kinds: toRecord([
      ...responses.map(({ status, data }) => [status, kinds.find(data())] as const),
      ...errors.map(({ name = '', meta }) => [name, kinds.find(meta)] as const),
    ]),
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Undefined where none of the values is there. */
function toRecord(entries: readonly (readonly [string, unknown])[]): object | undefined {
  const present = entries.filter(([, value]) => value !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}

/** Without the fields that are undefined or empty. */
function toPresent(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value === true || Object.keys(Object(value)).length > 0),
  );
}

/** The body of the interface, in which calls stand under their groups. */
function toTree(operations: readonly ClientOperation[], depth = 0): string {
  const own = operations.filter(({ groups }) => groups.length === depth).map(({ property }) => property);
  const inGroups = operations.filter(({ groups }) => groups.length > depth);
  const trees = groupBy(inGroups, ({ groups }) => groups[depth] ?? '').map(
    ([name, members]) => `readonly ${toPropertyName(name)}: ${toTree(members, depth + 1)};`,
  );
  return `{\n${indent([...own, ...trees].join('\n'))}\n}`;
}

function groupBy<Item>(
  items: readonly Item[],
  toName: (item: Item) => string,
): readonly (readonly [string, readonly Item[]])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(toName(item), [...(groups.get(toName(item)) ?? []), item]);
  return [...groups];
}
