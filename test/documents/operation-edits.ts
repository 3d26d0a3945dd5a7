import type {
  OpenApi,
  Operation,
  Parameter,
  PathItem,
  Response,
  Schema,
} from './document-types.ts';
import type { Effect } from './edit-kind.ts';
import { findJsonType, type OperationPlace, toOperationPlaces } from './places.ts';

/** An operation with what is around it. */
export interface Held {
  readonly document: OpenApi;
  readonly place: OperationPlace;
  readonly item: PathItem;
  readonly operation: Operation;
}

export interface OperationEdit {
  readonly name: string;
  readonly effect: Effect;
  readonly reason: string;
  readonly fits: (held: Held) => boolean;
  readonly prepare?: (held: Held) => void;
  readonly edit: (held: Held) => void;
  readonly isUnclear?: boolean;
}

type Row = readonly [
  name: string,
  effect: Effect,
  reason: string,
  fits: OperationEdit['fits'],
  edit: OperationEdit['edit'],
  prepare?: OperationEdit['prepare'],
];

const always = (): boolean => true;
const text: Schema = { type: 'string' };
const query = (more: Partial<Parameter> = {}): Parameter => ({
  name: 'zz',
  in: 'query',
  schema: { type: 'string' },
  ...more,
});

const parametersOf = ({ operation }: Held): Parameter[] => operation.parameters ?? [];
const isSilent = (held: Held): boolean =>
  parametersOf(held).length === 0 && held.operation.requestBody === undefined;
const hasJsonBody = ({ operation }: Held): boolean =>
  findJsonType(operation.requestBody?.content) !== undefined;
const hasNoBody = ({ operation, place }: Held): boolean =>
  operation.requestBody === undefined && place.method === 'post';
const isOptionalBody = (held: Held): boolean =>
  hasJsonBody(held) && held.operation.requestBody?.required !== true;

function add(parameter: Parameter): (held: Held) => void {
  return ({ operation }) => {
    operation.parameters = [...(operation.parameters ?? []), structuredClone(parameter)];
  };
}

function change(words: Partial<Parameter>): (held: Held) => void {
  return ({ operation }) => {
    Object.assign(operation.parameters!.find(({ name }) => name === 'zz')!, structuredClone(words));
  };
}

function remove({ operation }: Held): void {
  operation.parameters = operation.parameters!.filter(({ name }) => name !== 'zz');
  if (operation.parameters.length === 0) delete operation.parameters;
}

function setBody(body: Operation['requestBody']): (held: Held) => void {
  return ({ operation }) => {
    operation.requestBody = structuredClone(body!);
  };
}

function contentOf({ operation }: Held): Record<string, { schema?: Schema }> {
  return operation.requestBody!.content!;
}

/** The good answer of JSON. */
function goodOf({ operation }: Held): { readonly status: string; readonly response: Response } {
  const [status, response] = Object.entries(operation.responses ?? {}).find(
    ([each, { content }]) => /^2\d\d$/.test(each) && findJsonType(content) !== undefined,
  )!;
  return { status, response };
}

const hasGood = ({ operation }: Held): boolean =>
  Object.entries(operation.responses ?? {}).some(
    ([each, { content }]) =>
      /^2\d\d$/.test(each) &&
      findJsonType(content) !== undefined &&
      Object.keys(content ?? {}).length === 1,
  );

function setAnswer(status: string, response?: Response): (held: Held) => void {
  return ({ operation }) => {
    if (response === undefined) delete operation.responses![status];
    else operation.responses![status] = structuredClone(response);
  };
}

const isUnknown =
  (...statuses: readonly string[]) =>
  ({ operation }: Held): boolean =>
    statuses.every((status) => operation.responses?.[status] === undefined);

function setHeader(name: string, isThere: boolean): (held: Held) => void {
  return (held) => {
    const { response } = goodOf(held);
    response.headers = { ...response.headers };
    if (isThere) response.headers[name] = { schema: { type: 'string' } };
    else delete response.headers[name];
  };
}

