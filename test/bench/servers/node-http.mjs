/** What a careful person writes by hand for these routes: no framework, no timeout, no request id, no CORS. */
import { createServer } from 'node:http';
import {
  answerGroup,
  createOrder,
  findUser,
  groupNames,
  groupRoutes,
  hello,
  listProducts,
  readUser,
} from '../app/domain.mjs';
import { listenOn, serve } from './serve.mjs';

await serve((app) => listenOn(createServer(app === 'small' ? answerSmall : toLarge())));

function answerSmall(request, response) {
  const { method, url } = request;
  if (method === 'GET') {
    if (url === '/hello') return send(response, 200, { data: hello() });
    if (url === '/products') return send(response, 200, { data: listProducts() });
    if (url === '/users/me') return answerMe(request, response);
    if (url.startsWith('/users/')) return answerUser(url, response);
  }
  if (method === 'POST' && url === '/orders')
    return readJson(request, (body) => answerOrder(body, response));
  send(response, 404, { error: 'NotFound', message: 'Not found' });
}

function answerMe(request, response) {
  const user = findUser(request.headers.authorization);
  if (user === undefined)
    return send(response, 401, { error: 'Unauthorized', message: 'Unauthorized' });
  send(response, 200, { data: user });
}

function answerUser(url, response) {
  const mark = url.indexOf('?');
  const id = decodeURIComponent(url.slice(7, mark === -1 ? undefined : mark));
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  const verbose = query.get('verbose');
  const limit = Number(query.get('limit') ?? Number.NaN);
  if ((verbose !== 'true' && verbose !== 'false') || !Number.isInteger(limit) || limit > 100) {
    return send(response, 400, {
      error: 'BadRequest',
      message: 'verbose must be a boolean and limit a number',
    });
  }
  send(response, 200, { data: readUser({ id, verbose: verbose === 'true', limit }) });
}

function answerOrder(body, response) {
  const issues = findOrderIssues(body);
  if (issues.length > 0)
    return send(response, 400, {
      error: 'BadRequest',
      message: 'Input validation failed',
      meta: { issues },
    });
  send(response, 200, { data: createOrder(body) });
}

function findOrderIssues(body) {
  const issues = [];
  const expect = (holds, message) => holds || issues.push(message);
  if (typeof body !== 'object' || body === null) return ['expected an object'];
  const { address, items } = body;
  expect(isText(body.customer, 1, 64), 'customer: expected 1 to 64 characters');
  expect(
    isText(body.email, 3, 254) && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(body.email),
    'email: invalid',
  );
  expect(
    body.currency === 'EUR' || body.currency === 'USD' || body.currency === 'GBP',
    'currency: expected EUR, USD or GBP',
  );
  expect(
    Number.isInteger(body.priority) && body.priority >= 1 && body.priority <= 5,
    'priority: expected 1 to 5',
  );
  expect(typeof body.gift === 'boolean', 'gift: expected a boolean');
  expect(
    body.note === undefined || isText(body.note, 0, 200),
    'note: expected at most 200 characters',
  );
  expect(
    isText(address?.street, 1, 200) && isText(address?.city, 1, 200) && isText(address?.zip, 3, 10),
    'address: incomplete',
  );
  if (!Array.isArray(items) || items.length === 0)
    return [...issues, 'items: expected at least one'];
  for (const [index, item] of items.entries()) {
    const holds =
      isText(item?.sku, 1, 100) &&
      Number.isInteger(item.quantity) &&
      item.quantity >= 1 &&
      typeof item.price === 'number' &&
      item.price >= 0;
    expect(holds, `items.${index}: invalid`);
  }
  return issues;
}

function isText(value, min, max) {
  return typeof value === 'string' && value.length >= min && value.length <= max;
}

function toLarge() {
  const known = new Set(groupNames);
  const kinds = new Set(groupRoutes.map(({ method, hasId }) => `${method} ${hasId}`));
  return (request, response) => {
    const [, group, id] = request.url.split('/');
    const hasId = id !== undefined;
    if (!known.has(group) || !kinds.has(`${request.method} ${hasId}`))
      return send(response, 404, { error: 'NotFound', message: 'Not found' });
    send(response, 200, {
      data: answerGroup(hasId, { id: hasId ? decodeURIComponent(id) : undefined }),
    });
  };
}

function readJson(request, done) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    try {
      done(JSON.parse(bytes.toString()));
    } catch {
      done(undefined);
    }
  });
}

function send(response, status, value) {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
