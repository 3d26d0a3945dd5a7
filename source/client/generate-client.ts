import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { Envelope } from '../../server-runtime/http/envelope.ts';
import {
  type ApiDescription,
  type Endpoint,
  findAnswers,
  findErrors,
  type ListedAnswer,
  type ListedError,
} from '../manifest/describe-api.ts';
import { toShape } from '../shape/read/to-shape.ts';
import type { Shape } from '../shape/shape.ts';
import { toClientInput } from './client-input.ts';
import { type ClientRoute, toClientRoute } from './client-route.ts';
import { createRevivers, findReviverParts, type Revivers } from './create-revivers.ts';
import { toMethodsTree } from './methods-tree.ts';
import {
  nameComponents,
  reservedNames,
  reservedValues,
  toFreeName,
  toTypeName,
  toValueName,
} from './name-components.ts';
import { indent, type TypeNames, toComment, toDocblock, toPropertyName, toTypeScript } from './to-type-script.ts';

export interface ClientSource {
  /** Types of components, inputs and answers. */
  readonly types: string;
  /** The operations as data: `export const usersGetUser: Operation<…> = {…};`. */
  readonly operations: string;
  /** The body of the object that the client is: `users: { getUser: call(usersGetUser) }`. */
  readonly methods: string;
  /** The data of a `body`, as TypeScript. */
  readonly data: string;
  /** The facts that an error is `about`, as TypeScript. */
  readonly meta: string;
  /** Whether a `body` has data, as TypeScript. */
  readonly isData: string;
  /** The files of `templates/client/parts` that the methods need. */
  readonly parts: readonly string[];
}

export interface ClientTypes {
  /** The module of the capabilities as the client imports it: the types of its handlers stand for answers that are not declared. */
  readonly typesModule?: string | undefined;
}

/** The parts of a typed client that depend on the API. */
export function generateClient(
  { document, endpoints, envelope }: ApiDescription,
  { typesModule }: ClientTypes = {},
): ClientSource {
  const taken = new Set(reservedNames);
  const names = nameComponents(document, taken);
  const revivers = createRevivers(names);
  const takenValues = new Set(reservedValues);
  const naming = { document, envelope, names, taken, takenValues, toReviver: revivers.toReviver, typesModule };
  const methods = endpoints.map((endpoint) => toMethod(endpoint, naming));
  const declarations = revivers.declarations();
  const reviverParts = findReviverParts([...methods.map(({ route }) => route.text), ...declarations].join('\n'));
  const components = Object.entries(document.components.schemas).flatMap(([name, schema]) => {
    const typeName = names.get(`#/components/schemas/${name}`);
    return name === 'Error' || typeName === undefined
      ? []
      : [toTypeDeclaration(typeName, toShape(schema, document), names)];
  });
  return {
    types: [...components, ...methods.map(({ inputType }) => inputType), ...declarations]
      .filter((type) => type !== undefined)
      .join('\n\n'),
    operations: methods.map(({ operation }) => operation).join('\n\n'),
    methods: toMethodsTree(methods.map(({ groups, name, text }) => ({ groups, name, text }))),
    ...toDataReader(envelope, reviverParts.length > 0),
    parts: [
      'retry',
      envelope.failure === undefined ? 'own-errors' : 'other-errors',
      ...toParts(methods),
      ...reviverParts,
    ],
  };
}

function toDataReader({ dataPath }: Envelope, hasRevivers: boolean): Pick<ClientSource, 'data' | 'meta' | 'isData'> {
  const [name, ...outer] = dataPath.map((field) => JSON.stringify(field)).toReversed();
  const holder = outer.toReversed().reduce((inside, field) => `(Object(${inside}) as Fields)[${field}]`, 'body');
  const data = name === undefined ? 'body' : `(${holder} as Fields)[${name}] ?? null`;
  return {
    data: hasRevivers ? `revived(sending.route.revive?.[status], ${data})` : data,
    meta: hasRevivers ? 'revived(sending.route.reviveMeta?.[about.name], about.meta) as Meta' : 'about.meta',
    isData: name === undefined ? 'body !== undefined' : `${name} in Object(${holder})`,
  };
}

/** The parts that routes name, with those that they need themselves. */
function toParts(methods: readonly Method[]): readonly string[] {
  const named = new Set(methods.flatMap(({ route }) => route.parts));
  if (named.has('to-form-or-json')) named.add('to-form').add('to-json');
  named.add(named.has('read-stream') ? 'within-until-stream' : 'within');
  return [...named].toSorted();
}

