import type { SecurityScheme } from '../capability/guard.ts';
import { KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { OpenApiDocument, ParameterObject } from '../http/openapi-document.ts';
import { fillRoute, toBodyOptions, toCurlText, toFormTexts, toVariableName } from './curl.ts';
import { toBlock, toCode } from './markdown.ts';
import { followSchema, toFields, toSample } from './schema-words.ts';
import type { PlacedOperation } from './to-reference.ts';

/** The ways to authenticate, and a call by curl and by fetch. */
export function toCallSamples(placed: PlacedOperation, document: OpenApiDocument): readonly string[] {
  const request = toSampleRequest(placed, document);
  const { method, url, credentials, headers, fields, files } = request;
  const options = Object.entries(headers).map(([name, value]) => ['-H', `${name}: ${value}`] as const);
  const paths = Object.fromEntries(files.map((name) => [name, [name]]));
  return [
    toSecurity(placed, document),
    toBlock(
      toCurlText({
        method,
        url,
        headers: credentials.map((name) => [name, '']),
        options: [...options, ...toBodyOptions(fields, paths)],
      }),
      'sh',
    ),
    toBlock(toFetch(request), 'js'),
  ];
}

/** ``Send `bearer` credentials in the header `authorization`, or the cookie `sid`.`` */
function toSecurity({ operation: { security } }: PlacedOperation, { components }: OpenApiDocument): string {
  const choices = security.map((choice) => {
    const credentials = Object.entries(choice).map(([name, scopes]) => {
      const scheme = components.securitySchemes?.[name];
      const asked = scopes.length === 0 ? '' : ` with ${scopes.map(toCode).join(', ')}`;
      return (scheme === undefined ? toCode(name) : toSchemeWords(scheme)) + asked;
    });
    return credentials.join(' and ');
  });
  const wanted = choices.filter((choice) => choice !== '');
  if (wanted.length === 0) return '';
  return `Send ${wanted.join(', or ')}${wanted.length < choices.length ? ', or nothing.' : '.'}`;
}

function toSchemeWords(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'http':
      return `${toCode(scheme.scheme)} credentials in the header \`authorization\``;
    case 'apiKey':
      return `the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${toCode(scheme.name)}`;
    case 'openIdConnect':
      return 'a token of OpenID Connect in the header `authorization`';
    case 'oauth2':
      return 'a token of OAuth 2 in the header `authorization`';
  }
}

interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** The names of headers whose values are variables of the shell, and of the process. */
  readonly credentials: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** The fields of the body, but for its files. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields that are files; with some the body is a form. */
  readonly files: readonly string[];
}

function toSampleRequest({ method, template, operation }: PlacedOperation, document: OpenApiDocument): SampleRequest {
  const { parameters = [], requestBody, security } = operation;
  const { schemas } = document.components;
  const server = document.servers.find(({ url }) => URL.canParse(url))?.url ?? 'http://localhost:3000';
  const needed = parameters.filter((each) => each.required === true);
  const sampleOf = ({ name, schema }: ParameterObject): unknown =>
    name === KEY_HEADER ? '"8e03978e-40d5"' : (toSample(schema, schemas) ?? '');
  const inHead = needed.filter((each) => each.in === 'header' || each.in === 'cookie');
  const toField = (each: ParameterObject): string => (inHead.includes(each) ? `${each.in} ${each.name}` : each.name);
  const sent = inHead.map((each) => ({
    field: toField(each),
    in: each.in as 'header' | 'cookie',
    name: each.in === 'header' ? each.name.toLowerCase() : each.name,
  }));
  const [media] = Object.values(requestBody?.content ?? {});
  const whole = followSchema(media?.schema ?? {}, schemas);
  const files = toFields(whole).flatMap(({ name, schema }) => (schema['format'] === 'binary' ? [name] : []));
  const body = Object.entries(Object(media && toSample(media.schema, schemas)) as object);
  const params = needed.filter((each) => each.in === 'path').map(({ name }) => name);
  const route = { method, path: template.replace(/\{(\w+)\}/g, ':$1'), params, sent };
  const { url, rest, headers } = fillRoute(route, {
    ...Object.fromEntries(body.filter(([name]) => !files.includes(name))),
    ...Object.fromEntries(needed.map((each) => [toField(each), sampleOf(each)])),
  });
  return {
    method,
    url: server.replace(/\/$/, '') + url,
    credentials: findCredentials(security[0] ?? {}, document),
    headers,
    fields: rest,
    files: files.filter((name) => body.some(([field]) => field === name)),
  };
}

/** The headers of the first choice. */
function findCredentials(choice: object, { components }: OpenApiDocument): readonly string[] {
  return Object.keys(choice).flatMap((name) => {
    const scheme = components.securitySchemes?.[name];
    if (scheme === undefined || (scheme.type === 'apiKey' && scheme.in !== 'header')) return [];
    return [scheme.type === 'apiKey' ? scheme.name.toLowerCase() : 'authorization'];
  });
}

function toFetch({ method, url, credentials, headers, fields, files }: SampleRequest): string {
  const isForm = files.length > 0;
  const hasBody = Object.keys(fields).length > 0;
  const sent = { ...headers, ...(hasBody && !isForm && { 'content-type': 'application/json' }) };
  const inHead = [
    ...credentials.map((name) => `${JSON.stringify(name)}: process.env.${toVariableName(name)}`),
    ...Object.entries(sent).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(inHead.length === 0 ? [] : [`headers: { ${inHead.join(', ')} }`]),
    ...(isForm ? ['body: form'] : hasBody ? [`body: JSON.stringify(${JSON.stringify(fields)})`] : []),
  ];
  const parts = [
    ...toFormTexts(fields).map(([name, text]) => [name, JSON.stringify(text)] as const),
    ...files.map((name) => [name, 'file'] as const),
  ].map(([name, value]) => `form.append(${JSON.stringify(name)}, ${value});`);
  const lines = options.map((each) => `  ${each},\n`).join('');
  const call = `const response = await fetch(${JSON.stringify(url)}${lines === '' ? '' : `, {\n${lines}}`});`;
  return [...(isForm ? ['const form = new FormData();', ...parts] : []), call].join('\n');
}
