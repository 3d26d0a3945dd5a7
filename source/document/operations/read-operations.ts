import { type JsonSchema, mapSubschemas } from '../../../server-runtime/schema/json-schema.ts';
import type { JobSettings } from '../../../server-runtime/server/job.ts';
import { type ApiSchema, toObjectSchema } from '../branch.ts';
import {
  type DocumentFacts,
  FACTS,
  type OperationFacts,
  type OtherRouteFacts,
  type RouteFacts,
} from '../facts.ts';
import {
  follow,
  isSchemaObject,
  listOf,
  once,
  recordOf,
  type SchemaJson,
  textOf,
  toTexts,
} from '../schema-json.ts';
import {
  type ApiOperation,
  type ApiParameter,
  type ApiRoute,
  type Credential,
  JOB,
} from './api-operation.ts';
import { toApiContents, toDocumentedErrors, toParameterSchema, toResponse } from './to-response.ts';

/**
 * The operations of an OpenAPI document of 3.0 or 3.1: one that the tool wrote, with everything that `x-capix` says, or
 * anybody's. In the order of the document; the same list for the same document. Never throws: what is not as it should
 * be is passed over.
 */
export function readOperations(document: object): readonly ApiOperation[] {
  return remember(operationLists, document, read);
}

/** The capabilities that a queue runs, as `x-jobs` of a document of ours has them. */
export function readJobs(document: object): readonly ApiOperation[] {
  return remember(jobLists, document, (json) =>
    Object.entries(recordOf(json['x-jobs'])).map(([key, job]) => toJob(key, recordOf(job), json)),
  );
}

/** The facts of the whole API that OpenAPI has no word for; undefined for one that the tool did not write. */
export function findDocumentFacts(document: object): DocumentFacts | undefined {
  return factsOf<DocumentFacts>(document as SchemaJson);
}

function factsOf<Facts>({ [FACTS]: facts }: SchemaJson): Facts | undefined {
  return isSchemaObject(facts) ? (facts as Facts) : undefined;
}

type Lists = WeakMap<object, readonly ApiOperation[]>;

const operationLists: Lists = new WeakMap();
const jobLists: Lists = new WeakMap();
const webhookLists: Lists = new WeakMap();

function remember(
  lists: Lists,
  document: object,
  make: (json: SchemaJson) => readonly ApiOperation[],
) {
  const list = lists.get(document) ?? make(document as SchemaJson);
  lists.set(document, list);
  return list;
}

/** Those of OpenAPI 3.2. */
export const methods: ReadonlySet<string> = new Set(
  'get put post delete options head patch trace query'.split(' '),
);

/** A path item, of which some may stand elsewhere, and some beside the reference to it. */
function toItem(given: unknown, document: SchemaJson): SchemaJson {
  const { $ref: reference, ...own } = recordOf(given);
  return reference === undefined ? own : { ...follow(given, document), ...own };
}

/** The operations of a path by their methods in capitals: since OpenAPI 3.2 there may be any others. */
function toMethods(item: SchemaJson): readonly (readonly [string, SchemaJson])[] {
  const own = Object.entries(item).flatMap(([word, object]) =>
    methods.has(word) ? [[word.toUpperCase(), object] as const] : [],
  );
  return [...own, ...Object.entries(recordOf(item['additionalOperations']))].flatMap(
    ([method, object]) => (isSchemaObject(object) ? [[method, object] as const] : []),
  );
}

/** An operation object at its place. */
interface Place {
  readonly template: string;
  /** The path item. */
  readonly item: SchemaJson;
  readonly object: SchemaJson;
  readonly notes: RouteFacts | OtherRouteFacts | undefined;
  readonly route: ApiRoute;
}

function read(document: SchemaJson): readonly ApiOperation[] {
  const prefix = findDocumentFacts(document) === undefined ? findPrefix(document) : '';
  const places = Object.entries(recordOf(document['paths'])).flatMap(([template, given]) => {
    const item = toItem(given, document);
    return toMethods(item).flatMap(([method, object]): readonly Place[] => {
      const notes = factsOf<RouteFacts | OtherRouteFacts>(object);
      // Of two routes that clash, the second has a number.
      const path = notes === undefined ? template : template.replace(/#\d+$/, '');
      const own = `${prefix}${toPath(path, notes?.wildcard)}`;
      // Our server takes a slash at the end or none; another one answers 404.
      const route = { method, path: notes === undefined ? own : own.replace(/(.)\/+$/, '$1') };
      return [{ template, item, object, notes, route }];
    });
  });
  const known = new Map<string, Place[]>();
  for (const place of places)
    if (place.notes !== undefined)
      known.set(place.notes.key, [...(known.get(place.notes.key) ?? []), place]);
  return places.map((place) => {
    const { notes, object, route, template } = place;
    const key =
      notes?.key ?? textOf(object['operationId']) ?? `${route.method} ${prefix}${template}`;
    return toOperation(key, place, {
      document,
      same: notes === undefined ? [] : (known.get(key) ?? []),
    });
  });
}

/**
 * `/files/{path}` as the tool writes it: `/files/:path`, or `/files/*path` where that takes the rest. Where a
 * document of
 * others has text beside a parameter, it stays: `/files/{path}.zip`.
 */
function toPath(template: string, wildcard: string | undefined): string {
  return template.replaceAll(
    /(?<=\/)\{([^{}]+)\}(?=\/|$)/g,
    (_whole, name: string) => `${name === wildcard ? '*' : ':'}${name}`,
  );
}

/** The path of the first server, which stands before all others. */
function findPrefix({ servers }: SchemaJson): string {
  const url = textOf(recordOf(listOf(servers)[0])['url']) ?? '';
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/+$/, '');
  return path.startsWith('/') ? path : '';
}