interface Naming {
  readonly envelope: Envelope;
  readonly document: OpenApiDocument;
  readonly names: TypeNames;
  /** Names of types. */
  readonly taken: Set<string>;
  readonly takenValues: Set<string>;
  readonly toReviver: Revivers['toReviver'];
  readonly typesModule: string | undefined;
}

function toTypeDeclaration(name: string, shape: Shape, names: TypeNames): string {
  return `${toDocblock(shape)}export type ${name} = ${toTypeScript(shape, names)};`;
}

interface Method {
  readonly groups: readonly string[];
  readonly name: string;
  readonly text: string;
  /** The declaration of the operation. */
  readonly operation: string;
  readonly route: ClientRoute;
  /** The declaration of its input, where it takes any. */
  readonly inputType: string | undefined;
}

function toMethod(endpoint: Endpoint, naming: Naming): Method {
  const { operation, object } = endpoint;
  const input = toClientInput(endpoint, naming);
  const inputName =
    input === undefined ? undefined : toFreeName(toTypeName(`${object.operationId}_Input`), naming.taken);
  const answers = findAnswers(endpoint, naming);
  const output = toOutputType(operation, answers, naming);
  const listed = findErrors(object, naming.document);
  const errors = toErrorTypes(listed, naming.names);
  const args =
    input === undefined
      ? '[input?: undefined, options?: CallOptions]'
      : `[input${input.required ? '' : '?'}: ${inputName ?? ''}, options?: CallOptions]`;
  const comment = toComment(
    [object.description ?? object.summary, object.deprecated === true ? '@deprecated' : ''].join('\n'),
  );
  const route = toClientRoute(endpoint, {
    answers,
    errors: listed,
    names: toErrorNames(endpoint, naming),
    toReviver: naming.toReviver,
  });
  const constant = toFreeName(toValueName(operation.key), naming.takenValues);
  const types = indent([args, output, ...errors].join(',\n'));
  return {
    groups: operation.groups,
    name: operation.name,
    route,
    text: `${comment}NAME: call(${constant}),`,
    operation: `${comment}export const ${constant}: Operation<\n${types}\n> = { ${route.text} };`,
    inputType:
      input === undefined
        ? undefined
        : `/** Input of \`${operation.key}\`. */\nexport type ${inputName ?? ''} = ${input.type};`,
  };
}

/** The name of the error of each status, where answers do not say it themselves and the status has one alone. */
function toErrorNames({ object }: Endpoint, { document, envelope }: Naming): Readonly<Record<string, string>> {
  if (envelope.failure === undefined) return {};
  const errors = findErrors(object, document);
  return Object.fromEntries(
    errors
      .filter(({ status }) => errors.filter((other) => other.status === status).length === 1)
      .map(({ status, name }) => [status, name]),
  );
}

/** The type that a call gives. Of an answer that is not declared only the handler knows it. */
function toOutputType(
  { key, definition }: Endpoint['operation'],
  answers: readonly ListedAnswer[],
  { names, typesModule }: Naming,
): string {
  if (typesModule !== undefined && definition.answers.length === 0)
    return `ResultAt<typeof source, ${JSON.stringify(key)}>`;
  return [...new Set(answers.map((answer) => toAnswerType(answer, names)))].join(' | ');
}

/** The type that a call gives for one answer. */
function toAnswerType({ kind, shape }: ListedAnswer, names: TypeNames): string {
  switch (kind) {
    case 'data':
      return toTypeScript(shape ?? { kind: 'any' }, names);
    case 'none':
      return 'null';
    case 'text':
    case 'redirect':
      return 'string';
    case 'bytes':
      return 'Blob';
    case 'stream':
      return `AsyncIterable<${toTypeScript(shape ?? { kind: 'any' }, names)}>`;
  }
}

/** A union of names, and the metas of those that declare one. */
function toErrorTypes(errors: readonly ListedError[], names: TypeNames): readonly string[] {
  const all = errors.map(({ name }) => JSON.stringify(name)).join(' | ') || 'never';
  const metas = errors.flatMap(({ name, meta }) =>
    meta === undefined ? [] : [`readonly ${toPropertyName(name)}: ${toTypeScript(meta, names)};`],
  );
  return metas.length === 0 ? [all] : [all, `{\n${indent(metas.join('\n'))}\n}`];
}
