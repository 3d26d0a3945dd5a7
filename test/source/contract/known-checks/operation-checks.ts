import type { Effect } from './schema-checks.ts';

/** A change of an API but for its schemas: two documents, each of one operation or more. */
export interface OperationCheck {
  readonly before: object;
  readonly after: object;
  readonly effect: Effect;
}

type Row = readonly [before: object, after: object, effect: Effect];

const json = 'application/json';
const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const readOnly = { ...text, readOnly: true };
const writeOnly = { ...text, writeOnly: true };
const answer = (schema: object = text, type = json) => ({
  description: 'It',
  content: { [type]: { schema } },
});
const ok = { 200: answer() };

/** A document of one operation. */
const api = (operation: object, more: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/a/{id}': { post: { operationId: 'makeA', responses: ok, ...operation } } },
  ...more,
});
const takes = (schema: object, more: object = {}) =>
  api({ requestBody: { content: { [json]: { schema } }, ...more } });
const gives = (schema: object) => api({ responses: { 200: answer(schema) } });
const sends = (...parameters: readonly object[]) => api({ parameters });
const query = (schema: object, more: object = {}) => ({ name: 'q', in: 'query', schema, ...more });
const header = (schema: object, more: object = {}) => ({
  name: 'x-a',
  in: 'header',
  schema,
  ...more,
});
const filter = (schema: object) => sends(query(object({ v: schema }), { style: 'deepObject' }));
const heads = (...headers: readonly object[]) =>
  api({ responses: { 200: { ...answer(), headers: Object.assign({}, ...headers) as object } } });
const head = (schema: object, required = false) => ({ 'X-A': { schema, required } });

const bearer = { type: 'http', scheme: 'bearer' };
const key = { type: 'apiKey', in: 'header', name: 'x-key' };
const flow = {
  authorizationUrl: 'https://a.org/auth',
  tokenUrl: 'https://a.org/token',
  scopes: { read: '', write: '' },
};
const oauth = (more: object = {}) => ({
  type: 'oauth2',
  flows: { authorizationCode: { ...flow, ...more } },
});
const schemes = (securitySchemes: object) => ({ components: { securitySchemes } });
const all = schemes({ bearer, key, oauth: oauth() });
const asks = (...security: readonly object[]) => api({ security }, all);
const asksAll = (...security: readonly object[]) => api({}, { ...all, security });
const uses = (scheme: object) => api({ security: [{ it: [] }] }, schemes({ it: scheme }));

const paths = (...names: readonly string[]) => ({
  openapi: '3.1.0',
  paths: Object.fromEntries(names.map((name) => [name, { get: { responses: ok } }])),
});
const deprecated = (more: object = {}) => api({ deprecated: true, ...more });
const hooks = (...names: readonly string[]) =>
  api(
    {},
    { webhooks: Object.fromEntries(names.map((name) => [name, { post: { responses: ok } }])) },
  );
const body = (content: object) => api({ requestBody: { content } });
const result = (content: object) => api({ responses: { 200: { description: 'It', content } } });
const lines = 'application/jsonl';

