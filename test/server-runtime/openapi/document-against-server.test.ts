import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateOpenAPI, type Server } from '../../../server-runtime/index.ts';
import type { OperationObject } from '../../../server-runtime/openapi/openapi-document.ts';
import { shop, shopOverrides } from '../../helpers/shop.ts';
import { startShop } from '../../helpers/start-shop.ts';

const document = generateOpenAPI(shop, { overrides: shopOverrides });
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema({ $id: 'doc', ...document });

let server: Server;
let url: string;
beforeAll(async () => {
  ({ server, url } = await startShop());
});
afterAll(() => server.stop());

const fields = {
  email: 'bob@example.org',
  age: 3,
  tags: ['x'],
  home: { street: 'S', country: 'de' },
};
const image = new File(['abc'], 'me.png', { type: 'image/png' });

/** For each operation an input, flat, as the capability takes it. */
const inputs: Record<string, Record<string, unknown>> = {
  users_getUser: { id: 'a/b?c#d%' },
  users_listUsers: { page: 2, tags: ['a', 'b'], active: true, kind: 'toy' },
  users_createUser: fields,
  users_updateUser: { id: 'u1', age: null },
  users_replaceUser: { id: 'u1', user: fields },
  users_deleteUser: { id: 'u1', force: true },
  users_unfollow: { id: 'u1' },
  users_uploadAvatar: { id: 'u1', avatar: image, more: [image], caption: 'me', width: 3 },
  users_sendNote: { text: 'hi', file: new File(['content'], 'n.txt', { type: 'text/plain' }) },
  catalog_categories_getCategory: {},
  catalog_categories_createCategory: { name: 'a', children: [{ name: 'b', children: [] }] },
  catalog_prices: { book: 1 },
  catalog_find: { by: 'kind', kind: 'toy' },
  catalog_buy: { kind: 'book', isbn: '1' },
  catalog_echo: { any: ['thing'] },
  health: {},
};

/** What the handlers answer, where they give their input back. */
const expected: Record<string, unknown> = {
  users_listUsers: { seen: inputs['users_listUsers'] },
  users_updateUser: { id: 'u1', fields: { age: null } },
  users_deleteUser: { id: 'u1', force: true },
  users_uploadAvatar: {
    id: 'u1',
    caption: 'me',
    width: 3,
    type: 'image/png',
    size: 3,
    more: ['me.png'],
  },
  users_sendNote: { text: 'hi', content: 'content' },
  catalog_prices: { book: 1 },
  catalog_find: { by: 'kind', kind: 'toy' },
  catalog_buy: inputs['catalog_buy'],
  catalog_echo: { any: ['thing'] },
};

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(
    ([method, operation]) => [operation.operationId, { path, method, operation }] as const,
  ),
);
interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
}

/** Sends an input by nothing but what the document says. */
async function send(
  { path, method, operation }: Place,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Response> {
  const rest = { ...input };
  const target = new URL(url);
  target.pathname = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const body = operation.requestBody?.content;
  if (body === undefined) {
    for (const [name, value] of Object.entries(rest))
      for (const each of [value].flat()) target.searchParams.append(name, String(each));
    return fetch(target, { method: method.toUpperCase(), headers });
  }
  if (!('multipart/form-data' in body)) {
    return fetch(target, {
      method: method.toUpperCase(),
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(rest),
    });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(rest))
    for (const each of [value].flat())
      form.append(name, each instanceof File ? each : String(each));
  return fetch(target, { method: method.toUpperCase(), headers, body: form });
}

/** Errors of the answer against what the document says of this status; undefined where it fits. */
async function findMisfit(
  operation: OperationObject,
  status: number,
  answer: unknown,
): Promise<unknown> {
  const response = operation.responses[String(status)];
  if (response === undefined) return `the document has no ${status}`;
  const pointer =
    '$ref' in response
      ? response.$ref
      : `#/paths/${Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).flatMap(([method, each]) => (each === operation ? [`${encode(path)}/${method}`] : [])))[0] ?? ''}/responses/${status}`;
  const validate = ajv.compile({ $ref: `doc${pointer}/content/application~1json/schema` });
  return validate(answer) ? undefined : validate.errors;
}

function encode(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
}

describe('the document against the running server', () => {
  it('has an input here for every operation', () => {
    expect(Object.keys(inputs).sort()).toEqual(
      operations.map(([operationId]) => operationId).sort(),
    );
  });

  it.each(operations)(
    '%s answers a request made from the document as the document says',
    async (operationId, place) => {
      const response = await send(place, inputs[operationId] ?? {}, {
        authorization: 'Bearer ann',
      });
      const answer = (await response.json()) as { readonly data: unknown };
      expect(response.status, JSON.stringify(answer)).toBe(200);
      expect(answer).toMatchObject(operationId in expected ? { data: expected[operationId] } : {});
      expect(await findMisfit(place.operation, 200, answer)).toBeUndefined();
    },
  );

  it.each(operations.filter(([, { operation }]) => operation.security.length > 0))(
    '%s answers 401 without what its security asks for',
    async (operationId, place) => {
      const response = await send(place, inputs[operationId] ?? {}, {});
      expect(response.status).toBe(401);
      expect(await findMisfit(place.operation, 401, await response.json())).toBeUndefined();
    },
  );

  it.each<[string, Record<string, unknown>, number]>([
    ['users_listUsers', { page: 'x' }, 400],
    ['users_createUser', { ...fields, email: 'no' }, 400],
    ['users_createUser', { ...fields, email: 'taken@example.org' }, 409],
    ['users_getUser', { id: 'missing' }, 404],
    [
      'users_uploadAvatar',
      { id: 'u1', avatar: new File(['x'], 'x.txt', { type: 'text/plain' }) },
      415,
    ],
    [
      'users_uploadAvatar',
      { id: 'u1', avatar: new File(['x'.repeat(2000)], 'x.png', { type: 'image/png' }) },
      413,
    ],
    ['catalog_find', { by: 'colour' }, 400],
  ])('%s answers %j with the %i of the document', async (operationId, input, status) => {
    const place = new Map(operations).get(operationId);
    if (place === undefined) throw new Error(`No operation ${operationId}`);
    const response = await send(place, input, { authorization: 'Bearer ann' });
    expect(response.status).toBe(status);
    expect(await findMisfit(place.operation, status, await response.json())).toBeUndefined();
  });
});
