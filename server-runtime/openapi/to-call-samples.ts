import type { SecurityScheme } from '../capability/guard.ts';
import { KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { OpenApiDocument, ParameterObject } from '../http/openapi-document.ts';
import { fillRoute, toBodyOptions, toCurlText, toFormTexts, toVariableName } from './curl.ts';
import { toBlock, toCode } from './markdown.ts';
import { followSchema, toFields, toSample } from './schema-words.ts';
import type { PlacedOperation } from './to-reference.ts';

/** The ways to authenticate, and a call by curl and by fetch. */
export function toCallSamples(placed: PlacedOperation, document: OpenApiDocument): readonly string[] {
  const { security } = placed.operation;
  const schemeOf = (name: string): SecurityScheme | undefined => document.components.securitySchemes?.[name];
  const credentials = Object.keys(security[0] ?? {}).flatMap((name) => findHeader(schemeOf(name)));
  const request = toSampleRequest(placed, document);
  const { method, url, headers, fields, files } = request;
  const curl = toCurlText({
    method,
    url,
    headers: [...credentials.map((name) => [name, ''] as const), ...headers],
    options: toBodyOptions(fields, Object.fromEntries(files.map((name) => [name, [name]]))),
  });
  return [toSecurity(security, schemeOf), toBlock(curl, 'sh'), toBlock(toFetch(request, credentials), 'js')];
}

type SchemeOf = (name: string) => SecurityScheme | undefined;

/** ``Send `bearer` credentials in the header `authorization`, or the cookie `sid`.`` */
function toSecurity(security: PlacedOperation['operation']['security'], schemeOf: SchemeOf): string {
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

/** With the parameters and the fields that must be there. */
function toSampleRequest({ method, template, operation }: PlacedOperation, document: OpenApiDocument): SampleRequest {
  const { schemas } = document.components;
  const server = document.servers.find(({ url }) => URL.canParse(url))?.url ?? 'http://localhost:3000';
  const needed = (operation.parameters ?? []).filter((each) => each.required === true);
  const sampleOf = ({ schema }: ParameterObject): unknown => toSample(schema, schemas) ?? '';
  const textsIn = (place: ParameterObject['in']) =>
    needed.filter((each) => each.in === place).map((each) => [each.name, [sampleOf(each)].flat().join(', ')] as const);
  const [media] = Object.values(operation.requestBody?.content ?? {});
  const body = Object.entries(Object(media && toSample(media.schema, schemas)) as object);
  const isFile = (name: string): boolean =>
    toFields(followSchema(media?.schema ?? {}, schemas)).some(
      (field) => field.name === name && field.schema['format'] === 'binary',
    );
  const inUrl = needed.filter((each) => each.in === 'path' || each.in === 'query');
  const params = inUrl.filter((each) => each.in === 'path').map(({ name }) => name);
  const { url, rest } = fillRoute(
    { method, path: template.replace(/\{(\w+)\}/g, ':$1'), params },
    Object.fromEntries([
      ...body.filter(([name]) => !isFile(name)),
      ...inUrl.map((each) => [each.name, sampleOf(each)] as const),
    ]),
  );
  return {
    method,
    url: server.replace(/\/$/, '') + url,
    headers: [
      ...textsIn('header').map(
        ([name, text]) => [name.toLowerCase(), name === KEY_HEADER ? '"8e03978e-40d5"' : text] as const,
      ),
      ...textsIn('cookie').map(([name, text]) => ['cookie', `${name}=${encodeURIComponent(text)}`] as const),
    ],
    fields: rest,
    files: body.flatMap(([name]) => (isFile(name) ? [name] : [])),
  };
}

function toFetch({ method, url, headers, fields, files }: SampleRequest, credentials: readonly string[]): string {
  const isForm = files.length > 0;
  const hasJson = !isForm && Object.keys(fields).length > 0;
  const sent = [
    ...credentials.map((name) => `"${name}": process.env.${toVariableName(name)}`),
    ...[...headers, ...(hasJson ? [['content-type', 'application/json'] as const] : [])].map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    ),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(sent.length === 0 ? [] : [`headers: { ${sent.join(', ')} }`]),
    ...(isForm ? ['body: form'] : hasJson ? [`body: JSON.stringify(${JSON.stringify(fields)})`] : []),
  ];
  const parts = [
    ...toFormTexts(fields).map(([name, text]) => `${JSON.stringify(name)}, ${JSON.stringify(text)}`),
    ...files.map((name) => `${JSON.stringify(name)}, file`),
  ];
  const lines = options.map((each) => `  ${each},\n`).join('');
  const call = `const response = await fetch(${JSON.stringify(url)}${lines === '' ? '' : `, {\n${lines}}`});`;
  const form = ['const form = new FormData();', ...parts.map((part) => `form.append(${part});`)];
  return [...(isForm ? form : []), call].join('\n');
}
