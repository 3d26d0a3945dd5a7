import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AnyCapability,
  capability,
  defaultErrors,
  defineError,
  defineGuard,
  defineInputGuard,
  generateOpenAPI,
  uploadedFile,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { bodyOf, dataOf, documentOf, operationOf } from '../../helpers/openapi-parts.ts';
import { shop, shopOverrides } from '../../helpers/shop.ts';

const document = generateOpenAPI(shop, { overrides: shopOverrides });

describe('generateOpenAPI', () => {
  it('is a 3.1 document with the defaults of the contract', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Capix API', version: '0.1.0' },
      servers: [{ url: '/' }],
    });
  });

  it('takes title, version, description, license and servers', () => {
    const info = {
      title: 'Shop',
      version: '2.0.0',
      description: 'Sells',
      license: { name: 'MIT', identifier: 'MIT' },
    };
    const servers = [{ url: 'https://api.example.org' }];
    expect(generateOpenAPI({}, { ...info, servers })).toEqual({
      openapi: '3.1.0',
      info,
      servers,
      paths: {},
      components: {
        schemas: { Error: expect.objectContaining({ required: ['error', 'message'] }) },
        responses: {},
      },
    });
  });

  it('lists the routes of the server, in the order of declaration', () => {
    const routes = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    expect(routes).toEqual([
      'get /users/{id} users_getUser',
      'patch /users/{id} users_updateUser',
      'put /users/{id} users_replaceUser',
      'delete /users/{id} users_deleteUser',
      'get /users users_listUsers',
      'post /users users_createUser',
      'delete /users/{id}/follow users_unfollow',
      'post /users/{id}/avatar users_uploadAvatar',
      'post /users/send-note users_sendNote',
      'get /catalog/categories catalog_categories_getCategory',
      'post /catalog/categories catalog_categories_createCategory',
      'post /catalog/prices catalog_prices',
      'get /catalog catalog_find',
      'post /catalog/buy catalog_buy',
      'post /catalog/echo catalog_echo',
      'get /health health',
    ]);
  });

  it('writes paths in the case of `urlCase`', () => {
    const cap = { userGroups: { bulkStatus: capability(() => 1) } };
    expect(Object.keys(generateOpenAPI(cap, { urlCase: 'snake' }).paths)).toEqual([
      '/user_groups/bulk_status',
    ]);
    expect(() => generateOpenAPI(cap, { urlCase: 'upper' as 'snake' })).toThrow(
      "expected kebab, snake, camel, got 'upper'",
    );
  });

  it('refuses what a server would not start with, and says how to solve it', () => {
    expect(() => generateOpenAPI(shop)).not.toThrow();
    const twice = { users: { listUsers: capability(() => 1), findUsers: capability(() => 1) } };
    expect(() => generateOpenAPI(twice)).toThrow(
      /`users\.listUsers` and `users\.findUsers` are both GET \/users.*overrides: /s,
    );
  });

  it('tags by group, and not at the root', () => {
    expect(document.tags).toEqual([
      { name: 'users' },
      { name: 'catalog.categories' },
      { name: 'catalog' },
    ]);
    expect(document.paths['/catalog/categories']?.['get']?.tags).toEqual(['catalog.categories']);
    expect(document.paths['/health']?.['get']?.tags).toBeUndefined();
  });

  it.each<[string, string | undefined, string, string | undefined]>([
    ['the name in words', undefined, 'Get page URL', undefined],
    ['one sentence', 'Reads it.', 'Reads it', undefined],
    ['the first sentence of several', 'Reads it. Slowly.', 'Reads it', 'Reads it. Slowly.'],
    ['the first line of several', 'Reads it\n\nSlowly', 'Reads it', 'Reads it\n\nSlowly'],
  ])('takes as its summary %s', (_name, text, summary, description) => {
    const cap = capability(() => 1);
    expect(operationOf('getPageURL', text === undefined ? cap : cap.describe(text))).toMatchObject({
      summary,
      ...(description === undefined ? {} : { description }),
    });
  });

  it('marks what goes away, and says since when, until when and what to use', () => {
    expect(document.paths['/users/{id}/follow']?.['delete']).toMatchObject({
      deprecated: true,
      description: 'Deprecated since 2026-01-01. It ends on 2027-01-01. Use `users_deleteUser`.',
    });
  });
});

