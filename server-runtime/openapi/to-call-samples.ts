import type { SecurityScheme } from '../capability/guard.ts';
import { KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { OpenApiDocument } from '../http/openapi-document.ts';
import { fillRoute, toBodyOptions, toCurlText, toFormTexts, toVariableName } from './curl.ts';
import { toBlock, toCode } from './markdown.ts';
import { followSchema, toFields, toSample } from './schema-words.ts';
import type { PlacedOperation } from './to-reference.ts';

/** The ways to authenticate, and a call by curl and by fetch, with the parameters and fields that must be there. */
export function toCallSamples(placed: PlacedOperation, document: OpenApiDocument): readonly string[] {
  const { security } = placed.operation;
  const schemeOf = (name: string): SecurityScheme | undefined => document.components.securitySchemes?.[name];
  const request = toSampleRequest(placed, document);
  const { fields, files } = request;
  const credentials = Object.keys(security[0] ?? {}).flatMap((name) => findHeader(schemeOf(name)));
  const headers = [...credentials.map((name) => [name, ''] as const), ...request.headers];
  const options = toBodyOptions(fields, Object.fromEntries(files.map((name) => [name, [name]])));
  return [
    toSecurity(security, schemeOf),
    toBlock(toCurlText({ ...request, headers, options }), 'sh'),
    toBlock(toFetch(request, credentials), 'js'),
  ];
}

/** ``Send `bearer` credentials in the header `authorization`, or the cookie `sid`.`` */
function toSecurity(
  security: PlacedOperation['operation']['security'],
  schemeOf: (name: string) => SecurityScheme | undefined,
): string {
  const choices = security.map((choice) =>
    Object.entries(choice).map(([name, scopes]) => {
      const asked = scopes.length === 0 ? '' : ` with ${scopes.map(toCode).join(', ')}`;
      return toSchemeWords(name, schemeOf(name)) + asked;
    }),
  );
  const wanted = choices.filter((choice) => choice.length > 0).map((choice) => choice.join(' and '));
  if (wanted.length === 0) return '';
  return `Send ${wanted.join(', or ')}${wanted.length < choices.length ? ', or nothing.' : '.'}`;
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

interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The fields of the body, but for its files. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields that are files; with some the body is a form. */
  readonly files: readonly string[];
}

function toSampleRequest({ method, template, operation }: PlacedOperation, document: OpenApiDocument): SampleRequest {
  const { schemas } = document.components;
  const server = document.servers.find(({ url }) => URL.canParse(url))?.url ?? 'http://localhost:3000';
  const needed = (operation.parameters ?? []).filter(({ required }) => required === true);
  const samples = needed.map(({ name, schema }) => {
    return [name, name === KEY_HEADER ? '"8e03978e-40d5"' : (toSample(schema, schemas) ?? '')] as const;
  });
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
  const body = Object.entries(Object(toSample(schema, schemas)) as object);
  const isFile = (name: string): boolean =>
    toFields(followSchema(schema, schemas)).some((field) => field.name === name && field.schema['format'] === 'binary');
  const { url, rest, headers } = fillRoute(
    {
      method,
      path: template.replace(/\{(\w+)\}/g, ':$1'),
      params: needed.flatMap(({ name, in: place }) => (place === 'path' ? [name] : [])),
      sent: needed.flatMap(({ name, in: place }) =>
        place === 'header' || place === 'cookie' ? [{ field: name, in: place, name }] : [],
      ),
    },
    Object.fromEntries([...body.filter(([name]) => !isFile(name)), ...samples]),
  );
  return {
    method,
    url: server.replace(/\/$/, '') + url,
    headers: Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]),
    fields: rest,
    files: body.flatMap(([name]) => (isFile(name) ? [name] : [])),
  };
}

function toFetch({ method, url, headers, fields, files }: SampleRequest, credentials: readonly string[]): string {
  const json = (value: unknown): string => JSON.stringify(value);
  const isForm = files.length > 0;
  const hasJson = !isForm && Object.keys(fields).length > 0;
  const sent = [
    ...credentials.map((name) => `"${name}": process.env.${toVariableName(name)}`),
    ...headers.map(([name, value]) => `${json(name)}: ${json(value)}`),
    ...(hasJson ? ['"content-type": "application/json"'] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(sent.length === 0 ? [] : [`headers: { ${sent.join(', ')} }`]),
    ...(isForm ? ['body: form'] : hasJson ? [`body: JSON.stringify(${json(fields)})`] : []),
  ];
  const lines = options.map((each) => `  ${each},\n`).join('');
  const call = `const response = await fetch(${json(url)}${lines === '' ? '' : `, {\n${lines}}`});`;
  if (!isForm) return call;
  const parts = [
    ...toFormTexts(fields).map(([name, text]) => `${json(name)}, ${json(text)}`),
    ...files.map((name) => `${json(name)}, file`),
  ];
  return ['const form = new FormData();', ...parts.map((part) => `form.append(${part});`), call].join('\n');
}
