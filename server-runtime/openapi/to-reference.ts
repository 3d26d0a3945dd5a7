import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
} from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { toOperationId } from './operation-id.ts';
import {
  type Block,
  type Field,
  followSchema,
  join,
  type Line,
  type Span,
  toFields,
  toFieldTable,
  toRemarks,
  toSample,
  toTypeWords,
} from './schema-words.ts';
import { toCallBlocks } from './to-call-blocks.ts';
import { toErrorRows } from './to-error-rows.ts';

/** An operation at its place. */
export interface PlacedOperation {
  /** `users.getUser` */
  readonly key: string;
  /** As it was declared; undefined where the document was edited. */
  readonly declared: Operation | undefined;
  readonly method: string;
  /** `/users/{id}` */
  readonly template: string;
  readonly operation: OperationObject;
}

/** The page of an API for its readers: the operations by group, the jobs, and the types that they share. */
export function toReference(document: OpenApiDocument, registry: readonly Operation[]): readonly Block[] {
  const declaredAt = new Map(registry.map((operation) => [toOperationId(operation.key), operation]));
  const operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]): PlacedOperation => {
      const declared = declaredAt.get(operation.operationId);
      return {
        key: declared?.key ?? operation.operationId,
        declared,
        method: method.toUpperCase(),
        template,
        operation,
      };
    }),
  );
  const { title, version, description = '' } = document.info;
  const groups = [...new Set(operations.map(toGroup))];
  return [
    { kind: 'heading', level: 1, text: title },
    { kind: 'text', line: [`Version ${version}.`] },
    { kind: 'foreign', text: description },
    {
      kind: 'table',
      head: ['Operation', 'Route', 'Access'],
      rows: operations.map((each) => [
        [{ link: each.key }, each.operation.deprecated === true ? ' (deprecated)' : ''],
        [{ code: toRoute(each) }],
        toAccess(each),
      ]),
    },
    ...groups.flatMap((group): readonly Block[] => [
      { kind: 'heading', level: 2, text: group === '' ? 'Other' : group },
      { kind: 'foreign', text: document.tags?.find(({ name }) => name === group)?.description ?? '' },
      ...operations.filter((each) => toGroup(each) === group).flatMap((each) => toOperationBlocks(each, document)),
    ]),
    ...toJobBlocks(document),
    ...toTypeBlocks(document),
  ];
}

function toGroup({ operation }: PlacedOperation): string {
  return operation.tags?.[0] ?? '';
}

/** `GET /users/:id`, `PUT /files/*path`: a parameter with a star takes the rest of the path. */
function toRoute({ method, template, operation: { parameters = [] } }: PlacedOperation): string {
  const isRest = (name: string): boolean =>
    parameters.some((each) => each.name === name && each['x-wildcard'] === true);
  return `${method} ${template.replace(/\{(.+?)\}/g, (_, name: string) => `${isRest(name) ? '*' : ':'}${name}`)}`;
}

function toAccess({ declared, operation: { security } }: PlacedOperation): Line {
  const guards = declared?.definition.guards.map(({ name }) => name) ?? security.flatMap(Object.keys);
  return guards.length === 0 ? ['public'] : join(guards.map((guard): Line => [{ code: guard }]));
}

/** The resources and the prompt that an operation is for agents; nothing where it is none. */
function toOfferBlocks({ key, declared }: PlacedOperation): readonly Block[] {
  const { resources = [], prompt } = declared?.definition.offers ?? {};
  const offers = [
    ...resources.map(({ uri }): Line => ['the resource ', { code: uri }]),
    ...(prompt === undefined ? [] : [['the prompt ', { code: prompt.name ?? key.replaceAll('.', '_') }] as const]),
  ];
  if (offers.length === 0) return [];
  return [{ kind: 'text', line: ['For AI agents it is ', ...join(offers, ' and '), ', too.'] }];
}

function toOperationBlocks(placed: PlacedOperation, document: OpenApiDocument): readonly Block[] {
  const { key, declared, operation } = placed;
  const { summary, description = summary, deprecated, parameters = [], requestBody, responses } = operation;
  const found = Object.entries(responses).map(
    ([status, response]) => [status, toResponse(response, document)] as const,
  );
  const errors = found.filter(([status]) => Number(status) >= 400);
  return [
    { kind: 'heading', level: 3, text: key },
    { kind: 'text', line: [{ code: toRoute(placed) }] },
    { kind: 'foreign', text: description },
    ...(deprecated === true ? [{ kind: 'text', line: [{ strong: 'Deprecated.' }] } as const] : []),
    ...(declared?.definition.guards.length
      ? [{ kind: 'text', line: ['Guarded by ', ...toAccess(placed), '.'] } as const]
      : []),
    ...toOfferBlocks(placed),
    ...toCallBlocks(placed, document),
    {
      kind: 'table',
      head: ['Field', 'In', 'Type', 'Required', 'Description'],
      rows: [
        ...parameters.flatMap((each) => toParameterFields(each).map((field) => toInputRow(field, [each.in]))),
        ...toBodyRows(requestBody, document),
      ],
    },
    ...found.flatMap(([status, response]) =>
      Number(status) < 400 ? toResponseBlocks(status, response, document) : [],
    ),
    {
      kind: 'table',
      head: ['Status', 'Error', 'When', 'Carries'],
      rows: errors.flatMap(([status, response]) => toErrorRows(status, response, { document, declared })),
    },
  ];
}