describe('answers in generateOpenAPI', () => {
  it('says what callers are told of limits', () => {
    const limited = capability(() => 'x', 'query').enhance(
      withRateLimit({ limit: 5, windowMs: 60_000 }),
    );
    const { responses } = operationOf('getX', limited);
    expect(responses['200']).toMatchObject({
      headers: {
        ratelimit: {
          description: expect.stringContaining('until the window is over'),
          schema: { type: 'string' },
        },
        'ratelimit-policy': { description: expect.stringContaining('the seconds of a window') },
      },
    });
    expect(responses['429']).toBeDefined();
  });

  it('wraps the output in the envelope', () => {
    expect(document.paths['/users/{id}']?.['get']?.responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { data: { $ref: '#/components/schemas/User' } },
            required: ['data'],
          },
        },
      },
    });
    expect(dataOf(document.paths['/health']?.['get'])).toEqual({});
  });

  it('describes an output as it is sent: what has a default is there, dates are texts, and codecs have run', () => {
    const output = z.object({
      at: z.date(),
      size: z.number().default(1),
      text: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
    });
    expect(
      dataOf(
        operationOf(
          'getOne',
          capability(() => ({ at: new Date(), size: 1, text: '1' })).output(output),
        ),
      ),
    ).toEqual({
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        size: { type: 'number', default: 1 },
        text: { type: 'number' },
      },
      required: ['at', 'size', 'text'],
    });
  });

  it('describes the envelope of errors once', () => {
    expect(document.components.schemas['Error']).toMatchObject({ required: ['error', 'message'] });
    expect(document.components.responses['EmailTaken']).toEqual({
      description: 'Email taken',
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Error' },
              {
                type: 'object',
                properties: {
                  error: { enum: ['EmailTaken'] },
                  meta: {
                    type: 'object',
                    properties: { email: { type: 'string' } },
                    required: ['email'],
                  },
                },
                required: ['meta'],
              },
            ],
          },
        },
      },
    });
  });

  const Odd = defineError(418, 'Odd');
  const withBody = ['413', '415'];
  it.each<[string, string, AnyCapability, readonly string[]]>([
    ['no input', 'getOne', capability(() => 1), []],
    ['a query', 'getOne', capability(z.object({ a: z.string() }), () => 1), ['400']],
    ['a body', 'createOne', capability(z.object({ a: z.string() }), () => 1), ['400', ...withBody]],
    [
      'a form',
      'createOne',
      capability(z.object({ a: uploadedFile() }), () => 1),
      ['400', '403', ...withBody],
    ],
    [
      'a guard that declares its error',
      'getOne',
      capability(() => 1).guard(defineGuard(() => {}, { errors: [Odd] })),
      ['418'],
    ],
    [
      'a guard that declares nothing',
      'getOne',
      capability(() => 1).guard(defineGuard(() => {})),
      ['401', '403'],
    ],
    [
      'a guard with security',
      'getOne',
      capability(() => 1).guard(
        defineGuard(() => {}, {
          errors: [defaultErrors.Forbidden],
          security: { type: 'http', scheme: 'basic' },
        }),
      ),
      ['401', '403'],
    ],
    [
      'an input guard that declares nothing',
      'getOne',
      capability(() => 1).inputGuard(defineInputGuard(() => {})),
      ['403'],
    ],
    [
      'errors that the capability declares',
      'getOne',
      capability(() => 1)
        .errors(Odd)
        .errors(defaultErrors.NotFound),
      ['404', '418'],
    ],
  ])('lists the errors that can occur with %s', (_name, name, cap, statuses) => {
    expect(Object.keys(operationOf(name, cap).responses)).toEqual([
      '200',
      ...statuses,
      '500',
      '504',
    ]);
  });

  it('joins errors of one status', () => {
    const Gone = defineError(404, 'Gone');
    const guarded = capability(() => 1).guard(
      defineGuard(() => {}, { errors: [defaultErrors.NotFound, Gone] }),
    );
    expect(operationOf('getOne', guarded).responses['404']).toEqual({
      $ref: '#/components/responses/NotFoundOrGone',
    });
  });

  it('tells errors of one status apart by name where one declares its meta', () => {
    const User = z.object({ id: z.string() }).meta({ id: 'User' });
    const Taken = defineError(409, 'Taken', { meta: z.object({ by: User }) });
    const Busy = defineError(409, 'Busy', { meta: z.object({ until: z.date() }).optional() });
    const { components } = documentOf(
      'getOne',
      capability(User, () => 1).errors(Taken, Busy, defineError(409, 'Other')),
    );
    expect(
      components.responses['TakenOrBusyOrOther']?.content?.['application/json']?.schema['allOf'],
    ).toEqual([
      { $ref: '#/components/schemas/Error' },
      {
        anyOf: [
          {
            type: 'object',
            properties: {
              error: { enum: ['Taken'] },
              meta: {
                type: 'object',
                properties: { by: { $ref: '#/components/schemas/User' } },
                required: ['by'],
              },
            },
            required: ['error', 'meta'],
          },
          {
            type: 'object',
            properties: {
              error: { enum: ['Busy'] },
              meta: {
                type: 'object',
                properties: { until: { type: 'string', format: 'date-time' } },
                required: ['until'],
              },
            },
            required: ['error'],
          },
          { type: 'object', properties: { error: { enum: ['Other'] } }, required: ['error'] },
        ],
      },
    ]);
  });

  it('keeps apart errors of one name and different statuses', () => {
    const errors = [defineError(402, 'Odd'), Odd];
    const { components } = documentOf(
      'getOne',
      capability(() => 1).guard(defineGuard(() => {}, { errors })),
    );
    expect(Object.keys(components.responses)).toEqual(['Internal', 'Odd', 'Timeout']);
  });
});

