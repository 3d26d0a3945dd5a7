import { groupNames, listProducts, users } from './app/domain.mjs';

const order = {
  customer: 'cus_8f14e45fceea',
  email: 'ada.lovelace@example.com',
  currency: 'EUR',
  priority: 3,
  gift: true,
  note: 'Please ring twice; the bell is loud.',
  address: { street: '12 St James Square', city: 'London', zip: 'SW1Y4JH' },
  items: [
    { sku: 'engine-1', quantity: 2, price: 9.5 },
    { sku: 'punch-card-7', quantity: 10, price: 0.25 },
  ],
};
/** Wrong in four places. A validator that stops at the first reports one. */
const wrongInFour = {
  ...order,
  email: 'nobody',
  currency: 'XXX',
  priority: 9,
  items: [{ sku: '', quantity: 2, price: 1 }],
};
const wrongInOne = { ...order, priority: 9 };

const toTrpcInput = (input) => encodeURIComponent(JSON.stringify(input));
const toGroupRequest = (name, index) => {
  const id = String(index + 40);
  return {
    method: 'GET',
    path: `/${name}/${id}`,
    trpcPath: `/${name}.get?input=${toTrpcInput({ id })}`,
    data: { id },
  };
};

/**
 * The seven scenarios, and two more: what reporting every wrong field costs, and running the schema of an answer. `requests` are sent in turn; each is
 * `{method, path, trpcPath?, headers?, body?, data?}`, where `data` is the answer's `data`. `mentions` is in the text of every
 * answer; `guarded` requests get 401 without their headers. With `servers`, no others have it.
 */
export const scenarios = [
  {
    name: 'hello',
    title: 'hello',
    app: 'small',
    status: 200,
    requests: [{ method: 'GET', path: '/hello', data: { message: 'Hello, world' } }],
  },
  {
    name: 'params',
    title: 'path + query parameters',
    app: 'small',
    status: 200,
    requests: [
      {
        method: 'GET',
        path: '/users/42?verbose=true&limit=20',
        trpcPath: `/user?input=${toTrpcInput({ id: '42', verbose: true, limit: 20 })}`,
        data: { id: '42', verbose: true, limit: 20 },
      },
    ],
  },
  {
    name: 'auth',
    title: 'auth + guard',
    app: 'small',
    status: 200,
    guarded: true,
    requests: [
      {
        method: 'GET',
        path: '/users/me',
        trpcPath: '/me',
        headers: { authorization: 'Bearer t-ada' },
        data: users.get('t-ada'),
      },
    ],
  },
  {
    name: 'create',
    title: 'create',
    app: 'small',
    status: 200,
    requests: [
      {
        method: 'POST',
        path: '/orders',
        trpcPath: '/order',
        body: order,
        data: { id: 'ord_1', status: 'created', customer: order.customer, items: 2 },
      },
    ],
  },
  {
    name: 'list',
    title: 'list of 100',
    app: 'small',
    status: 200,
    requests: [{ method: 'GET', path: '/products', data: listProducts() }],
  },
  {
    name: 'declared',
    title: 'list of 100, declared output',
    app: 'small',
    servers: ['capix', 'fastify-zod'],
    status: 200,
    requests: [{ method: 'GET', path: '/products/declared', data: listProducts() }],
  },
  toInvalid('invalid', 'invalid', wrongInFour, 'email'),
  toInvalid('invalid-one', 'invalid in one place', wrongInOne, 'priority'),
  {
    name: 'routes',
    title: '500 routes',
    app: 'large',
    status: 200,
    requests: groupNames.filter((_, index) => index % 6 === 0).map(toGroupRequest),
  },
];

function toInvalid(name, title, body, mentions) {
  return {
    name,
    title,
    app: 'small',
    status: 400,
    mentions,
    requests: [{ method: 'POST', path: '/orders', trpcPath: '/order', body }],
  };
}