interface Around {
  readonly document: SchemaJson;
  /** All places of the capability; none in documents of others. */
  readonly same: readonly Place[];
}

function toOperation(
  key: string,
  { template, item, object, notes, route }: Place,
  { document, same }: Around,
): ApiOperation {
  const main = same
    .map((place) => place.notes)
    .find((each) => each !== undefined && !('isOther' in each));
  const facts = main as RouteFacts | undefined;
  const responses = Object.entries(recordOf(object['responses'])).map(
    ([status, response]) => [status, follow(response, document)] as const,
  );
  const dataField = findDocumentFacts(document)?.envelope.dataField;
  const body = follow(object['requestBody'], document);
  const parameters = once(() => toParameters([item, object], document, facts));
  const contents = once(() => toApiContents(body, document));
  const isGood = ([status]: readonly [string, SchemaJson]): boolean => /^[123]/.test(status);
  const successes = once(() =>
    responses.filter(isGood).map((entry) => toResponse(...entry, { document, facts, dataField })),
  );
  const errors = once(() =>
    responses
      .filter((entry) => !isGood(entry))
      .flatMap((entry) => toDocumentedErrors(...entry, document)),
  );
  const callbacks = once(() => toCallbacks(object['callbacks'], document));
  return {
    ...toNames(key, same.length > 0),
    ...route,
    template,
    isMain: notes === undefined || !('isOther' in notes),
    otherRoutes: same.flatMap((other) => (other.object === object ? [] : [other.route])),
    params: [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name),
    operationId: textOf(object['operationId']),
    summary: textOf(object['summary']) ?? textOf(item['summary']),
    description: textOf(object['description']) ?? textOf(item['description']),
    isDeprecated: object['deprecated'] === true,
    get parameters() {
      return parameters();
    },
    get body() {
      return isSchemaObject(body['content'])
        ? { isRequired: body['required'] === true, contents: contents() }
        : undefined;
    },
    ...toInputs(() =>
      facts === undefined ? toInput(parameters(), body, document) : toSchema(facts.input, document),
    ),
    get responses() {
      return successes();
    },
    get errors() {
      return errors();
    },
    security: toSecurity(object, document),
    facts,
    job: undefined,
    source: { operation: object, pathItem: item },
    servers: toServers(object['servers'] ?? item['servers']),
    get callbacks() {
      return callbacks();
    },
    document,
  };
}

/** The addresses of servers in the order of the document. */
export function toServers(servers: unknown): readonly string[] {
  return listOf(servers).flatMap((server) => textOf(recordOf(server)['url']) ?? []);
}

/** What the server calls without having been asked, by name and method: `orderPaid POST`. */
export function readWebhooks(document: object): readonly ApiOperation[] {
  return remember(webhookLists, document, (json) => {
    const webhooks = { ...recordOf(json['x-webhooks']), ...recordOf(json['webhooks']) };
    return Object.entries(webhooks).flatMap(([name, item]) => toCalls(name, item, json));
  });
}

function toCallbacks(callbacks: unknown, document: SchemaJson): readonly ApiOperation[] {
  return Object.entries(recordOf(callbacks)).flatMap(([name, callback]) =>
    Object.entries(follow(callback, document)).flatMap(([address, item]) =>
      toCalls(`${name} ${address}`, item, document),
    ),
  );
}

/** The calls of one item, whose name stands in the place of a path. */
function toCalls(name: string, given: unknown, document: SchemaJson): readonly ApiOperation[] {
  const item = toItem(given, document);
  return toMethods(item).map(([method, object]) => {
    const place = { template: '', item, object, notes: undefined, route: { method, path: name } };
    return toOperation(`${name} ${method}`, place, { document, same: [] });
  });
}

function toNames(key: string, isOurs: boolean): Pick<ApiOperation, 'key' | 'groups' | 'name'> {
  const names = isOurs ? key.split('.') : [key];
  return { key, groups: names.slice(0, -1), name: names.at(-1) ?? key };
}

function toInputs(
  make: () => ApiSchema | undefined,
): Pick<ApiOperation, 'input' | 'declaredInput'> {
  const input = once(make);
  const declared = once(() => {
    const { json, root } = input() ?? {};
    return isSchemaObject(json)
      ? { json: withoutCoercion(json), root: toDeclaredRoot(recordOf(root)) }
      : input();
  });
  return { input, declaredInput: declared };
}