describe('security in generateOpenAPI', () => {
  it('comes from guards, each scheme once', () => {
    expect(document.components.securitySchemes).toEqual({
      bearerAuth: { type: 'http', scheme: 'bearer' },
    });
    expect(document.paths['/users']?.['post']?.security).toEqual([{ bearerAuth: [] }]);
    expect(document.paths['/users']?.['get']?.security).toEqual([]);
  });

  it('asks for all schemes of several guards', () => {
    const key = defineGuard(() => {}, {
      security: { type: 'apiKey', in: 'header', name: 'x-key' },
    });
    const other = defineGuard(() => {}, { security: { type: 'apiKey', in: 'query', name: 'key' } });
    expect(
      operationOf(
        'getOne',
        capability(() => 1)
          .guard(key)
          .guard(other),
      ).security,
    ).toEqual([{ apiKeyAuth: [], apiKeyAuth2: [] }]);
  });
});

describe('components in generateOpenAPI', () => {
  it('are the schemas that have an id or refer to themselves', () => {
    expect(Object.keys(document.components.schemas)).toEqual(['User', 'Category', 'Error']);
  });

  it('keep what one occurrence says of itself beside the reference', () => {
    const Home = z.object({ street: z.string() }).meta({ id: 'Home' });
    const { paths } = documentOf(
      'run',
      capability(z.object({ home: Home, work: Home.describe('Where they work') }), () => 1),
    );
    expect(bodyOf(paths['/things/run']?.['post'])).toMatchObject({
      properties: {
        home: { $ref: '#/components/schemas/Home' },
        work: { $ref: '#/components/schemas/Home', description: 'Where they work' },
      },
    });
  });

  it('refer to themselves where the schema does', () => {
    expect(document.components.schemas['Category']).toMatchObject({
      properties: { children: { items: { $ref: '#/components/schemas/Category' } } },
    });
  });

  it('do not join schemas that only look alike', () => {
    const look = (): z.ZodType => z.object({ a: z.string() });
    const { components } = generateOpenAPI({
      a: { run: capability(look(), () => 1), walk: capability(look(), () => 1) },
    });
    expect(Object.keys(components.schemas)).toEqual(['Error']);
  });

  it.each(['My/Odd name', 'a~b', 'ünï', 'a.b-c_d'])(
    'have a name that OpenAPI admits for the id %j',
    (id) => {
      const { components, paths } = documentOf(
        'run',
        capability(z.object({ a: z.string() }).meta({ id }), () => 1),
      );
      const [name = ''] = Object.keys(components.schemas);
      expect(name).toMatch(/^[\w.-]+$/);
      expect(bodyOf(paths['/things/run']?.['post'])).toEqual({
        $ref: `#/components/schemas/${name}`,
      });
    },
  );

  it('keep two ids of one schema apart', () => {
    const Base = z.object({ a: z.string() });
    const [One, Two] = [Base.meta({ id: 'One' }), Base.meta({ id: 'Two' })];
    const { components } = generateOpenAPI({
      a: { run: capability(One, () => 1), walk: capability(Two, () => 1) },
    });
    expect(Object.keys(components.schemas)).toEqual(['One', 'Two', 'Error']);
  });

  it('leave the name of the error envelope to it', () => {
    const Mine = z.object({ a: z.string() }).meta({ id: 'Error' });
    const { components } = documentOf(
      'run',
      capability(Mine, () => 1),
    );
    expect(components.schemas).toMatchObject({
      Error: { required: ['error', 'message'] },
      Error2: { required: ['a'] },
    });
  });

  it('have no reference that leads nowhere and none that nobody uses', () => {
    const text = JSON.stringify(document);
    const used = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(
        ([, kind, name]) => `${kind}/${name}`,
      ),
    );
    const declared = [
      ...Object.keys(document.components.schemas).map((name) => `schemas/${name}`),
      ...Object.keys(document.components.responses).map((name) => `responses/${name}`),
    ];
    expect([...used].sort()).toEqual(declared.sort());
    expect(text).not.toContain('capix:');
    expect(text).not.toContain('x-capix-');
  });
});
