/** What every server under test does, so that they differ in the framework alone. */

/** Bearer tokens and whose they are. */
export const users = new Map([['t-ada', { id: 'u1', name: 'Ada', role: 'admin' }]]);

/** `Authorization: Bearer t-ada` gives Ada. */
export function findUser(authorization) {
  return authorization?.startsWith('Bearer ') ? users.get(authorization.slice(7)) : undefined;
}

export const hello = () => ({ message: 'Hello, world' });

export const readUser = ({ id, verbose, limit }) => ({ id, verbose, limit });

export const createOrder = (order) => ({
  id: 'ord_1',
  status: 'created',
  customer: order.customer,
  items: order.items.length,
});

/**
 * Parsed, as what a database gives: text that V8 joins at run time stays in two pieces where it outlives a collection before
 * it is first read, and is then slow to write for good. That hit the servers that load more code, which collects more.
 */
const products = JSON.parse(
  JSON.stringify(
    Array.from({ length: 100 }, (_, index) => ({
      id: `prod-${index}`,
      name: `Product number ${index}`,
      price: index * 1.25 + 0.5,
      inStock: index % 3 !== 0,
      tags: ['new', `group-${index % 7}`],
    })),
  ),
);
export const listProducts = () => products;

/** The groups of the large application: 100 groups of five routes are 500 routes. */
export const groupNames = Array.from({ length: 100 }, (_, index) => `group${index}`);
export const groupRoutes = [
  { kind: 'list', method: 'GET', hasId: false },
  { kind: 'get', method: 'GET', hasId: true },
  { kind: 'create', method: 'POST', hasId: false },
  { kind: 'update', method: 'PATCH', hasId: true },
  { kind: 'delete', method: 'DELETE', hasId: true },
];
/** What each of the 500 routes answers: `{id: '42'}`, or an empty list where the path has no id. */
export const answerGroup = (hasId, input) => (hasId ? { id: input.id } : []);