const declaredRoots = new WeakMap<object, object>();

/** The components of a document as their authors wrote them. */
function toDeclaredRoot(root: SchemaJson): object {
  const schemas = Object.entries(recordOf(recordOf(root['components'])['schemas']));
  const written = schemas.map(([name, json]) => [name, withoutCoercion(json as JsonSchema)]);
  const declared = declaredRoots.get(root) ?? {
    components: { schemas: Object.fromEntries(written) },
  };
  declaredRoots.set(root, declared);
  return declared;
}

/** `coerce boolean` says what texts become; of another coercion the first type is that which the author wrote. */
function withoutCoercion(json: JsonSchema): JsonSchema {
  if (!isSchemaObject(json)) return json;
  const inside = mapSubschemas(json, withoutCoercion);
  const { 'x-capix-checks': checks, type } = inside;
  const word = toTexts(checks).find((check) => /^coerce\b/.test(check));
  if (word === undefined) return inside;
  return {
    ...inside,
    type: Array.isArray(type) ? (type as readonly unknown[])[0] : (word.split(' ')[1] ?? type),
  };
}

function toJob(key: string, job: SchemaJson, document: SchemaJson): ApiOperation {
  const { input, description, maxJobs, attempts, backoffMs, rate, repeat } = job;
  const facts = factsOf<OperationFacts>(job);
  return {
    ...toNames(key, true),
    method: JOB,
    path: '',
    template: '',
    isMain: true,
    params: [],
    otherRoutes: [],
    operationId: undefined,
    summary: undefined,
    description: textOf(description),
    isDeprecated: facts?.deprecation !== undefined,
    parameters: [],
    body: undefined,
    ...toInputs(() => toSchema(input, document)),
    responses: [],
    errors: [],
    security: [],
    facts,
    servers: [],
    callbacks: [],
    document,
    job: { maxJobs, attempts, backoffMs, rate, repeat } as JobSettings,
    source: undefined,
  };
}

/** The parameters of an operation: its own word counts before that of its path. */
function toParameters(
  holders: readonly SchemaJson[],
  document: SchemaJson,
  facts: RouteFacts | undefined,
): readonly ApiParameter[] {
  const all = holders
    .flatMap(({ parameters }) => listOf(parameters))
    .map((each) => follow(each, document));
  const byPlace = new Map(
    all.map((each) => [`${String(each['in'])} ${String(each['name'])}`, each]),
  );
  return [...byPlace.values()].map((parameter) => {
    const { in: place, required, deprecated, description, explode } = parameter;
    const given = String(parameter['name']);
    const name = place === 'header' ? given.toLowerCase() : given;
    const sent = facts?.sent?.find((each) => each.in === place && each.name === name);
    const isKey = place === 'header' && sent === undefined && facts?.idempotencyKey !== undefined;
    return {
      name,
      in: place as ApiParameter['in'],
      field: isKey ? undefined : (sent?.field ?? given),
      isRequired: required === true || place === 'path',
      isDeprecated: deprecated === true,
      description: textOf(description),
      style: findStyle(parameter),
      explode: typeof explode === 'boolean' ? explode : undefined,
      schema: { json: toParameterSchema(parameter), root: document },
    };
  });
}

/** The style of a parameter, or the media type as which its value is written. */
function findStyle({ style, content }: SchemaJson): string | undefined {
  return textOf(style) ?? Object.keys(recordOf(content))[0];
}

/**
 * The parts of a foreign request as one value: fields of the path and the query, `header x-tenant`, and those of the
 * body.
 */
function toInput(
  parameters: readonly ApiParameter[],
  { content }: SchemaJson,
  root: SchemaJson,
): ApiSchema | undefined {
  const types = Object.keys(recordOf(content));
  const type = types.find((each) => /[/+]json\b/i.test(each)) ?? types[0];
  const body = type === undefined ? undefined : (recordOf(recordOf(content)[type])['schema'] ?? {});
  const fields = parameters.map(({ name, in: place, ...parameter }) => ({
    ...parameter,
    name: place === 'path' || place === 'query' ? name : `${place} ${name}`,
  }));
  if (fields.length === 0) return body === undefined ? undefined : { json: body, root };
  const { json } = toObjectSchema(fields);
  return { json: body === undefined ? json : { allOf: [json, body] }, root };
}

/** A schema that is not an object admits anything, and nobody declared it. */
function toSchema(json: unknown, root: SchemaJson): ApiSchema | undefined {
  return isSchemaObject(json) ? { json, root } : undefined;
}

function toSecurity(object: SchemaJson, document: SchemaJson): ApiOperation['security'] {
  const schemes = recordOf(recordOf(document['components'])['securitySchemes']);
  return listOf(object['security'] ?? document['security']).map((choice) =>
    Object.entries(recordOf(choice)).map(
      ([name, scopes]): Credential => ({
        name,
        scheme: follow(schemes[name], document),
        scopes: listOf(scopes).map(String),
      }),
    ),
  );
}