function toParameterFields({ name, schema, description, required = false }: ParameterObject): readonly Field[] {
  const told = description === undefined ? schema : { ...schema, description };
  return toFields({ type: 'object', properties: { [name]: told }, required: required ? [name] : [] });
}

/** The fields of a body or form, or the whole of it where it has none. */
function toBodyRows(body: RequestBodyObject | undefined, document: OpenApiDocument): readonly (readonly Line[])[] {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (media === undefined) return [];
  const place = type === 'multipart/form-data' ? 'form' : 'body';
  const fields = toFields(followSchema(media.schema, document.components.schemas));
  if (fields.length > 0) return fields.map((field) => toInputRow(field, [place]));
  return [[[], [place], [{ code: toTypeWords(media.schema) }], [body?.required === true ? 'yes' : 'no'], []]];
}

function toInputRow({ name, schema, isRequired }: Field, ...place: readonly Line[]): readonly Line[] {
  const type = { code: toTypeWords(schema) };
  return [[{ code: name }], ...place, [type], [isRequired ? 'yes' : 'no'], toRemarks(schema)];
}

function toResponse(response: ResponseObject | ReferenceObject, { components }: OpenApiDocument): ResponseObject {
  if (!('$ref' in response)) return response;
  return components.responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)] ?? { description: '' };
}

/** A body or a response, with an example of it. */
function toResponseBlocks(status: string, response: ResponseObject, document: OpenApiDocument): readonly Block[] {
  const { content = {}, headers = {} } = response;
  const [type, media] = Object.entries(content)[0] ?? [];
  const names = Object.keys(headers).map((name): Line => [{ code: name }]);
  const isJson = type !== undefined && /[/+]json\b/.test(type);
  const item = media?.schema['contentSchema'] as JsonSchema | undefined;
  const what: Line =
    media === undefined || type === undefined
      ? [Number(status) >= 300 ? 'a redirect' : 'no content']
      : item === undefined
        ? [{ code: isJson ? toTypeWords(toData(media.schema)) : type }]
        : ['items of ', { code: toTypeWords(item) }];
  const more =
    names.length === 0 ? [] : [names.length > 1 ? ', and the headers ' : ', and the header ', ...join(names)];
  const { schemas } = document.components;
  const data = item ?? (isJson && media !== undefined ? toData(media.schema) : undefined);
  const isKnown = data !== undefined && toSample(data, schemas) !== undefined;
  const sample = isKnown ? toSample(item ?? media?.schema ?? {}, schemas) : undefined;
  return [
    { kind: 'text', line: [`Responds ${status} with `, ...what, ...more, '.'] },
    ...(sample === undefined
      ? []
      : [{ kind: 'code', language: 'json', text: JSON.stringify(sample, undefined, 2) } as const]),
    toFieldTable(data ?? {}),
  ];
}

/** The schema of the data out of the usual envelope, or the whole of another. */
function toData(schema: JsonSchema): JsonSchema {
  const properties = Object(schema['properties']) as Readonly<Record<string, JsonSchema>>;
  return Object.keys(properties).length === 1 && properties['data'] !== undefined ? properties['data'] : schema;
}

function toTypeBlocks({ components: { schemas } }: OpenApiDocument): readonly Block[] {
  const types = Object.entries(schemas).flatMap(([name, schema]): readonly Block[] => [
    { kind: 'heading', level: 3, text: name },
    { kind: 'foreign', text: typeof schema['description'] === 'string' ? schema['description'] : '' },
    ...(toFields(schema).length > 0
      ? [toFieldTable(schema)]
      : [{ kind: 'text', line: [{ code: toTypeWords(schema) }] } as const]),
  ]);
  return types.length === 0 ? [] : [{ kind: 'heading', level: 2, text: 'Types' }, ...types];
}

/** The capabilities that a queue runs. */
export function toJobBlocks(document: OpenApiDocument): readonly Block[] {
  const jobs = Object.entries(document['x-jobs'] ?? {});
  if (jobs.length === 0) return [];
  return [
    { kind: 'heading', level: 2, text: 'Jobs' },
    {
      kind: 'text',
      line: ['A queue runs these, within the server: they are added by code, and not called over HTTP.'],
    },
    ...jobs.flatMap(
      ([key, { description = '', input, maxJobs, attempts, backoffMs, rate, repeat }]): readonly Block[] => {
        const words: Span[] = [
          `Runs ${maxJobs} at once in each process, in ${attempts} attempts, ${backoffMs} ms apart at first`,
        ];
        if (rate !== undefined) words.push(`, at most ${rate.limit} in ${rate.windowMs} ms`);
        if (repeat !== undefined)
          words.push(
            ', repeated at ',
            { code: repeat.cron },
            repeat.timezone === undefined ? '' : ` in ${repeat.timezone}`,
          );
        const fields = input === undefined ? [] : toFields(followSchema(input, document.components.schemas));
        return [
          { kind: 'heading', level: 3, text: `${key} as a job` },
          { kind: 'text', line: [{ code: `enqueue('${key}', …)` }] },
          { kind: 'foreign', text: description },
          { kind: 'text', line: [...words, '.'] },
          {
            kind: 'table',
            head: ['Field', 'Type', 'Required', 'Description'],
            rows: fields.map((field) => toInputRow(field)),
          },
        ];
      },
    ),
  ];
}
