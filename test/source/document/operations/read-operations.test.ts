import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  defaultErrors,
  defineError,
  defineGuard,
  stream,
  withIdempotency,
} from '../../../../server-runtime/index.ts';
import type { ApiSchema } from '../../../../source/document/branch.ts';
import { findDocumentFacts } from '../../../../source/document/facts.ts';
import {
  readJobs,
  readOperations,
} from '../../../../source/document/operations/read-operations.ts';
import { toSchemaFields } from '../../../../source/document/schema-fields.ts';
import { toTypeText } from '../../../../source/document/type-text.ts';
import { describeApi } from '../../../../source/manifest/describe-api.ts';

const flows = {
  clientCredentials: { tokenUrl: '/token', scopes: { 'orders:read': '', 'orders:write': '' } },
};
const mustRead = defineGuard(() => {}, {
  name: 'mustRead',
  security: [
    { type: 'oauth2', flows },
    { type: 'http', scheme: 'bearer' },
  ],
  scopes: ['orders:read'],
  isOptional: true,
  errors: [defaultErrors.Unauthorized],
});
const Taken = defineError(409, 'Taken', { meta: z.object({ by: z.string() }) });
const Closed = defineError(409, 'Closed');
const Order = z.object({ id: z.string(), madeAt: z.date() }).meta({ id: 'Order' });

const capabilities = {
  orders: {
    getOrder: capability(z.object({ id: z.string(), tenant: z.string() }), () => ({
      id: '',
      madeAt: new Date(),
    }))
      .output(Order)
      .takes({ headers: { tenant: 'X-Tenant' } })
      .guard(mustRead),
    createOrder: capability(
      z.object({ name: z.string().regex(/x/i), on: z.coerce.date() }),
      () => null as never,
    )
      .output(Order, { status: 201 })
      .output(z.object({ job: z.string() }), { status: 202 })
      .errors(Taken, Closed)
      .enhance(withIdempotency()),
    watchOrders: capability(async function* () {
      yield { id: '', madeAt: new Date() };
    }, 'query').output(stream(Order)),
    getFile: capability(z.object({ path: z.string() }), () => '')
      .route('GET', '/files/*path')
      .route('GET', '/old/*path'),
  },
};

function toFieldNames(schema: ApiSchema): readonly string[] {
  return toSchemaFields(schema).map(({ name }) => name);
}

function toRouteTexts(document: object) {
  return readOperations(document).map(
    ({ key, method, path, isMain }) => `${key} ${method} ${path}${isMain ? '' : ' other'}`,
  );
}

describe('a document of the tool', () => {
  const { document } = describeApi({
    registry: compileRegistry(capabilities),
    restOptions: { cors: false, calls: true },
  });
  const find = (key: string) =>
    readOperations(document).find((operation) => operation.key === key)!;

  it('says each route with its key', () => {
    expect(toRouteTexts(document)).toEqual([
      'orders.getOrder GET /orders/:id',
      'orders.createOrder POST /orders',
      'orders.watchOrders GET /orders/watch-orders',
      'orders.getFile GET /files/*path',
      'orders.getFile GET /old/*path other',
    ]);
    expect(find('orders.getFile').otherRoutes).toEqual([{ method: 'GET', path: '/old/*path' }]);
  });

  it('says what guards ask for', () => {
    const { security, facts } = find('orders.getOrder');
    expect(
      security.map((choice) => choice.map(({ name, scopes }) => `${name} ${scopes.join()}`)),
    ).toEqual([['oauth2 orders:read'], ['bearerAuth '], []]);
    expect(facts?.guards).toEqual([
      {
        name: 'mustRead',
        errors: [{ status: 401, name: 'Unauthorized' }],
        credentials: ['oauth2', 'bearerAuth'],
        scopes: ['orders:read'],
        isOptional: true,
      },
    ]);
  });

  it('says which field a header carries, and the whole input', () => {
    const { parameters, input } = find('orders.getOrder');
    expect(parameters.map(({ name, in: place, field }) => `${place} ${name} ${field}`)).toEqual([
      'path id id',
      'header x-tenant tenant',
    ]);
    expect(toFieldNames(input()!)).toEqual(['id', 'tenant']);
  });

  it('says the rules that JSON Schema does not', () => {
    const { document: json } = {
      document: JSON.parse(JSON.stringify(document)) as typeof document,
    };
    const body = Object(
      json.paths['/orders']?.['post']?.requestBody?.content['application/json']?.schema,
    );
    expect(body.properties.name).toMatchObject({ 'x-capix-checks': ['flags i of x'] });
    expect(body.properties.on).toMatchObject({
      'x-capix-kind': 'date',
      'x-capix-checks': ['coerce'],
    });
  });

  it('says each answer and each error with its facts, also where one status has several', () => {
    const { responses, errors, facts } = find('orders.createOrder');
    expect(
      responses.map(
        ({ status, kind, data }) => `${status} ${kind} ${toFieldNames(data()!).join()}`,
      ),
    ).toEqual(['201 data id,madeAt', '202 data job']);
    const conflicts = errors.filter(({ status }) => status === '409');
    expect(
      conflicts.map(
        ({ name, hasMeta, meta }) => `${name} ${hasMeta} ${meta && toFieldNames(meta).join()}`,
      ),
    ).toContain('Taken true by');
    expect(conflicts.map(({ name }) => name)).toContain('Closed');
    expect(facts?.idempotencyKey).toBe('optional');
  });

  it('says the items of a stream', () => {
    const [response] = find('orders.watchOrders').responses;
    expect(response).toMatchObject({ status: '200', kind: 'stream' });
    expect(toTypeText(response!.data()!)).toBe('Order');
    expect(response!.contents.map(({ mediaType }) => mediaType)).toEqual([
      'text/event-stream',
      'application/x-ndjson',
    ]);
  });

  it('says what holds for every call', () => {
    expect(findDocumentFacts(document)).toMatchObject({
      prefix: '',
      urlCase: 'kebab',
      envelope: { dataField: 'data', validationStatus: 400 },
      cors: false,
      calls: true,
    });
  });

  it('says the jobs of a queue', () => {
    const registry = compileRegistry({
      mails: { send: capability(z.object({ to: z.string() }), () => 1) },
    });
    const settings = new Map([['mails.send', { maxJobs: 2, attempts: 1, backoffMs: 0 }]]);
    const jobs = { registry, settings, prefixes: ['app'] };
    const { document: withJobs } = describeApi({
      registry: compileRegistry({}),
      restOptions: {},
      jobs,
    });
    expect(findDocumentFacts(withJobs)?.queuePrefixes).toEqual(['app']);
    const [job] = readJobs(JSON.parse(JSON.stringify(withJobs)));
    expect(job).toMatchObject({
      key: 'mails.send',
      groups: ['mails'],
      method: 'JOB',
      job: { maxJobs: 2 },
    });
    expect(job?.facts?.intent).toBe('mutation');
    expect(toFieldNames(job!.input()!)).toEqual(['to']);
  });
});

