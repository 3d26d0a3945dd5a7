import type { JobSettings } from '../../server-runtime/server/job.ts';
import {
  type ApiBody,
  type ApiOperation,
  type ApiParameter,
  type ApiRoute,
  type Credential,
  JOB,
} from './api-operation.ts';
import { type ApiSchema, toObjectSchema } from './branch.ts';
import { type DocumentFacts, FACTS, type OperationFacts, type OtherRouteFacts, type RouteFacts } from './facts.ts';
import { follow, isSchemaObject, listOf, once, recordOf, type SchemaJson, textOf } from './schema-json.ts';
import {
  isSuccess,
  type ResponseSource,
  toApiContents,
  toDocumentedErrors,
  toParameterSchema,
  toResponse,
} from './to-response.ts';

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
  const facts = (document as SchemaJson)[FACTS];
  return isSchemaObject(facts) ? (facts as unknown as DocumentFacts) : undefined;
}

type Lists = WeakMap<object, readonly ApiOperation[]>;

const operationLists: Lists = new WeakMap();
const jobLists: Lists = new WeakMap();

function remember(lists: Lists, document: object, make: (json: SchemaJson) => readonly ApiOperation[]) {
  const list = lists.get(document) ?? make(document as SchemaJson);
  lists.set(document, list);
  return list;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

function read(document: SchemaJson): readonly ApiOperation[] {
  const facts = findDocumentFacts(document);
  const prefix = facts === undefined ? findPrefix(document) : '';
  const places = Object.entries(recordOf(document['paths'])).flatMap(([template, given]) => {
    const item = follow(given, document);
    return Object.entries(item).flatMap(([name, object]) => {
      if (!(methods as readonly string[]).includes(name) || !isSchemaObject(object)) return [];
      const notes = toNotes(object);
      // Of two routes that clash, the second has a number.
      const path = notes === undefined ? template : template.replace(/#\d+$/, '');
      const route = { method: name.toUpperCase(), path: `${prefix}${toPath(path, notes?.wildcard)}` };
      return [{ template, item, object, notes, route }];
    });
  });
  const known = new Map<string, { facts?: RouteFacts; readonly routes: ApiRoute[] }>();
  for (const { notes, route } of places) {
    if (notes === undefined) continue;
    const same = known.get(notes.key) ?? { routes: [] };
    same.routes.push(route);
    if (!('isOther' in notes)) same.facts = notes;
    known.set(notes.key, same);
  }
  return places.map(({ template, item, object, notes, route }) => {
    const own = notes && known.get(notes.key);
    const key = notes?.key ?? textOf(object['operationId']) ?? `${route.method} ${prefix}${template}`;
    return toOperation(
      { document, object, item, facts: own?.facts, envelope: facts?.envelope.dataPath },
      {
        ...toNames(key, own !== undefined),
        ...route,
        template,
        isMain: notes === undefined || !('isOther' in notes),
        otherRoutes: own?.routes.filter((other) => other !== route) ?? [],
      },
    );
  });
}

type Notes = RouteFacts | OtherRouteFacts;

function toNotes(object: SchemaJson): Notes | undefined {
  const notes = object[FACTS];
  return isSchemaObject(notes) && typeof notes['key'] === 'string' ? (notes as unknown as Notes) : undefined;
}

function toNames(key: string, isOurs: boolean): Pick<ApiOperation, 'key' | 'groups' | 'name'> {
  const groups = isOurs ? key.split('.').slice(0, -1) : [];
  return { key, groups, name: isOurs ? (key.split('.').at(-1) ?? key) : key };
}

/** `/files/{path}` as the tool writes it: `/files/:path`, or `/files/*path` where that takes the rest. */
function toPath(template: string, wildcard: string | undefined): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => `${name === wildcard ? '*' : ':'}${name}`);
}

