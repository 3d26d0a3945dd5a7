import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability, compileRegistry, generateOpenAPI } from '../../server-runtime/index.ts';
import { ask, formBody, jsonBody } from '../helpers/ask.ts';
import { describeOverSockets, itOverHttp } from '../helpers/every-door.ts';

const echo = capability(z.object({ id: z.string().optional() }).loose(), (input) => input);
const capabilities = {
  users: { getUser: echo, createUser: echo, updateUser: echo, replaceUser: echo, deleteUser: echo },
};

describeOverSockets('request input', () => {
  it('of GET is query and path', async () => {
    expect((await ask({ capabilities }, 'GET /users/7?name=ann')).body).toEqual({
      data: { id: '7', name: 'ann' },
    });
  });

  itOverHttp('of POST, PATCH and PUT is body and path', async () => {
    const body = jsonBody({ name: 'ann' });
    expect((await ask({ capabilities }, 'POST /users?name=query', body)).body).toEqual({
      data: { name: 'ann' },
    });
    expect((await ask({ capabilities }, 'PATCH /users/7?name=query', body)).body).toEqual({
      data: { id: '7', name: 'ann' },
    });
    expect((await ask({ capabilities }, 'PUT /users/7?name=query', body)).body).toEqual({
      data: { id: '7', name: 'ann' },
    });
  });

  itOverHttp(
    '1: comes from application/json or multipart/form-data, and from no other type',
    async () => {
      expect((await ask({ capabilities }, 'POST /users', jsonBody({ a: 1 }))).body).toEqual({
        data: { a: 1 },
      });
      expect((await ask({ capabilities }, 'POST /users', formBody(['a', '1']))).body).toEqual({
        data: { a: '1' },
      });
      const text = { headers: { 'content-type': 'text/plain' }, body: 'a=1' };
      expect((await ask({ capabilities }, 'POST /users', text)).status).toBe(415);
    },
  );

  it('2: of DELETE is the query, which the document says too', async () => {
    expect((await ask({ capabilities }, 'DELETE /users/7?force=yes')).body).toEqual({
      data: { id: '7', force: 'yes' },
    });
    const deleteUser = capability(z.object({ id: z.string(), force: z.boolean() }), () => null);
    const operation = generateOpenAPI(compileRegistry({ users: { deleteUser } }), {}).paths[
      '/users/{id}'
    ]?.['delete'];
    expect(operation?.parameters).toMatchObject([
      { name: 'id', in: 'path' },
      { name: 'force', in: 'query' },
    ]);
    expect(operation).not.toHaveProperty('requestBody');
  });

  it('3: is one object, whatever its fields came by', async () => {
    const updateUser = capability(z.object({ id: z.string(), name: z.string() }), (input) =>
      Object.keys(input).toSorted(),
    );
    expect(
      (
        await ask(
          { capabilities: { users: { updateUser } } },
          'PATCH /users/7',
          jsonBody({ name: 'a' }),
        )
      ).body,
    ).toEqual({
      data: ['id', 'name'],
    });
  });
});