describe('a document of others', () => {
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example.org/v1/' }],
    security: [{ token: [] }],
    paths: {
      '/users/{id}': {
        parameters: [{ $ref: '#/components/parameters/id' }],
        put: {
          operationId: 'putUser',
          deprecated: true,
          parameters: [
            { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          ],
          requestBody: { $ref: '#/components/requestBodies/user' },
          security: [{ login: ['write'], token: [] }, {}],
          responses: {
            200: {
              description: 'Ok',
              content: { 'application/json': { schema: { type: 'string', nullable: true } } },
            },
            '2XX': {
              description: 'Ok',
              content: { 'text/event-stream': { itemSchema: { type: 'integer' } } },
            },
            302: {
              description: 'Moved',
              headers: { Location: { required: true, schema: { type: 'string' } } },
            },
            404: { $ref: '#/components/responses/gone' },
            default: { description: 'No' },
          },
        },
        get: { responses: {} },
      },
    },
    components: {
      parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
      requestBodies: {
        user: {
          required: true,
          content: {
            'application/xml': { schema: {} },
            'application/json': {
              schema: { type: 'object', properties: { name: { type: 'string' } } },
            },
          },
        },
      },
      responses: {
        gone: {
          description: 'Gone',
          content: {
            'application/json': {
              schema: {
                anyOf: ['Gone', 'Moved'].map((name) => ({
                  type: 'object',
                  properties: { error: { enum: [name] } },
                })),
              },
            },
          },
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        login: { type: 'oauth2', flows: {} },
      },
    },
  };
  const [put, get] = readOperations(document) as [ReturnType<typeof readOperations>[number], never];

  it('has routes below the path of its server', () => {
    expect(toRouteTexts(document)).toEqual([
      'putUser PUT /v1/users/:id',
      'GET /v1/users/{id} GET /v1/users/:id',
    ]);
    expect(put).toMatchObject({
      isDeprecated: true,
      facts: undefined,
      groups: [],
      template: '/users/{id}',
    });
  });

  it('has parameters of the path and of the operation, which counts first', () => {
    expect(
      put.parameters.map(({ name, in: place, isRequired, schema }) => [
        name,
        place,
        isRequired,
        toTypeText(schema),
      ]),
    ).toEqual([
      ['id', 'path', true, 'integer'],
      ['x-trace', 'header', false, 'string'],
    ]);
    expect(put.body?.isRequired).toBe(true);
    expect(put.body?.contents.map(({ mediaType }) => mediaType)).toEqual([
      'application/xml',
      'application/json',
    ]);
    expect(toFieldNames(put.input()!)).toEqual(['id', 'header x-trace', 'name']);
  });

  it('has choices of credentials, which its operations may replace', () => {
    const names = (operation: typeof put) =>
      operation.security.map((choice) =>
        choice.map(({ name, scopes }) => [name, ...scopes].join(' ')),
      );
    expect(names(put)).toEqual([['login write', 'token'], []]);
    expect(names(get)).toEqual([['token']]);
  });

  it('has every status, and errors by name where bodies tell them apart', () => {
    expect(put.responses.map(({ status, kind }) => `${status} ${kind}`)).toEqual([
      '200 data',
      '302 redirect',
      '2XX stream',
    ]);
    expect(
      put.responses[1]?.headers.map(({ name, isRequired }) => `${name} ${isRequired}`),
    ).toEqual(['location true']);
    expect(put.errors.map(({ status, name }) => `${status} ${name}`)).toEqual([
      '404 Gone',
      '404 Moved',
      'default undefined',
    ]);
  });
});

it.each([
  [{}],
  [{ paths: null }],
  [{ paths: { '/a': { get: { responses: 3, parameters: {}, security: 'x' } } } }],
])('passes over what is not as it should be: %j', (document) => {
  for (const operation of readOperations(document)) expect(operation.input()).toBeUndefined();
});
