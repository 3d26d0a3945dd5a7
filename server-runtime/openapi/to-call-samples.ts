import type { SecurityScheme } from '../capability/guard.ts';
import { KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { OpenApiDocument, OperationObject } from '../http/openapi-document.ts';
import { toBodyOptions, toCurlText, toVariable, toVariableName } from './curl.ts';
import { fillRoute } from './fill-route.ts';
import { toBlock, toCode } from './markdown.ts';
import { followSchema, toFields, toSample } from './schema-words.ts';

/** An operation at its place in a document: `/users/:id`, `/files/*path`. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** The ways to authenticate, and a call by curl and by fetch, with the parameters and fields that must be there. */
export function toCallSamples(placed: PlacedOperation, document: OpenApiDocument): readonly string[] {
  const { security } = placed.operation;
  const schemes = document.components.securitySchemes ?? {};
  const request = toSampleRequest(placed, document);
  const credentials = Object.keys(security[0] ?? {}).flatMap((name) => findHeader(schemes[name]));
  const headers = [...credentials.map((name) => [name, toVariable(name)] as const), ...request.headers];
  const options = toBodyOptions(request.fields, Object.fromEntries(request.files.map((name) => [name, [name]])));
  return [
    toSecurityText(security, schemes),
    toBlock(toCurlText({ ...request, headers, options }), 'sh'),
    toBlock(toFetchText(request, credentials), 'js'),
  ];
}

type Schemes = Readonly<Record<string, SecurityScheme>>;

/** ``Send `bearer` credentials in the header `authorization`, or the cookie `sid`, or nothing.`` */
function toSecurityText(security: OperationObject['security'], schemes: Schemes): string {
  const choices = security.map((choice) => {
    const all = Object.entries(choice).map(([name, scopes]) => {
      const asked = scopes.length === 0 ? '' : ` with ${scopes.map(toCode).join(', ')}`;
      return toSchemeWords(name, schemes[name]) + asked;
    });
    return all.join(' and ') || 'nothing';
  });
  return choices.every((choice) => choice === 'nothing') ? '' : `Send ${choices.join(', or ')}.`;
}

function toSchemeWords(name: string, scheme: SecurityScheme | undefined): string {
  if (scheme === undefined) return toCode(name);
  if (scheme.type === 'apiKey')
    return `the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${toCode(scheme.name)}`;
  const names = { oauth2: 'a token of OAuth 2', openIdConnect: 'a token of OpenID Connect' };
  const what = scheme.type === 'http' ? `${toCode(scheme.scheme)} credentials` : names[scheme.type];
  return `${what} in the header \`authorization\``;
}

function findHeader(scheme: SecurityScheme | undefined): readonly string[] {
  if (scheme?.type === 'apiKey') return scheme.in === 'header' ? [scheme.name.toLowerCase()] : [];
  return scheme === undefined ? [] : ['authorization'];
}

/** `files`: the fields of the body that are files; with some it is a form. */
function toSampleRequest({ method, path, operation }: PlacedOperation, { components, servers }: OpenApiDocument) {
  const { schemas } = components;
  const server = servers.find(({ url }) => URL.canParse(url))?.url ?? 'http://localhost:3000';
  const needed = (operation.parameters ?? []).filter(({ required }) => required === true);
  const samples = needed.map(({ name, schema }) => {
    return [name, name === KEY_HEADER ? '"8e03978e-40d5"' : (toSample(schema, schemas) ?? '')] as const;
  });
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
  const binary = toFields(followSchema(schema, schemas)).filter((field) => field.schema['format'] === 'binary');
  const isFile = (name: string): boolean => binary.some((field) => field.name === name);
  const body = Object.entries(Object(toSample(schema, schemas)) as object);
  const sent = needed.flatMap(({ name, in: place }) =>
    place === 'header' || place === 'cookie' ? [{ field: name, in: place, name }] : [],
  );
  const input = Object.fromEntries([...body.filter(([name]) => !isFile(name)), ...samples]);
  const { url, rest, headers } = fillRoute({ method, path, sent }, input);
  return {
    method,
    url: server.replace(/\/$/, '') + url,
    headers: Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text] as const),
    fields: rest,
    files: body.flatMap(([name]) => (isFile(name) ? [name] : [])),
  };
}

function toFetchText(
  { method, url, headers, fields, files }: ReturnType<typeof toSampleRequest>,
  credentials: readonly string[],
): string {
  const json = (value: unknown): string => JSON.stringify(value);
  const hasJson = files.length === 0 && Object.keys(fields).length > 0;
  const sent = [
    ...credentials.map((name) => `"${name}": process.env.${toVariableName(name)}`),
    ...headers.map(([name, value]) => `${json(name)}: ${json(value)}`),
    ...(hasJson ? ['"content-type": "application/json"'] : []),
  ];
  const form = [...Object.keys(fields), ...files].map(json).join(', ');
  const options = [
    method === 'GET' ? '' : `  method: '${method}',\n`,
    sent.length === 0 ? '' : `  headers: { ${sent.join(', ')} },\n`,
    hasJson ? `  body: JSON.stringify(${json(fields)}),\n` : '',
    files.length > 0 ? `  body: form, // a FormData with ${form}\n` : '',
  ].join('');
  return `const response = await fetch(${json(url)}${options === '' ? '' : `, {\n${options}}`});`;
}
