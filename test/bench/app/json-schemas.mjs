/** The same inputs and answers as JSON Schema, for Fastify: it coerces by them, validates by them and writes answers by them. */
const text = { type: 'string' };

export const userParams = { type: 'object', required: ['id'], properties: { id: text } };
export const userQuery = {
  type: 'object',
  required: ['verbose', 'limit'],
  properties: { verbose: { type: 'boolean' }, limit: { type: 'integer', maximum: 100 } },
};
export const order = {
  type: 'object',
  required: ['customer', 'email', 'currency', 'priority', 'gift', 'address', 'items'],
  properties: {
    customer: { type: 'string', minLength: 1, maxLength: 64 },
    email: { type: 'string', format: 'email' },
    currency: { type: 'string', enum: ['EUR', 'USD', 'GBP'] },
    priority: { type: 'integer', minimum: 1, maximum: 5 },
    gift: { type: 'boolean' },
    note: { type: 'string', maxLength: 200 },
    address: {
      type: 'object',
      required: ['street', 'city', 'zip'],
      properties: {
        street: { type: 'string', minLength: 1 },
        city: { type: 'string', minLength: 1 },
        zip: { type: 'string', minLength: 3, maxLength: 10 },
      },
    },
    items: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sku', 'quantity', 'price'],
        properties: {
          sku: { type: 'string', minLength: 1 },
          quantity: { type: 'integer', minimum: 1 },
          price: { type: 'number', minimum: 0 },
        },
      },
    },
  },
};

const object = (properties) => ({ type: 'object', properties });
const data = (schema) => ({ response: { 200: object({ data: schema }) } });

export const answers = {
  hello: data(object({ message: text })),
  user: data(object({ id: text, verbose: { type: 'boolean' }, limit: { type: 'integer' } })),
  me: data(object({ id: text, name: text, role: text })),
  order: data(object({ id: text, status: text, customer: text, items: { type: 'integer' } })),
  products: data({
    type: 'array',
    items: object({
      id: text,
      name: text,
      price: { type: 'number' },
      inStock: { type: 'boolean' },
      tags: { type: 'array', items: text },
    }),
  }),
  withId: data(object({ id: text })),
  empty: data({ type: 'array', items: {} }),
};
