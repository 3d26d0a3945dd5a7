import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  defaultErrors,
  defineGuard,
  generateOpenAPI,
  type RestOptions,
  restTransport,
} from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';
import { shop } from '../helpers/shop.ts';

const capabilities = { items: { listItems: capability(() => []) } };
const origin = 'https://a.example';

async function corsHeaders(rest: RestOptions, request = 'GET /items') {
  const { headers } = await ask({ capabilities, rest }, request, { headers: { origin } });
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
}

describe('CORS, in detail', () => {
  it('is on with every default, and off with cors: false', async () => {
    expect(await corsHeaders({})).toEqual({ 'access-control-allow-origin': '*' });
    expect(await corsHeaders({ cors: false })).toEqual({});
  });

  it('an origin that is refused gets Vary, and no Access-Control header', async () => {
    const cors = { origin: 'https://b.example' };
    expect(await corsHeaders({ cors })).toEqual({ vary: 'Origin' });
    expect(await corsHeaders({ cors }, 'OPTIONS /items')).toEqual({ vary: 'Origin' });
  });

  it('credentials and maxAge may be set; credentials with * are an error at start', async () => {
    expect(
      await corsHeaders({ cors: { origin, credentials: true, maxAge: 60 } }, 'OPTIONS /items'),
    ).toMatchObject({
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '60',
    });
    await expect(async () =>
      ask({ capabilities, rest: { cors: { credentials: true } } }, 'GET /items'),
    ).rejects.toThrow(/credentials/);
  });
});

describe('OpenAPI, in detail', () => {
  const document = generateOpenAPI(shop, { title: 'Shop' });
  const getUser = document.paths['/users/{id}']?.['get'];

  it('is valid by the schema of OpenAPI 3.1', async () => {
    const copy = structuredClone(document) as unknown as Record<string, unknown>;
    expect(await new Validator().validate(copy)).toEqual({ valid: true });
  });

  it('has operation ids such as users_getUser and tags by group', () => {
    expect(getUser).toMatchObject({ operationId: 'users_getUser', tags: ['users'] });
  });

  it('refers to a component where a schema has an id, and to none that is not there', () => {
    const references = [
      ...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g),
    ].map(([, name]) => name);
    expect(references).toContain('User');
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(
      expect.arrayContaining([...new Set(references)]),
    );
  });

  it('has multipart bodies for file fields', () => {
    const bodies = JSON.stringify(
      Object.values(document.paths).map((item) => item['post']?.requestBody),
    );
    expect(bodies).toContain('multipart/form-data');
  });

  it('has security schemes and 401 or 403 of guards, and the errors that guards declare', () => {
    const mustBeAdmin = defineGuard(() => {}, {
      errors: [defaultErrors.Unauthorized, defaultErrors.Forbidden],
      security: { type: 'http', scheme: 'bearer' },
    });
    const { paths, components } = generateOpenAPI({
      users: { getMe: capability(() => 1).guard(mustBeAdmin) },
    });
    expect(Object.keys(paths['/users/me']?.['get']?.responses ?? {})).toEqual(
      expect.arrayContaining(['401', '403']),
    );
    expect(Object.keys(components?.securitySchemes ?? {})).toHaveLength(1);
    expect(Object.keys(document.paths['/users']?.['post']?.responses ?? {})).toContain('409');
  });

  it('has 400, 413, 415 and 504 where they can occur', () => {
    const { paths } = generateOpenAPI({
      users: {
        createUser: capability(z.object({ name: z.string() }), () => 1),
        getMe: capability(() => 1),
      },
    });
    expect(Object.keys(paths['/users']?.['post']?.responses ?? {})).toEqual(
      expect.arrayContaining(['400', '413', '415', '504']),
    );
    const ofGet = Object.keys(paths['/users/me']?.['get']?.responses ?? {});
    expect(ofGet).toContain('504');
    expect(ofGet).not.toContain('413');
    expect(ofGet).not.toContain('415');
  });

  it('has deprecation, descriptions and examples', () => {
    expect(document.paths['/users/{id}/follow']?.['delete']).toMatchObject({ deprecated: true });
    expect(JSON.stringify(getUser)).toContain('Read one user');
    expect(JSON.stringify(document)).toContain('Stays the same for ever');
    expect(JSON.stringify(getUser?.parameters)).toContain('"u1"');
  });

  it('docs: true serves it at /openapi.json, and a page at /docs', async () => {
    const rest = { docs: true };
    expect(await ask({ capabilities, rest }, 'GET /openapi.json')).toMatchObject({
      status: 200,
      body: { openapi: '3.1.0' },
    });
    const page = await ask({ capabilities, rest }, 'GET /docs');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect((await ask({ capabilities }, 'GET /docs')).status).toBe(404);
    expect(restTransport({}).name).toBe('rest');
  });
});
