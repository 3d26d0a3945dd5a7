/** Requests for an OpenAPI document: right ones, and the mistakes that callers make. */
import { createRandom } from './projects.mjs';

/** `[{method, path, headers, body}]`, so many, the same for the same seed. */
export function generateRequests(document, { seed, count }) {
  const random = createRandom(seed);
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const places =
    operations.length === 0 ? [{ path: '/items', method: 'GET', operation: {} }] : operations;
  return Array.from({ length: count }, (_, index) => {
    const right = toRequest(places[index % places.length], document, random);
    // Every second one is as the document says it.
    return index % 2 === 0 ? right : random.pick(mistakes)(right, random);
  });
}

function toRequest({ path, method, operation }, document, random) {
  const sample = (schema) => toSample(schema, { document, random, depth: 0 });
  const parameters = operation.parameters ?? [];
  const of = (place) =>
    parameters.filter(
      ({ in: at, required }) => at === place && (required === true || random.chance(0.5)),
    );
  const filled = of('path').reduce(
    (text, { name, schema }) =>
      text.replace(`{${name}}`, encodeURIComponent(toWord(sample(schema)))),
    path,
  );
  const query = of('query').flatMap(({ name, schema }) => {
    const value = sample(schema);
    return (Array.isArray(value) ? value : [value]).map(
      (each) => `${name}=${encodeURIComponent(toWord(each))}`,
    );
  });
  const headers = Object.fromEntries(
    of('header').map(({ name, schema }) => [name, toWord(sample(schema))]),
  );
  if (random.chance(0.6)) headers['x-key'] = random.pick(['admin', 'ann']);
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  const body = type === 'application/json' ? JSON.stringify(sample(media.schema)) : undefined;
  if (type !== undefined)
    headers['content-type'] = type.startsWith('multipart') ? `${type}; boundary=part` : type;
  const url = query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  return { method, path: url, headers, body: toBody(type, body, media, sample) };
}

function toBody(type, json, media, sample) {
  if (type === undefined || json !== undefined) return json;
  const fields = Object.entries(sample(media?.schema ?? {}) ?? {});
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(fields.map(([name, value]) => [name, toWord(value)])).toString();
  const parts = fields.map(([name, value]) => {
    const file = value === 'file' ? '; filename="a.txt"\r\ncontent-type: text/plain' : '';
    return `--part\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${toWord(value)}\r\n`;
  });
  return `${parts.join('')}--part--\r\n`;
}

function toWord(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function toSample(schema, place) {
  const { document, random, depth } = place;
  const next = (inner) => toSample(inner, { ...place, depth: depth + 1 });
  if (schema === undefined || schema === true || depth > 6) return 'any';
  if (schema.$ref !== undefined) return next(findRef(document, schema.$ref));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches !== undefined) return next(random.pick(branches));
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  if (type === 'array') return (schema.prefixItems ?? [schema.items]).map(next);
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 3, 1);
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'null') return null;
  if (type === 'string') return toTextSample(schema, random);
  if (type !== 'object') return 'any';
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => required.has(name) || random.chance(0.6),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, next(field)]));
}

function toTextSample({ format, contentMediaType, minLength = 0 }, random) {
  const known = {
    email: 'a@example.org',
    uuid: '0b6f4c9e-6c1d-4f0a-9d5e-2f1c3b4a5d6e',
    uri: 'https://example.org/',
    'date-time': '2026-01-31T10:00:00Z',
    date: '2026-01-31',
    int64: '12',
  };
  if (format === 'binary' || contentMediaType !== undefined) return 'file';
  return known[format] ?? random.pick(['abc', 'ann', '7']).padEnd(minLength, 'x');
}

function findRef(document, ref) {
  return ref
    .split('/')
    .slice(1)
    .reduce(
      (value, part) =>
        value?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

function withBody(request, body, type = 'application/json') {
  return { ...request, headers: { ...request.headers, 'content-type': type }, body };
}

function withHeaders(request, headers) {
  return { ...request, headers: { ...request.headers, ...headers } };
}

function editBody(request, edit) {
  try {
    return withBody(request, JSON.stringify(edit(JSON.parse(request.body))));
  } catch {
    return {
      ...request,
      path: `${request.path}${request.path.includes('?') ? '&' : '?'}size=x&size=y&more=1&a[b]=c`,
    };
  }
}

const mistakes = [
  (request, random) => ({
    ...request,
    method: random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  }),
  (request) => ({ ...request, method: 'HEAD' }),
  (request) =>
    withHeaders(
      { ...request, method: 'OPTIONS', body: undefined },
      { origin: 'https://web.example', 'access-control-request-method': 'POST' },
    ),
  (request) => ({ ...request, path: `${request.path.split('?')[0]}/more` }),
  (request) => ({ ...request, path: request.path.toUpperCase() }),
  (request, random) => ({
    ...request,
    path: random.pick(['/', '/openapi.json', '/docs', '/%', '//items', '/items/']),
  }),
  (request) => editBody(request, (fields) => ({ ...fields, more: 1 })),
  (request) =>
    editBody(request, (fields) => Object.fromEntries(Object.keys(fields).map((name) => [name, 1]))),
  (request) =>
    editBody(request, (fields) =>
      Object.fromEntries(Object.keys(fields).map((name) => [name, 'x'])),
    ),
  (request) => editBody(request, (fields) => Object.fromEntries(Object.entries(fields).slice(1))),
  (request) => editBody(request, (fields) => [fields]),
  (request) => withBody(request, '{'),
  (request) => withBody(request, ''),
  (request) => withBody(request, JSON.stringify({ name: 'x'.repeat(300) })),
  (request) => withBody(request, request.body ?? 'a', 'text/plain'),
  (request) => withBody(request, 'name=ann&tags=a&tags=b', 'application/x-www-form-urlencoded'),
  (request) => withBody(request, '--part--', 'multipart/form-data; boundary=part'),
  (request) => withHeaders(request, { origin: 'https://other.example', cookie: 'a=b' }),
  (request) => withHeaders(request, { accept: 'application/x-ndjson', 'accept-encoding': 'gzip' }),
  (request) =>
    withHeaders(request, {
      'if-none-match': '*',
      'idempotency-key': 'one',
      'x-request-id': 'mine',
    }),
  (request) => withHeaders(request, { 'x-key': '', 'idempotency-key': 'one' }),
];