const hasNoHeader =
  (name: string) =>
  (held: Held): boolean =>
    hasGood(held) &&
    Object.keys(goodOf(held).response.headers ?? {}).every(
      (each) => each.toLowerCase() !== name.toLowerCase(),
    );

/** Moves the operation to another path, whose item has nothing else. */
function move(held: Held, template: string): void {
  const { document, place, operation } = held;
  const own = document.paths![place.template]!;
  delete own[place.method];
  document.paths![template] = { ...document.paths![template], [place.method]: operation };
  if (
    Object.keys(own).every((key) => !/^(get|put|post|patch|delete|head|options|trace)$/.test(key))
  )
    delete document.paths![place.template];
}

const hasParameter = ({ place: { template } }: Held): boolean => /\/\{\w+\}/.test(template);
const isMovable = ({ place: { template }, document }: Held): boolean =>
  document.paths![`${template}/zz`] === undefined && !template.includes('?');

const schemes = {
  zzBearer: { type: 'http', scheme: 'bearer' },
  zzKey: { type: 'apiKey', in: 'header', name: 'x-zz' },
  zzOauth: {
    type: 'oauth2',
    flows: {
      clientCredentials: { tokenUrl: 'https://example.org/token', scopes: { read: '', write: '' } },
    },
  },
};

function setSecurity(...security: readonly Record<string, string[]>[]): (held: Held) => void {
  return ({ document, operation }) => {
    const components = { ...document.components };
    components['securitySchemes'] = {
      ...components['securitySchemes'],
      ...structuredClone(schemes),
    };
    document.components = components;
    operation.security = structuredClone(security) as Record<string, string[]>[];
  };
}

const callback = (properties: Record<string, Schema>) => ({
  onEvent: {
    '{$request.query.url}': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties } } },
        },
        responses: { 200: { description: 'Ok' } },
      },
    },
  },
});

function setCallback(properties?: Record<string, Schema>): (held: Held) => void {
  return ({ operation }) => {
    if (properties === undefined) delete operation.callbacks;
    else
      operation.callbacks = callback(properties) as unknown as NonNullable<Operation['callbacks']>;
  };
}

function setWebhook(properties?: Record<string, Schema>): (held: Held) => void {
  return ({ document }) => {
    document.openapi = '3.1.0';
    if (properties === undefined) delete document.webhooks;
    else
      document.webhooks = {
        zzCreated: {
          post: {
            requestBody: {
              content: { 'application/json': { schema: { type: 'object', properties } } },
            },
            responses: { 200: { description: 'Ok' } } as unknown as Record<string, Response>,
          },
        },
      };
  };
}

const two = { a: text, b: text };
const jsonOf = (schema: Schema) => ({ 'application/json': { schema } });
const listOf = (...required: readonly string[]): Schema => ({
  type: 'array',
  items: { type: 'object', properties: { a: text, c: text }, required: [...required] },
});
const xmlOf = (properties: Record<string, Schema>): Response => ({
  description: 'Ok',
  content: { 'application/xml': { schema: { type: 'object', properties } } },
});
const hasQuery = (held: Held): boolean => hasNoBody(held) && parametersOf(held).length > 0;

function setServers(...urls: readonly string[]): (held: Held) => void {
  return ({ document }) => {
    document.servers = urls.map((url) => ({ url }));
  };
}

const a = 'https://a.example.org/v1';
const b = 'https://b.example.org/v1';

