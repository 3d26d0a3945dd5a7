import type { SecurityScheme } from '../capability/guard.ts';
import { KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { OpenApiDocument, ParameterObject } from '../http/openapi-document.ts';
import { type Block, followSchema, type Line, toFields, toSample } from './schema-words.ts';
import type { PlacedOperation } from './to-reference.ts';

/** The ways to authenticate, and a call by curl and by fetch. */
export function toCallBlocks(placed: PlacedOperation, document: OpenApiDocument): readonly Block[] {
  const request = toSampleRequest(placed, document);
  return [
    ...toSecurityBlocks(placed, document),
    { kind: 'code', language: 'sh', text: toCurl(request) },
    { kind: 'code', language: 'js', text: toFetch(request) },
  ];
}

/** ``Send `bearer` credentials in the header `authorization`, or the cookie `sid`.`` */
function toSecurityBlocks(
  { operation: { security } }: PlacedOperation,
  { components }: OpenApiDocument,
): readonly Block[] {
  const choices = security
    .map((choice) =>
      Object.entries(choice).flatMap(([name, scopes], index): Line => {
        const scheme = components.securitySchemes?.[name];
        const asked = scopes.flatMap((scope, at): Line => [at === 0 ? ' with ' : ', ', { code: scope }]);
        return [
          index === 0 ? '' : ' and ',
          ...(scheme === undefined ? [{ code: name }] : toSchemeWords(scheme)),
          ...asked,
        ];
      }),
    )
    .filter((choice) => choice.length > 0);
  if (choices.length === 0) return [];
  const words = choices.flatMap((choice, index) => [index === 0 ? 'Send ' : ', or ', ...choice]);
  return [{ kind: 'text', line: [...words, choices.length < security.length ? ', or nothing.' : '.'] }];
}

function toSchemeWords(scheme: SecurityScheme): Line {
  switch (scheme.type) {
    case 'http':
      return [{ code: scheme.scheme }, ' credentials in the header ', { code: 'authorization' }];
    case 'apiKey':
      return [`the ${scheme.in === 'query' ? 'query parameter' : scheme.in} `, { code: scheme.name }];
    case 'openIdConnect':
      return ['a token of OpenID Connect in the header ', { code: 'authorization' }];
    case 'oauth2':
      return ['a token of OAuth 2 in the header ', { code: 'authorization' }];
  }
}

interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** A value that begins with `$` is a variable of the shell, and of the process. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parts of a form; the value of a file is undefined. */
  readonly form: Readonly<Record<string, string | undefined>> | undefined;
  readonly json: string | undefined;
}

function toSampleRequest({ method, template, operation }: PlacedOperation, document: OpenApiDocument): SampleRequest {
  const { parameters = [], requestBody, security } = operation;
  const { schemas } = document.components;
  const server = document.servers.find(({ url }) => URL.canParse(url))?.url ?? 'http://localhost:3000';
  const sampleOf = ({ schema }: ParameterObject): string => toText(toSample(schema, schemas));
  const headerOf = (each: ParameterObject): string => (each.name === KEY_HEADER ? '"8e03978e-40d5"' : sampleOf(each));
  const needed = (place: string) => parameters.filter((each) => each.in === place && each.required === true);
  const path = needed('path').reduce(
    (text, each) => text.replace(`{${each.name}}`, encodeURIComponent(sampleOf(each))),
    template,
  );
  const query = needed('query').flatMap(({ name, schema }) => toPairs(name, toSample(schema, schemas)));
  const cookies = needed('cookie').map((each) => `${each.name}=${encodeURIComponent(sampleOf(each))}`);
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const whole = followSchema(media?.schema ?? {}, schemas);
  const sample = media && toSample(media.schema, schemas);
  const hasFields = typeof sample === 'object' && sample !== null && Object.keys(sample).length > 0;
  const files = new Set(toFields(whole).flatMap(({ name, schema }) => (schema['format'] === 'binary' ? [name] : [])));
  const isForm = type === 'multipart/form-data';
  const fields = Object.entries(Object(sample) as object).map(([name, value]) => [
    name,
    files.has(name) ? undefined : toText(value),
  ]);
  return {
    method,
    url: `${server.replace(/\/$/, '')}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: {
      ...toCredentials(security[0] ?? {}, document),
      ...Object.fromEntries(needed('header').map((each) => [each.name.toLowerCase(), headerOf(each)])),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...(media !== undefined && !isForm && hasFields ? { 'content-type': 'application/json' } : {}),
    },
    form: isForm ? (Object.fromEntries(fields) as Record<string, string | undefined>) : undefined,
    json: !isForm && hasFields ? JSON.stringify(sample) : undefined,
  };
}

/** The headers of the first choice; their values are variables. */
function toCredentials(choice: object, { components }: OpenApiDocument): Readonly<Record<string, string>> {
  const names = Object.keys(choice).flatMap((name) => {
    const scheme = components.securitySchemes?.[name];
    if (scheme === undefined || (scheme.type === 'apiKey' && scheme.in !== 'header')) return [];
    return [scheme.type === 'apiKey' ? scheme.name.toLowerCase() : 'authorization'];
  });
  return Object.fromEntries(names.map((name) => [name, `$${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`]));
}

/** `tags=a`, `filter[state]=open`. */
function toPairs(name: string, value: unknown): readonly string[] {
  if (Object(value) !== value) return [`${encodeURIComponent(name)}=${encodeURIComponent(toText(value))}`];
  const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
  return Object.entries(value as object).flatMap(([key, each]) => toPairs(hasParts ? `${name}[${key}]` : name, each));
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function toCurl({ method, url, headers, form, json }: SampleRequest): string {
  const isVariable = (value: string): boolean => /^\$\w+$/.test(value);
  const words = [
    ...(method === 'GET' ? [] : ['-X', method]),
    quote(url),
    ...Object.entries(headers).flatMap(([name, value]) => [
      '-H',
      isVariable(value) ? `"${name}: ${value}"` : quote(`${name}: ${value}`),
    ]),
    ...Object.entries(form ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : ['--form-string', quote(`${name}=${value}`)],
    ),
    ...Object.entries(form ?? {}).flatMap(([name, value]) =>
      value === undefined ? ['-F', quote(`${name}=@${name}`)] : [],
    ),
    ...(json === undefined ? [] : ['-d', quote(json)]),
  ];
  return `curl ${words.join(' ')}`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function toFetch({ method, url, headers, form, json }: SampleRequest): string {
  const toValue = (value: string): string =>
    /^\$\w+$/.test(value) ? `process.env.${value.slice(1)}` : JSON.stringify(value);
  const inHead = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${toValue(value)}`);
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(inHead.length === 0 ? [] : [`headers: { ${inHead.join(', ')} }`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${json})`]),
    ...(form === undefined ? [] : ['body: form']),
  ];
  const parts = Object.entries(form ?? {}).map(
    ([name, value]) => `form.append(${JSON.stringify(name)}, ${value === undefined ? 'file' : JSON.stringify(value)});`,
  );
  const lines = options.map((each) => `  ${each},\n`).join('');
  const call = `await fetch(${JSON.stringify(url)}${lines === '' ? '' : `, {\n${lines}}`});`;
  return [...(form === undefined ? [] : ['const form = new FormData();', ...parts]), `const response = ${call}`].join(
    '\n',
  );
}
