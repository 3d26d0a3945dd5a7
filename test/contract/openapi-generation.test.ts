import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, compileRegistry, generateOpenAPI } from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';

const User = z.object({ id: z.string(), name: z.string() });
const capabilities = {
  users: {
    getUser: capability(
      z.object({ id: z.string(), verbose: z.boolean().optional() }),
      ({ id }) => ({
        id,
        name: 'a',
      }),
    ).output(User),
    createUser: capability(z.object({ name: z.string() }), (input) => input),
    updateUser: capability(User.partial({ name: true }), (input) => input),
    replaceUser: capability(User, (input) => input),
    deleteUser: capability(z.object({ id: z.string(), force: z.boolean() }), () => null),
    bulkStatus: capability(z.object({}), () => null),
  },
};
const registry = compileRegistry(capabilities);

describe('OpenAPI generation', () => {
  it('1: makes a 3.1 document with the methods and paths of the running server', async () => {
    const document = generateOpenAPI(registry, {});
    expect(document.openapi).toMatch(/^3\.1\./);
    const routes = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, '7')}`),
    );
    expect(routes).toHaveLength(6);
    for (const route of routes)
      expect([404, 405]).not.toContain((await ask({ capabilities }, route)).status);
  });

  it('2: has path parameters', () => {
    const { paths } = generateOpenAPI(registry, {});
    for (const method of ['get', 'patch', 'put', 'delete'] as const) {
      expect(paths['/users/{id}']?.[method]?.parameters).toContainEqual(
        expect.objectContaining({ name: 'id', in: 'path', required: true }),
      );
    }
  });

  it('2: has query parameters of GET and DELETE', () => {
    const { paths } = generateOpenAPI(registry, {});
    expect(paths['/users/{id}']?.['get']?.parameters).toContainEqual(
      expect.objectContaining({ name: 'verbose', in: 'query' }),
    );
    expect(paths['/users/{id}']?.['delete']?.parameters).toContainEqual(
      expect.objectContaining({ name: 'force', in: 'query', required: true }),
    );
  });

  it('2: has JSON bodies of POST, PATCH and PUT', () => {
    const { paths } = generateOpenAPI(registry, {});
    for (const operation of [
      paths['/users']?.['post'],
      paths['/users/{id}']?.['patch'],
      paths['/users/{id}']?.['put'],
    ]) {
      expect(operation).toHaveProperty('requestBody.content.application/json.schema');
    }
  });

  it('2: has the envelope {data} of successes and the shape of errors', () => {
    const { paths, components } = generateOpenAPI(registry, {});
    expect(paths['/users/{id}']?.['get']?.responses['200']).toHaveProperty(
      'content.application/json.schema.properties.data',
    );
    expect(JSON.stringify(paths['/users/{id}']?.['get']?.responses['400'])).toContain(
      '#/components/',
    );
    expect(components?.schemas?.['Error']).toMatchObject({ required: ['error', 'message'] });
  });

  it('3: has the paths of the server for the same urlCase and overrides', async () => {
    const rest = {
      urlCase: 'snake',
      overrides: { 'users.getUser': { method: 'GET', path: '/people/:id' } },
    } as const;
    const { paths } = generateOpenAPI(registry, rest);
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/people/{id}', '/users/bulk_status']),
    );
    expect((await ask({ capabilities, rest }, 'GET /people/7')).status).toBe(200);
    expect((await ask({ capabilities, rest }, 'POST /users/bulk_status')).status).toBe(200);
  });
});