// biome-ignore format: an edit a line.
const rows: readonly Row[] = [
  // Parameters
  ['an optional parameter more', 'safe', 'senders may leave it out', (held) => !isSilent(held), add(query())],
  ['a required parameter more', 'breaking', 'who leaves it out is refused', (held) => !isSilent(held), add(query({ required: true }))],
  ['a first parameter that is optional', 'safe', 'senders may leave it out', isSilent, add(query())],
  ['a first parameter that is required', 'breaking', 'who leaves it out is refused', isSilent, add(query({ required: true }))],
  ['a required header more', 'breaking', 'who leaves it out is refused', (held) => !isSilent(held), add(query({ in: 'header', required: true }))],
  ['a required cookie more', 'breaking', 'who leaves it out is refused', always, add(query({ in: 'cookie', required: true }))],
  ['a parameter fewer', 'risky', 'it is ignored', (held) => !isSilent(held), remove, add(query())],
  ['a parameter that became required', 'breaking', 'who leaves it out is refused', always, change({ required: true }), add(query())],
  ['a parameter that became optional', 'safe', 'who sends it is answered as before', always, change({ required: false }), add(query({ required: true }))],
  ['a parameter of another type', 'breaking', 'other texts are refused', always, change({ schema: { type: 'integer' } }), add(query())],
  ['a parameter with a value fewer', 'breaking', 'it is refused', always, change({ schema: { type: 'string', enum: ['a'] } }), add(query({ schema: { type: 'string', enum: ['a', 'b'] } }))],
  ['a parameter with a value more', 'safe', 'all old values are taken', always, change({ schema: { type: 'string', enum: ['a', 'b', 'c'] } }), add(query({ schema: { type: 'string', enum: ['a', 'b'] } }))],
  ['a required parameter in another place', 'breaking', 'it is not read where it was', always, change({ in: 'header' }), add(query({ required: true }))],
  ['a deprecated parameter', 'safe', 'it works as before', always, change({ deprecated: true }), add(query())],
  ['lists that are written in another way', 'breaking', 'the old text is one value now', always, change({ explode: true }), add(query({ explode: false, schema: { type: 'array', items: text } }))],
  ['a text that is not exploded', 'none', 'a text has one way to be written', always, change({ explode: false }), add(query())],
  ['parameters in another order', 'none', 'order says nothing', (held) => parametersOf(held).length > 1, ({ operation }) => { operation.parameters!.reverse(); }],
  ['a path parameter with another name', 'breaking', 'typed clients name it', hasParameter, (held) => {
    const name = /\{(\w+)\}/.exec(held.place.template)![1]!;
    for (const parameter of parametersOf(held)) if (parameter.in === 'path' && parameter.name === name) parameter.name = 'zz';
    move(held, held.place.template.replace(`{${name}}`, '{zz}'));
  }, ({ operation, place }) => {
    const name = /\{(\w+)\}/.exec(place.template)![1]!;
    operation.parameters = [...(operation.parameters ?? []).filter((each) => each.name !== name), { name, in: 'path', required: true, schema: { type: 'string' } }];
  }],
  // Bodies
  ['a first body that is required', 'breaking', 'who leaves it out is refused', hasNoBody, setBody({ required: true, content: jsonOf({ type: 'object', properties: two }) })],
  ['a first body that is optional', 'safe', 'senders may leave it out', hasNoBody, setBody({ content: jsonOf({ type: 'object', properties: two }) })],
  ['a body that became required', 'breaking', 'who leaves it out is refused', isOptionalBody, ({ operation }) => { operation.requestBody!.required = true; }],
  ['a body that became optional', 'safe', 'who sends it is answered as before', isOptionalBody, ({ operation }) => { delete operation.requestBody!.required; }, ({ operation }) => { operation.requestBody!.required = true; }],
  ['a list as a body whose items need a field more', 'breaking', 'who leaves it out is refused', hasQuery, setBody({ content: jsonOf(listOf('a', 'c')) }), setBody({ content: jsonOf(listOf('a')) })],
  ['a list as a body that is a text now', 'breaking', 'lists are refused', hasQuery, setBody({ content: jsonOf(text) }), setBody({ content: jsonOf(listOf('a')) })],
  ['a field of a body that has the name of a parameter', 'breaking', 'old values are refused', hasNoBody, setBody({ content: jsonOf({ type: 'object', properties: { zz: { type: 'boolean' } } }) }), (held) => { add(query())(held); setBody({ content: jsonOf({ type: 'object', properties: { zz: { type: 'integer' } } }) })(held); }],
  ['a media type of bodies more', 'safe', 'nobody needs to send it', hasJsonBody, (held) => { contentOf(held)['text/csv'] = { schema: text }; }],
  ['a media type of bodies fewer', 'breaking', 'it is refused with 415', hasJsonBody, (held) => { delete contentOf(held)['text/csv']; }, (held) => { contentOf(held)['text/csv'] = { schema: text }; }],
  ['media types of bodies in another order', 'none', 'order says nothing', hasJsonBody, ({ operation }) => { operation.requestBody!.content = Object.fromEntries(Object.entries(operation.requestBody!.content!).reverse()); }, (held) => { contentOf(held)['application/xml'] = { schema: { type: 'object', properties: two } }; }],
  ['JSON beside XML', 'safe', 'nobody needs to send it', hasNoBody, (held) => { contentOf(held)['application/json'] = { schema: { type: 'object', properties: { a: text } } }; }, setBody({ content: { 'application/xml': { schema: { type: 'object', properties: two } } } })],
  ['a charset beside a media type', 'none', 'a parameter makes no other type', hasJsonBody, (held) => { const content = contentOf(held); const type = findJsonType(content)!; content[`${type}; charset=utf-8`] = content[type]!; delete content[type]; }],
  ['a required field of a form', 'breaking', 'who leaves it out is refused', hasNoBody, setBody({ content: { 'multipart/form-data': { schema: { type: 'object', properties: two, required: ['a'] } } } }), setBody({ content: { 'multipart/form-data': { schema: { type: 'object', properties: two } } } })],
  // Answers
  ['a success more', 'risky', 'callers may not know it', (held) => hasGood(held) && isUnknown('202')(held), setAnswer('202', { description: 'Later' })],
  ['a success fewer', 'safe', 'callers were ready for more', (held) => hasGood(held) && isUnknown('202')(held), setAnswer('202'), setAnswer('202', { description: 'Later' })],
  ['a success with another status', 'breaking', 'callers look for the old one', (held) => hasGood(held) && isUnknown('203')(held) && Object.keys(held.operation.responses!).filter((status) => /^[23]/.test(status)).length === 1, (held) => { const { status, response } = goodOf(held); delete held.operation.responses![status]; held.operation.responses!['203'] = response; }],
  ['an error more', 'risky', 'callers may get what they are not ready for', isUnknown('418', '4XX'), setAnswer('418', { description: 'Teapot' })],
  ['an error fewer', 'risky', 'code of typed clients that handles it does not compile', isUnknown('418', '4XX'), setAnswer('418'), setAnswer('418', { description: 'Teapot' })],
  ['an error with a field fewer', 'breaking', 'readers miss it', isUnknown('418', '4XX'), setAnswer('418', { description: 'Teapot', content: jsonOf({ type: 'object', properties: { a: text } }) }), setAnswer('418', { description: 'Teapot', content: jsonOf({ type: 'object', properties: two }) })],
  ['a media type of answers more', 'risky', 'who names no type may get it', hasGood, (held) => { goodOf(held).response.content!['text/csv'] = { schema: text }; }],
  ['a media type of answers fewer', 'breaking', 'who asks for it gets 406', hasGood, (held) => { delete goodOf(held).response.content!['text/csv']; }, (held) => { goodOf(held).response.content!['text/csv'] = { schema: text }; }],
  ['answers in XML with a field fewer', 'breaking', 'readers miss it', isUnknown('203', '2XX'), setAnswer('203', xmlOf({ a: text })), setAnswer('203', xmlOf(two))],
  ['media types of answers in another order', 'none', 'order says nothing', hasGood, (held) => { const { response } = goodOf(held); response.content = Object.fromEntries(Object.entries(response.content!).reverse()); }, (held) => { goodOf(held).response.content!['application/xml'] = { schema: { type: 'object', properties: two } }; }],
  ['a charset beside the media type of an answer', 'none', 'a parameter makes no other type', hasGood, (held) => { const content = goodOf(held).response.content!; const type = findJsonType(content)!; content[`${type}; charset=utf-8`] = content[type]!; delete content[type]; }],
  ['a header of answers more', 'safe', 'readers pass over it', hasNoHeader('x-zz'), setHeader('x-zz', true)],
  ['a header of answers fewer', 'breaking', 'readers miss it', hasNoHeader('x-zz'), setHeader('x-zz', false), setHeader('x-zz', true)],
  ['the header Link fewer', 'breaking', 'readers miss the next page', hasNoHeader('Link'), setHeader('Link', false), setHeader('Link', true)],
  ['the header ETag fewer', 'breaking', 'readers cannot ask whether it changed', hasNoHeader('ETag'), setHeader('ETag', false), setHeader('ETag', true)],
  ['a header in other letters', 'none', 'names of headers have no case', hasNoHeader('X-Zz'), (held) => { setHeader('X-Zz', false)(held); setHeader('x-zZ', true)(held); }, setHeader('X-Zz', true)],
  ['a link fewer', 'breaking', 'clients that follow it miss it', hasGood, (held) => { delete goodOf(held).response.links; }, (held) => { goodOf(held).response.links = { zzNext: { operationId: 'zz', parameters: { id: '$response.body#/id' } } }; }],
  ['a link more', 'safe', 'readers pass over it', (held) => hasGood(held) && goodOf(held).response.links === undefined, (held) => { goodOf(held).response.links = { zzNext: { operationId: 'zz', parameters: { id: '$response.body#/id' } } }; }],
  // Routes
  ['an operation fewer', 'breaking', 'it answers 404', ({ document }) => toOperationPlaces(document).length > 1, ({ document, place }) => { delete document.paths![place.template]![place.method]; }],
  ['an operation more', 'safe', 'nobody called it before', always, ({ document }) => { document.paths!['/zz-more'] = { get: { operationId: 'zzMore', responses: { 200: { description: 'Ok' } } } }; }],
  ['another path', 'breaking', 'the old one answers 404', isMovable, (held) => move(held, `${held.place.template}/zz`)],
  ['another method', 'breaking', 'the old one answers 405', ({ item, place }) => item['trace'] === undefined && place.method !== 'head', ({ item, place, operation }) => { delete item[place.method]; item['trace'] = operation; }],
  ['a slash at the end', 'breaking', 'other servers answer 404 or redirect', ({ place, document }) => !place.template.endsWith('/') && document.paths![`${place.template}/`] === undefined && !/[?#]/.test(place.template), (held) => move(held, `${held.place.template}/`)],
  ['another text behind a parameter', 'breaking', 'the old path answers 404', ({ place }) => /\{\w+\}$/.test(place.template), (held) => move(held, held.place.template.replace(':zzStart', ':zzStop')), (held) => { move(held, `${held.place.template}:zzStart`); Object.assign(held.place, { template: `${held.place.template}:zzStart` }); }],
  ['another operationId', 'breaking', 'typed clients name it', ({ operation }) => operation.operationId !== undefined, ({ operation }) => { operation.operationId = 'zzOther'; }],
  ['an operation that moved and left its id to another one', 'breaking', 'typed clients call another route', ({ operation, document }) => operation.operationId !== undefined && document.paths!['/zz-new'] === undefined, ({ document, operation, place }) => { const heir = structuredClone(operation); document.paths!['/zz-new'] = { [place.method]: heir }; operation.operationId = 'zzOld'; }],
  ['a deprecated operation', 'safe', 'it works as before', ({ operation }) => operation['deprecated'] !== true, ({ operation }) => { operation['deprecated'] = true; }],
  ['other words and tags', 'none', 'nobody calls by them', always, ({ operation }) => { operation['summary'] = 'Another'; operation['description'] = 'Another one.'; operation['tags'] = ['zz']; }],
  ['paths in another order', 'none', 'order says nothing', ({ document }) => Object.keys(document.paths!).length > 1, ({ document }) => { document.paths = Object.fromEntries(Object.entries(document.paths!).reverse()); }],
  // Credentials
  ['a credential that was not asked for', 'breaking', 'calls without it are refused', always, setSecurity({ zzBearer: [] }), setSecurity()],
  ['a credential that is no longer asked for', 'risky', 'it is open to more callers', always, setSecurity(), setSecurity({ zzBearer: [] })],
  ['another credential', 'breaking', 'the old one is refused', always, setSecurity({ zzKey: [] }), setSecurity({ zzBearer: [] })],
  ['a choice of credentials more', 'safe', 'the old ones do', always, setSecurity({ zzBearer: [] }, { zzKey: [] }), setSecurity({ zzBearer: [] })],
  ['a choice of credentials fewer', 'breaking', 'it is refused', always, setSecurity({ zzBearer: [] }), setSecurity({ zzBearer: [] }, { zzKey: [] })],
  ['both credentials of a choice', 'breaking', 'one of them is refused', always, setSecurity({ zzBearer: [], zzKey: [] }), setSecurity({ zzBearer: [] }, { zzKey: [] })],
  ['a scope more', 'breaking', 'tokens without it are refused', always, setSecurity({ zzOauth: ['read', 'write'] }), setSecurity({ zzOauth: ['read'] })],
  ['a scope fewer', 'safe', 'the old tokens do', always, setSecurity({ zzOauth: ['read'] }), setSecurity({ zzOauth: ['read', 'write'] })],
  ['a way more to get a token', 'safe', 'the old way does', always, (held) => { setSecurity({ zzOauth: ['read'] })(held); const flows = (held.document.components!['securitySchemes']!['zzOauth'] as { flows: Record<string, unknown> }).flows; flows['password'] = { tokenUrl: 'https://example.org/token', scopes: { read: '' } }; }, setSecurity({ zzOauth: ['read'] })],
  ['another address of tokens', 'risky', 'clients ask for tokens at the old one', always, (held) => { setSecurity({ zzOauth: ['read'] })(held); const flows = (held.document.components!['securitySchemes']!['zzOauth'] as { flows: Record<string, { tokenUrl: string }> }).flows; flows['clientCredentials']!.tokenUrl = 'https://example.org/other'; }, setSecurity({ zzOauth: ['read'] })],
  // Servers
  ['another path of the server', 'breaking', 'the old paths answer 404', always, setServers('https://a.example.org/v2'), setServers(a)],
  ['another host', 'risky', 'clients call the old one', always, setServers(b), setServers(a)],
  ['a server fewer', 'risky', 'its clients call it', always, setServers(a), setServers(a, b)],
  ['a server more', 'safe', 'nobody called it before', always, setServers(a, b), setServers(a)],
  ['servers in another order', 'none', 'both are still there', always, setServers('https://b.example.org/v3', a), setServers(a, 'https://b.example.org/v3')],
  // Calls to the client
  ['a webhook fewer', 'breaking', 'receivers wait for it', always, setWebhook(), setWebhook(two)],
  ['a webhook more', 'safe', 'nobody waits for it', ({ document }) => document.webhooks === undefined, setWebhook(two), ({ document }) => { document.openapi = '3.1.0'; }],
  ['a webhook with a field fewer', 'breaking', 'receivers miss it', always, setWebhook({ a: text }), setWebhook(two)],
  ['a webhook with a field more', 'safe', 'receivers pass over it', always, setWebhook({ ...two, c: text }), setWebhook(two)],
  ['a callback fewer', 'breaking', 'receivers wait for it', always, setCallback(), setCallback(two)],
  ['a callback with a field fewer', 'breaking', 'receivers miss it', always, setCallback({ a: text }), setCallback(two)],
  ['a callback with a field more', 'safe', 'receivers pass over it', always, setCallback({ ...two, c: text }), setCallback(two)],
  // OpenAPI 3.2
  ['an operation of the method QUERY fewer', 'breaking', 'it answers 405', ({ item }) => item['query'] === undefined, ({ item }) => { delete item['query']; }, ({ item, document }) => { document.openapi = '3.2.0'; item['query'] = { operationId: 'zzQuery', responses: { 200: { description: 'Ok' } } }; }],
  ['an operation of another method fewer', 'breaking', 'it answers 405', always, ({ item }) => { delete item['additionalOperations']; }, ({ item, document }) => { document.openapi = '3.2.0'; Object.assign(item, { additionalOperations: { PURGE: { operationId: 'zzPurge', responses: { 200: { description: 'Ok' } } } } }); }],
];

export const operationEdits: readonly OperationEdit[] = rows.map(
  ([name, effect, reason, fits, edit, prepare]) => ({
    name,
    effect,
    reason,
    fits,
    edit,
    ...(prepare && { prepare }),
  }),
);
