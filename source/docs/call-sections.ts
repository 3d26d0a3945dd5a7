import type { SecurityScheme } from '../../server-runtime/capability/guard.ts';
import { findKeyRule, KEY_HEADER } from '../../server-runtime/enhancers/once/find-key-rule.ts';
import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { Endpoint } from '../manifest/describe-api.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';
import { toCapabilityCurl } from '../record/capability-curl.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toSampleValue } from '../shape/sample-value.ts';
import { hasFields } from './field-rows.ts';
import { toBlock, toCode } from './markdown.ts';

/** The credentials that an operation asks for, and a call of it by curl. */
export function toCallSections(endpoint: Endpoint, document: OpenApiDocument): readonly string[] {
  return [toSecurityText(endpoint, document), toBlock(toCurl(endpoint, document), 'sh')];
}

/** ``Send a bearer token in the header `authorization`, or the cookie `sid`.`` */
function toSecurityText({ object }: Endpoint, { components }: OpenApiDocument): string {
  const choices = object.security.map((requirement) =>
    Object.entries(requirement)
      .map(([name, scopes]) => {
        const scheme = components.securitySchemes?.[name];
        const codes = scopes.map((scope) => toCode(scope)).join(', ');
        return `${scheme === undefined ? toCode(name) : toSchemeText(scheme)}${scopes.length === 0 ? '' : ` with ${codes}`}`;
      })
      .join(' and '),
  );
  const named = choices.filter((choice) => choice !== '');
  if (named.length === 0) return '';
  return `Send ${named.join(', or ')}${named.length < choices.length ? ', or nothing' : ''}.`;
}

function toSchemeText(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'http':
      return `${toCode(scheme.scheme)} credentials in the header ${toCode('authorization')}`;
    case 'apiKey':
      return `the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${toCode(scheme.name)}`;
    case 'openIdConnect':
      return 'a token of OpenID Connect';
    case 'oauth2':
      return 'a token of OAuth 2';
  }
}

function toCurl(endpoint: Endpoint, document: OpenApiDocument): string {
  const { operation, method, path, object } = endpoint;
  const { parameters = [], requestBody } = object;
  const server = document.servers.find(({ url }) => URL.canParse(url))?.url ?? 'http://localhost:3000';
  const sent = operation.definition.request.sent;
  const fieldOf = (place: string, name: string): string =>
    sent.find((each) => each.in === place && each.name === name)?.field ?? name;
  const inHead = parameters
    .filter(({ required, name }) => required === true && name !== KEY_HEADER)
    .map(({ name, in: place, schema }) => [fieldOf(place, name), toSampleValue(toShape(schema, document))]);
  const body = toShape(Object.values(requestBody?.content ?? {})[0]?.schema ?? {}, document);
  const sample = requestBody === undefined ? undefined : toSampleValue(body);
  const files = hasFields(body)
    ? body.fields.filter(({ shape }) => shape().kind === 'file').map(({ name }) => name)
    : [];
  const fields = typeof sample === 'object' && sample !== null ? Object.entries(sample) : [];
  return toCapabilityCurl(
    {
      method: method as ManifestCapability['method'],
      path: path.replace(/\{(\w+)\}/g, ':$1'),
      params: parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name),
      sent,
    },
    {
      baseUrl: server.replace(/\/$/, ''),
      input: Object.fromEntries([...inHead, ...fields.filter(([name]) => !files.includes(name))]),
      files: Object.fromEntries(files.map((name) => [name, [name]])),
      headers: { ...toCredentials(endpoint, document), ...toKeyHeader(endpoint) },
    },
  );
}

function toKeyHeader({ operation }: Endpoint): Readonly<Record<string, string>> {
  return findKeyRule(operation) === 'required' ? { 'idempotency-key': '"8e03978e-40d5"' } : {};
}

/** The headers of the first choice; their values are variables of the shell. */
function toCredentials({ object }: Endpoint, { components }: OpenApiDocument): Readonly<Record<string, string>> {
  const names = Object.keys(object.security[0] ?? {}).flatMap((name) => {
    const scheme = components.securitySchemes?.[name];
    if (scheme === undefined || (scheme.type === 'apiKey' && scheme.in !== 'header')) return [];
    return [scheme.type === 'apiKey' ? scheme.name.toLowerCase() : 'authorization'];
  });
  return Object.fromEntries(names.map((name) => [name, '…']));
}