// biome-ignore format: a check a line.
const rows: Readonly<Record<string, Row>> = {
  'api-path-removed-without-deprecation': [paths('/a', '/b'), paths('/a'), 'breaking'],
  'api-removed-without-deprecation': [api({}), { openapi: '3.1.0', paths: { '/a/{id}': { get: { responses: ok } } } }, 'breaking'],
  'api-removed-with-deprecation': [deprecated(), paths('/b'), 'breaking'],
  'endpoint-added': [paths('/a'), paths('/a', '/b'), 'safe'],
  'endpoint-deprecated': [api({}), deprecated(), 'safe'],
  'endpoint-reactivated': [deprecated(), api({}), 'safe'],
  'endpoint-deprecated-with-sunset': [api({}), deprecated({ 'x-sunset': '2030-01-01' }), 'safe'],
  'sunset-deleted': [deprecated({ 'x-sunset': '2030-01-01' }), deprecated(), 'none'],
  'api-sunset-date-changed-too-small': [deprecated({ 'x-sunset': '2030-01-01' }), deprecated({ 'x-sunset': '2029-01-01' }), 'none'],
  'api-stability-decreased': [api({ 'x-stability-level': 'stable' }), api({ 'x-stability-level': 'beta' }), 'none'],
  'api-operation-id-removed': [api({}), api({ operationId: 'other' }), 'breaking'],
  'api-operation-id-added': [api({ operationId: undefined }), api({}), 'none'],
  'api-tag-removed': [api({ tags: ['a'] }), api({}), 'none'],
  'api-tag-added': [api({}), api({ tags: ['a'] }), 'none'],
  'api-schema-removed': [api({}, { components: { schemas: { A: text } } }), api({}), 'none'],
  'api-version-not-bumped': [api({}, { info: { version: '1.0.0' } }), api({}, { info: { version: '1.0.0' } }), 'none'],
  'webhook-added': [hooks('a'), hooks('a', 'b'), 'safe'],
  'webhook-removed': [hooks('a', 'b'), hooks('a'), 'breaking'],

  'request-parameter-removed': [sends(query(text)), sends(), 'risky'],
  'new-required-request-parameter': [sends(), sends(query(text, { required: true })), 'breaking'],
  'new-optional-request-parameter': [sends(), sends(query(text)), 'safe'],
  'new-request-path-parameter': [api({}), { openapi: '3.1.0', paths: { '/a/{id}/{part}': { post: { operationId: 'makeA', responses: ok } } } }, 'breaking'],
  'new-required-request-default-parameter-to-existing-path': [api({}), { openapi: '3.1.0', paths: { '/a/{id}': { parameters: [query(text, { required: true })], post: { operationId: 'makeA', responses: ok } } } }, 'breaking'],
  'new-optional-request-default-parameter-to-existing-path': [api({}), { openapi: '3.1.0', paths: { '/a/{id}': { parameters: [query(text)], post: { operationId: 'makeA', responses: ok } } } }, 'safe'],
  'request-parameter-became-required': [sends(query(text)), sends(query(text, { required: true })), 'breaking'],
  'request-parameter-became-optional': [sends(query(text, { required: true })), sends(query(text)), 'safe'],
  'request-parameter-default-value-added': [sends(query(text)), sends(query({ ...text, default: 'a' })), 'risky'],
  'request-parameter-default-value-changed': [sends(query({ ...text, default: 'a' })), sends(query({ ...text, default: 'b' })), 'risky'],
  'request-parameter-default-value-removed': [sends(query({ ...text, default: 'a' })), sends(query(text)), 'risky'],
  'request-parameter-deprecated': [sends(query(text)), sends(query(text, { deprecated: true })), 'safe'],
  'request-parameter-reactivated': [sends(query(text, { deprecated: true })), sends(query(text)), 'safe'],
  'request-parameter-location-changed': [sends(query(text)), sends({ ...query(text), in: 'header' }), 'risky'],
  'request-parameter-serialization-changed': [sends(query({ type: 'array', items: text })), sends(query({ type: 'array', items: text }, { style: 'spaceDelimited', explode: false })), 'breaking'],
  'request-parameter-property-type-changed': [filter(text), filter({ type: 'boolean' }), 'breaking'],
  'request-parameter-property-type-generalized': [filter({ type: 'integer' }), filter({ type: 'number' }), 'safe'],
  'request-parameter-property-type-specialized': [filter({ type: 'number' }), filter({ type: 'integer' }), 'breaking'],
  'request-parameter-property-became-nullable': [filter(text), filter({ type: ['string', 'null'] }), 'safe'],
  'request-parameter-property-became-not-nullable': [filter({ type: ['string', 'null'] }), filter(text), 'breaking'],
  'request-parameter-property-enum-value-added': [filter({ enum: ['a'] }), filter({ enum: ['a', 'b'] }), 'safe'],
  'request-parameter-property-enum-value-removed': [filter({ enum: ['a', 'b'] }), filter({ enum: ['a'] }), 'breaking'],
  'request-parameter-property-list-of-types-widened': [filter({ type: ['string', 'integer'] }), filter({ type: ['string', 'integer', 'boolean'] }), 'safe'],
  'request-parameter-property-list-of-types-narrowed': [filter({ type: ['string', 'integer', 'boolean'] }), filter({ type: ['string', 'integer'] }), 'breaking'],
  'new-required-request-header-property': [sends(header(object({}))), sends(header(object({ v: text }, ['v']))), 'breaking'],
  'request-header-property-became-required': [sends(header(object({ v: text }))), sends(header(object({ v: text }, ['v']))), 'breaking'],
  'request-header-property-became-enum': [sends(header(object({ v: text }))), sends(header(object({ v: { enum: ['a'] } }))), 'breaking'],

  'request-body-added-required': [api({}), takes(object({}), { required: true }), 'breaking'],
  'request-body-added-optional': [api({}), takes(object({})), 'safe'],
  'request-body-removed': [takes(object({ v: text })), api({}), 'risky'],
  'request-body-became-required': [takes(object({})), takes(object({}), { required: true }), 'breaking'],
  'request-body-became-optional': [takes(object({}), { required: true }), takes(object({})), 'safe'],
  'request-body-media-type-removed': [body({ [json]: { schema: text }, 'text/csv': { schema: text } }), body({ [json]: { schema: text } }), 'breaking'],
  'request-body-media-type-added': [body({ [json]: { schema: text } }), body({ [json]: { schema: text }, 'text/csv': { schema: text } }), 'safe'],
  'request-body-media-type-schema-added': [body({ [json]: {} }), body({ [json]: { schema: text } }), 'breaking'],
  'request-body-media-type-schema-removed': [body({ [json]: { schema: text } }), body({ [json]: {} }), 'safe'],
  'request-body-media-type-item-schema-added': [body({ [lines]: {} }), body({ [lines]: { itemSchema: text } }), 'breaking'],
  'request-body-media-type-item-schema-removed': [body({ [lines]: { itemSchema: text } }), body({ [lines]: {} }), 'safe'],
  'new-required-request-property': [takes(object({})), takes(object({ v: text }, ['v'])), 'breaking'],
  'new-required-request-property-with-default': [takes(object({})), takes(object({ v: { ...text, default: 'a' } }, ['v'])), 'breaking'],
  'new-optional-request-property': [takes(object({})), takes(object({ v: text })), 'safe'],
  'request-property-removed': [takes(object({ v: text })), takes(object({})), 'risky'],
  'request-property-became-required': [takes(object({ v: text })), takes(object({ v: text }, ['v'])), 'breaking'],
  'request-property-became-required-with-default': [takes(object({ v: { ...text, default: 'a' } })), takes(object({ v: { ...text, default: 'a' } }, ['v'])), 'breaking'],
  'request-property-became-optional': [takes(object({ v: text }, ['v'])), takes(object({ v: text })), 'safe'],
  'request-property-default-value-added': [takes(object({ v: text })), takes(object({ v: { ...text, default: 'a' } })), 'risky'],
  'request-property-default-value-changed': [takes(object({ v: { ...text, default: 'a' } })), takes(object({ v: { ...text, default: 'b' } })), 'risky'],
  'request-property-default-value-removed': [takes(object({ v: { ...text, default: 'a' } })), takes(object({ v: text })), 'risky'],
  'request-property-deprecated': [takes(object({ v: text })), takes(object({ v: { ...text, deprecated: true } })), 'safe'],
  'request-property-reactivated': [takes(object({ v: { ...text, deprecated: true } })), takes(object({ v: text })), 'safe'],
  'request-required-property-became-read-only': [takes(object({ v: text }, ['v'])), takes(object({ v: readOnly }, ['v'])), 'risky'],
  'request-required-property-became-not-read-only': [takes(object({ v: readOnly }, ['v'])), takes(object({ v: text }, ['v'])), 'breaking'],
  'request-optional-property-became-read-only': [takes(object({ v: text })), takes(object({ v: readOnly })), 'risky'],
  'request-optional-property-became-not-read-only': [takes(object({ v: readOnly })), takes(object({ v: text })), 'safe'],
  'request-required-property-became-write-only': [takes(object({ v: text }, ['v'])), takes(object({ v: writeOnly }, ['v'])), 'none'],
  'request-required-property-became-not-write-only': [takes(object({ v: writeOnly }, ['v'])), takes(object({ v: text }, ['v'])), 'none'],
  'request-optional-property-became-write-only': [takes(object({ v: text })), takes(object({ v: writeOnly })), 'none'],
  'request-optional-property-became-not-write-only': [takes(object({ v: writeOnly })), takes(object({ v: text })), 'none'],
  'request-read-only-property-max-length-decreased': [takes(object({ v: { ...readOnly, maxLength: 5 } })), takes(object({ v: { ...readOnly, maxLength: 3 } })), 'none'],
  'request-read-only-property-enum-value-removed': [takes(object({ v: { readOnly: true, enum: ['a', 'b'] } })), takes(object({ v: { readOnly: true, enum: ['a'] } })), 'none'],

  'response-required-property-removed': [gives(object({ v: text }, ['v'])), gives(object({})), 'breaking'],
  'response-optional-property-removed': [gives(object({ v: text })), gives(object({})), 'breaking'],
  'response-required-property-added': [gives(object({})), gives(object({ v: text }, ['v'])), 'safe'],
  'response-optional-property-added': [gives(object({})), gives(object({ v: text })), 'safe'],
  'response-property-became-optional': [gives(object({ v: text }, ['v'])), gives(object({ v: text })), 'breaking'],
  'response-property-became-required': [gives(object({ v: text })), gives(object({ v: text }, ['v'])), 'safe'],
  'response-property-deprecated': [gives(object({ v: text })), gives(object({ v: { ...text, deprecated: true } })), 'safe'],
  'response-property-reactivated': [gives(object({ v: { ...text, deprecated: true } })), gives(object({ v: text })), 'safe'],
  'response-property-default-value-changed': [gives(object({ v: { ...text, default: 'a' } })), gives(object({ v: { ...text, default: 'b' } })), 'none'],
  'response-required-property-became-write-only': [gives(object({ v: text }, ['v'])), gives(object({ v: writeOnly }, ['v'])), 'breaking'],
  'response-required-property-became-not-write-only': [gives(object({ v: writeOnly }, ['v'])), gives(object({ v: text }, ['v'])), 'safe'],
  'response-optional-property-became-write-only': [gives(object({ v: text })), gives(object({ v: writeOnly })), 'breaking'],
  'response-optional-property-became-not-write-only': [gives(object({ v: writeOnly })), gives(object({ v: text })), 'safe'],
  'response-required-property-became-read-only': [gives(object({ v: text }, ['v'])), gives(object({ v: readOnly }, ['v'])), 'none'],
  'response-required-property-became-not-read-only': [gives(object({ v: readOnly }, ['v'])), gives(object({ v: text }, ['v'])), 'none'],
  'response-optional-write-only-property-added': [gives(object({})), gives(object({ v: writeOnly })), 'none'],
  'response-optional-write-only-property-removed': [gives(object({ v: writeOnly })), gives(object({})), 'none'],
  'response-required-write-only-property-added': [gives(object({})), gives(object({ v: writeOnly }, ['v'])), 'none'],
  'response-required-write-only-property-removed': [gives(object({ v: writeOnly }, ['v'])), gives(object({})), 'none'],
  'response-write-only-property-became-optional': [gives(object({ v: writeOnly }, ['v'])), gives(object({ v: writeOnly })), 'none'],
  'response-write-only-property-became-required': [gives(object({ v: writeOnly })), gives(object({ v: writeOnly }, ['v'])), 'none'],
  'response-write-only-property-enum-value-added': [gives(object({ v: { writeOnly: true, enum: ['a'] } })), gives(object({ v: { writeOnly: true, enum: ['a', 'b'] } })), 'none'],

  'response-header-added': [heads(), heads(head(text)), 'safe'],
  'required-response-header-removed': [heads(head(text, true)), heads(), 'breaking'],
  'optional-response-header-removed': [heads(head(text)), heads(), 'breaking'],
  'response-header-became-optional': [heads(head(text, true)), heads(head(text)), 'breaking'],
  'response-header-type-changed': [heads(head(text)), heads(head({ type: 'boolean' })), 'breaking'],
  'response-header-type-generalized': [heads(head({ type: 'integer' })), heads(head({ type: 'number' })), 'breaking'],
  'response-header-type-specialized': [heads(head({ type: 'number' })), heads(head({ type: 'integer' })), 'safe'],
  'response-header-became-nullable': [heads(head(text)), heads(head({ type: ['string', 'null'] })), 'breaking'],
  'response-header-became-not-nullable': [heads(head({ type: ['string', 'null'] })), heads(head(text)), 'safe'],
  'response-media-type-removed': [result({ [json]: { schema: text }, 'text/csv': { schema: text } }), result({ [json]: { schema: text } }), 'breaking'],
  'response-media-type-added': [result({ [json]: { schema: text } }), result({ [json]: { schema: text }, 'text/csv': { schema: text } }), 'risky'],
  'response-media-type-name-changed': [result({ 'application/a+json': { schema: text } }), result({ 'application/b+json': { schema: text } }), 'breaking'],
  'response-media-type-name-generalized': [result({ 'text/csv': { schema: text } }), result({ 'text/*': { schema: text } }), 'breaking'],
  'response-media-type-name-specialized': [result({ 'text/*': { schema: text } }), result({ 'text/csv': { schema: text } }), 'breaking'],
  'response-body-media-type-schema-added': [result({ [json]: {} }), result({ [json]: { schema: text } }), 'safe'],
  'response-body-media-type-schema-removed': [result({ [json]: { schema: text } }), result({ [json]: {} }), 'breaking'],
  'response-body-media-type-item-schema-added': [result({ [lines]: {} }), result({ [lines]: { itemSchema: text } }), 'safe'],
  'response-body-media-type-item-schema-removed': [result({ [lines]: { itemSchema: text } }), result({ [lines]: {} }), 'breaking'],
  'response-success-status-removed': [api({ responses: { ...ok, 201: answer() } }), api({}), 'safe'],
  'response-success-status-added': [api({}), api({ responses: { ...ok, 201: answer() } }), 'risky'],
  'response-non-success-status-removed': [api({ responses: { ...ok, 404: answer() } }), api({}), 'risky'],
  'response-non-success-status-added': [api({}), api({ responses: { ...ok, 404: answer() } }), 'risky'],

  'api-security-added': [asks(), asks({ bearer: [] }), 'breaking'],
  'api-security-removed': [asks({ bearer: [] }), asks(), 'risky'],
  'api-security-updated': [asks({ bearer: [] }), asks({ key: [] }), 'breaking'],
  'api-security-scope-added': [asks({ oauth: ['read'] }), asks({ oauth: ['read', 'write'] }), 'breaking'],
  'api-security-scope-removed': [asks({ oauth: ['read', 'write'] }), asks({ oauth: ['read'] }), 'safe'],
  'api-global-security-added': [asksAll(), asksAll({ bearer: [] }), 'breaking'],
  'api-global-security-removed': [asksAll({ bearer: [] }), asksAll(), 'risky'],
  'api-global-security-scope-added': [asksAll({ oauth: ['read'] }), asksAll({ oauth: ['read', 'write'] }), 'breaking'],
  'api-global-security-scope-removed': [asksAll({ oauth: ['read', 'write'] }), asksAll({ oauth: ['read'] }), 'safe'],
  'api-security-component-type-changed': [uses(bearer), uses(key), 'breaking'],
  'api-security-component-oauth-url-changed': [uses(oauth()), uses(oauth({ authorizationUrl: 'https://b.org/auth' })), 'risky'],
  'api-security-component-oauth-token-url-changed': [uses(oauth()), uses(oauth({ tokenUrl: 'https://b.org/token' })), 'risky'],
  'api-security-component-added': [api({}, schemes({ bearer })), api({}, schemes({ bearer, key })), 'none'],
  'api-security-component-removed': [api({}, schemes({ bearer, key })), api({}, schemes({ bearer })), 'none'],
  'api-security-component-oauth-scope-added': [uses(oauth()), uses(oauth({ scopes: { read: '', write: '', admin: '' } })), 'none'],
  'api-security-component-oauth-scope-removed': [uses(oauth()), uses(oauth({ scopes: { read: '' } })), 'none'],
  'api-security-component-oauth-scope-changed': [uses(oauth()), uses(oauth({ scopes: { read: 'Read', write: '' } })), 'none'],
};

export const operationChecks: readonly (readonly [id: string, check: OperationCheck])[] =
  Object.entries(rows).map(([id, [before, after, effect]]) => [id, { before, after, effect }]);
