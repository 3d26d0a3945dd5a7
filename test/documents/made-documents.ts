import type { OpenApi, Operation, PathItem, Schema } from './document-types.ts';

const text: Schema = { type: 'string' };
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Schema) => ({ 'application/json': { schema } });
const ok = (schema: Schema) => ({ description: 'Ok', content: json(schema) });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });

function toDocument(
  openapi: string,
  paths: Record<string, Record<string, Operation | unknown>>,
  schemas: Record<string, Schema> = {},
): OpenApi {
  return {
    openapi,
    info: { title: 'Made', version: '1' },
    paths: paths as Record<string, PathItem>,
    ...(Object.keys(schemas).length > 0 && { components: { schemas } }),
  };
}

/** Every kind of value, in requests and answers, behind references that others share. */
const goods: Schema = {
  type: 'object',
  required: ['id', 'name', 'size'],
  properties: {
    id: { type: 'integer' },
    name: text,
    note: text,
    price: { type: 'number' },
    stock: { type: 'integer' },
    isSold: { type: 'boolean' },
    state: { type: 'string', enum: ['new', 'used', 'broken', 'gone'] },
    tags: { type: 'array', items: text },
    size: {
      type: 'object',
      required: ['width'],
      properties: { width: { type: 'number' }, unit: text },
    },
  },
};
const page: Schema = {
  type: 'object',
  required: ['items', 'total'],
  properties: {
    items: { type: 'array', items: ref('Goods') },
    total: { type: 'integer' },
    next: text,
  },
};

const shop = toDocument(
  '3.0.3',
  {
    '/goods': {
      get: { operationId: 'listGoods', responses: { 200: ok(ref('Page')) } },
      post: {
        operationId: 'addGoods',
        parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
        requestBody: { content: json(ref('Goods')) },
        responses: { 201: ok(ref('Goods')), 404: { description: 'None' } },
      },
    },
    '/goods/{id}': {
      parameters: [inPath('id')],
      get: { operationId: 'getGoods', responses: { 200: ok(ref('Goods')) } },
      put: {
        operationId: 'putGoods',
        requestBody: { required: true, content: json(ref('Goods')) },
        responses: { 200: ok(ref('Goods')) },
      },
    },
  },
  { Goods: goods, Page: page },
);

/** Components that refer to themselves and each other, parts, and variants with a tag. */
const tree = toDocument(
  '3.0.0',
  {
    '/nodes/{nodeId}/move': {
      post: {
        operationId: 'moveNode',
        parameters: [inPath('nodeId'), { name: 'deep', in: 'query', schema: text }],
        requestBody: { content: json(ref('Node')) },
        responses: { 200: ok(ref('Node')) },
      },
    },
    '/nodes': { post: { operationId: 'sync', responses: { 200: ok(ref('Event')) } } },
  },
  {
    Node: {
      allOf: [
        { type: 'object', required: ['key'], properties: { key: text, rank: { type: 'integer' } } },
        {
          type: 'object',
          properties: {
            kids: { type: 'array', items: ref('Node') },
            weight: { type: 'number' },
            isOpen: { type: 'boolean' },
            kind: { type: 'string', enum: ['leaf', 'twig', 'root'] },
            about: { type: 'object', required: ['by'], properties: { by: text, at: text } },
          },
        },
      ],
    },
    Event: {
      oneOf: [ref('Made'), ref('Lost')],
      discriminator: { propertyName: 'what' },
    },
    Made: { type: 'object', required: ['what'], properties: { what: text, node: ref('Node') } },
    Lost: { type: 'object', required: ['what'], properties: { what: text, reason: text } },
  },
);

/** No components, no ids, a body at a route without parameters. */
const plain = toDocument('3.0.1', {
  '/ping': { get: { responses: { 200: ok(goods) } } },
  '/echo': { post: { requestBody: { content: json(goods) }, responses: { 200: ok(goods) } } },
  '/jobs': { post: { responses: { 202: { description: 'Later' } } } },
  '/jobs/{id}': {
    post: { parameters: [inPath('id')], responses: { 204: { description: 'Stopped' } } },
  },
});

/** The words of OpenAPI 3.1. */
const modern = toDocument(
  '3.1.0',
  {
    '/items/{item}': {
      post: {
        operationId: 'writeItem',
        parameters: [inPath('item'), { name: 'x-trace', in: 'header', schema: text }],
        requestBody: { content: json(ref('Item')) },
        responses: { 200: ok(ref('Item')), '4XX': { description: 'Refused' } },
      },
      delete: {
        operationId: 'dropItem',
        parameters: [inPath('item')],
        responses: { 204: { description: 'Gone' } },
      },
    },
  },
  { Item: { ...goods, title: 'Item', $comment: 'Made' } },
);

/** Lists as bodies, many operations of one path. */
const lists = toDocument(
  '3.0.2',
  {
    '/rows': {
      post: {
        operationId: 'addRows',
        parameters: [
          { name: 'mode', in: 'query', schema: text },
          { name: 'by', in: 'query', schema: text },
        ],
        requestBody: { content: json({ type: 'array', items: ref('Row') }) },
        responses: { 200: ok({ type: 'array', items: ref('Row') }) },
      },
      get: {
        operationId: 'listRows',
        responses: { 200: ok({ type: 'array', items: ref('Row') }) },
      },
      delete: { operationId: 'dropRows', responses: { 204: { description: 'Gone' } } },
    },
  },
  { Row: goods },
);

/** Five small documents, in which every kind of edit has a place. */
export const madeDocuments: readonly OpenApi[] = [shop, tree, plain, modern, lists].map(
  // An edit of one part is none of another that was written by the same constant.
  (document) => JSON.parse(JSON.stringify(document)) as OpenApi,
);