/** The path of the first server, which stands before all others. */
function findPrefix({ servers }: SchemaJson): string {
  const url = textOf(recordOf(listOf(servers)[0])['url']) ?? '';
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/+$/, '');
  return path.startsWith('/') ? path : '';
}

/** An operation object with what is around it. */
interface Source extends ResponseSource {
  readonly object: SchemaJson;
  readonly item: SchemaJson;
}

type Place = Pick<ApiOperation, 'key' | 'groups' | 'name' | 'method' | 'path' | 'template' | 'isMain' | 'otherRoutes'>;

function toOperation(source: Source, place: Place): ApiOperation {
  const { document, object, item, facts } = source;
  const responses = Object.entries(recordOf(object['responses'])).map(
    ([status, response]) => [status, follow(response, document)] as const,
  );
  const parameters = once(() => toParameters(source));
  const body = once(() => toBody(follow(object['requestBody'], document), document));
  const successes = once(() =>
    responses.filter(([status]) => isSuccess(status)).map(([status, response]) => toResponse(status, response, source)),
  );
  const input = once(() =>
    facts === undefined ? toInput(parameters(), object, document) : toSchema(facts.input, document),
  );
  const errors = once(() =>
    responses
      .filter(([status]) => !isSuccess(status))
      .flatMap(([status, response]) => toDocumentedErrors(status, response, document)),
  );
  return {
    ...place,
    params: [...place.path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name),
    operationId: textOf(object['operationId']),
    summary: textOf(object['summary']) ?? textOf(item['summary']),
    description: textOf(object['description']) ?? textOf(item['description']),
    isDeprecated: object['deprecated'] === true,
    get parameters() {
      return parameters();
    },
    get body() {
      return body();
    },
    input,
    declaredInput: once(() => toDeclared(input())),
    get responses() {
      return successes();
    },
    get errors() {
      return errors();
    },
    security: toSecurity(object, document),
    facts,
    job: undefined,
  };
}

function toJob(key: string, job: SchemaJson, document: SchemaJson): ApiOperation {
  const { input, description, maxJobs, attempts, backoffMs, rate, repeat } = job;
  const taken = toSchema(input, document);
  const facts = isSchemaObject(job[FACTS]) ? (job[FACTS] as unknown as OperationFacts) : undefined;
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
    input: () => taken,
    declaredInput: once(() => toDeclared(taken)),
    responses: [],
    errors: [],
    security: [],
    facts,
    job: { maxJobs, attempts, backoffMs, rate, repeat } as JobSettings,
  };
}

function toParameters({ object, item, document, facts }: Source): readonly ApiParameter[] {
  const all = [...listOf(item['parameters']), ...listOf(object['parameters'])].map((each) => follow(each, document));
  // What an operation says of a parameter counts before what its path says.
  const byPlace = new Map(
    all.map((parameter) => [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter]),
  );
  return [...byPlace.values()].map((parameter) => {
    const { in: place, required, deprecated, description, style, explode } = parameter;
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
      style: textOf(style),
      explode: typeof explode === 'boolean' ? explode : undefined,
      schema: { json: toParameterSchema(parameter), root: document },
    };
  });
}

function toBody(body: SchemaJson, document: SchemaJson): ApiBody | undefined {
  if (!isSchemaObject(body['content'])) return undefined;
  return { isRequired: body['required'] === true, contents: toApiContents(body, document) };
}

/**
 * The parts of a foreign request as one value: fields of the path and the query, `header x-tenant`, and those of the
 * body.
 */
function toInput(parameters: readonly ApiParameter[], object: SchemaJson, root: SchemaJson): ApiSchema | undefined {
  const { content } = follow(object['requestBody'], root);
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

/** A schema that is no object admits anything, and nobody declared it. */
function toSchema(json: unknown, root: SchemaJson): ApiSchema | undefined {
  return isSchemaObject(json) ? { json, root } : undefined;
}

function toDeclared(schema: ApiSchema | undefined): ApiSchema | undefined {
  return schema && { ...schema, isDeclared: true };
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
