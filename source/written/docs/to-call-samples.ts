import { findWholeBody } from '../../../server-runtime/capability/http.ts';
import type { OpenApiDocument } from '../../../server-runtime/openapi/openapi-document.ts';
import type { Operation } from '../../../server-runtime/registry/compile-registry.ts';
import { fillRoute, toWholeText } from '../../../server-runtime/routing/fill-route.ts';
import { isFile } from '../../document/branch.ts';
import type { ApiOperation, Credential } from '../../document/operations/api-operation.ts';
import { findOnlyBranch, findOnlyObject } from '../../document/read-branches.ts';
import { toSampleValue } from '../../document/samples/sample-value.ts';
import { textOf } from '../../document/schema-json.ts';
import { toBodyOptions, toCurlText, toWholeOptions } from '../../record/curl.ts';
import { findShellVariable, toShellVariable } from '../../terminal/shell-word.ts';
import { toBlock, toCode } from './markdown.ts';

/** An operation at its place in a document, with its declaration where the document was not edited. */
export interface PlacedOperation {
  readonly document: OpenApiDocument;
  readonly declared: Operation | undefined;
  readonly key: string;
  /** `/users/:id`, `/files/*path` */
  readonly path: string;
  readonly operation: ApiOperation;
}

/** The ways to authenticate, and a call by curl and by fetch, with the parameters and fields that must be there. */
export function toCallSamples(placed: PlacedOperation): readonly string[] {
  const request = toSampleRequest(placed);
  return [
    toSecurityText(placed),
    toBlock(toCurlText({ ...request, options: toSampleOptions(request) }), 'sh'),
    toBlock(toFetchText(request), 'js'),
  ];
}

function toSampleOptions({ fields, files, body, whole }: SampleRequest) {
  return body === undefined ? toBodyOptions(fields, files) : toWholeOptions(whole, body, files);
}

/** ``Send `bearer` credentials in the header `authorization`, or the cookie `sid`, or nothing.`` */
function toSecurityText({ operation: { security } }: PlacedOperation): string {
  const choices = security.map((choice) => {
    const all = choice.map((credential) => {
      const { scopes } = credential;
      const withScopes = scopes.length === 0 ? '' : ` with ${scopes.map(toCode).join(', ')}`;
      return toCredentialWords(credential) + withScopes;
    });
    return all.join(' and ') || 'nothing';
  });
  return choices.every((choice) => choice === 'nothing') ? '' : `Send ${choices.join(', or ')}.`;
}

function toCredentialWords({ name, scheme }: Credential): string {
  const [type, place = '', sent = '', word = ''] = ['type', 'in', 'name', 'scheme'].map((each) =>
    textOf(scheme[each]),
  );
  if (type === undefined) return toCode(name);
  if (type === 'apiKey')
    return `the ${place === 'query' ? 'query parameter' : place} ${toCode(sent)}`;
  const what = tokens[type] ?? `${toCode(word)} credentials`;
  return `${what} in the header \`authorization\``;
}

const tokens: Readonly<Record<string, string>> = {
  oauth2: 'a token of OAuth 2',
  openIdConnect: 'a token of OpenID Connect',
};

/** The header that a credential is sent in; undefined where it is none, or nobody knows. */
function findHeader({ scheme: { type, in: place, name } }: Credential): string | undefined {
  if (type === undefined) return undefined;
  if (type !== 'apiKey') return 'authorization';
  return place === 'header' ? textOf(name)?.toLowerCase() : undefined;
}

/** `files`: the fields of the body that are files; with some it is a form. A credential is a variable. */
function toSampleRequest({ document, declared, path, operation }: PlacedOperation) {
  const { method, parameters, security, body: request } = operation;
  const server =
    document.servers.find(({ url }) => URL.canParse(url))?.url ?? 'http://localhost:3000';
  const credentials = (security[0] ?? []).flatMap((each) => findHeader(each) ?? []);
  const needed = parameters.filter(({ isRequired }) => isRequired);
  const samples = needed.map(
    ({ written, schema }) => [written, toSampleValue(schema) ?? ''] as const,
  );
  const sent = needed.flatMap(({ written: name, in: place }) =>
    place === 'header' || place === 'cookie' ? [{ field: name, in: place, name }] : [],
  );
  const schema = request?.contents[0]?.schema;
  const body = declared && findWholeBody(declared.definition.schema, declared.definition.body);
  const parts = schema && (body ? new Map([[body.field, schema]]) : findOnlyObject(schema)?.fields);
  const isFilePart = ([name]: readonly [string, unknown]): boolean => {
    const part = parts?.get(name);
    const only = part && findOnlyBranch(part);
    return only !== undefined && isFile(only);
  };
  const value = schema && toSampleValue(schema);
  const values = Object.entries(body ? { [body.field]: value } : (Object(value) as object));
  const input = Object.fromEntries([...values.filter((field) => !isFilePart(field)), ...samples]);
  const { url, rest: fields, headers, whole } = fillRoute({ method, path, sent, body }, input);
  const all = [
    ...credentials.map((name) => [name, toShellVariable(name)] as const),
    ...Object.entries(headers),
  ];
  return {
    method,
    url: server.replace(/\/$/, '') + url,
    headers: all.map(([name, text]) => [name.toLowerCase(), text] as const),
    fields,
    files: Object.fromEntries(values.filter(isFilePart).map(([name]) => [name, [name]])),
    body,
    whole,
  };
}

type SampleRequest = ReturnType<typeof toSampleRequest>;

/** The type and the body of a request by fetch whose body is one field. */
function toWholeFetch({ body, whole, files }: SampleRequest): {
  readonly type: string;
  readonly text: string;
} {
  const type = (body?.types[0] ?? '').replace(/^.*\*.*$/, 'application/octet-stream');
  const [file] = Object.keys(files);
  if (file !== undefined) return { type, text: `${file}, // a Blob` };
  const isJson = /[/+]json$/.test(type);
  const json = JSON.stringify(whole?.value ?? null);
  const text = isJson ? `JSON.stringify(${json})` : JSON.stringify(whole ? toWholeText(whole) : '');
  return { type, text: `${text},` };
}

/** The line of the body, empty for none, and its type, which fetch writes of a form itself. */
function toFetchBody(
  request: SampleRequest,
  toText: (value: unknown) => string,
): { readonly type?: string; readonly line: string } {
  const { fields, files, body } = request;
  if (body !== undefined) {
    const { type, text } = toWholeFetch(request);
    return { type, line: `  body: ${text}\n` };
  }
  const names = [...Object.keys(fields), ...Object.keys(files)];
  if (names.length === 0) return { line: '' };
  if (Object.keys(files).length > 0)
    return { line: `  body: form, // a FormData with ${names.map(toText).join(', ')}\n` };
  return { type: 'application/json', line: `  body: JSON.stringify(${toText(fields)}),\n` };
}

function toFetchText(request: SampleRequest): string {
  const { method, url, headers } = request;
  const toText = (value: unknown): string => {
    const variable = typeof value === 'string' ? findShellVariable(value) : undefined;
    return variable === undefined ? JSON.stringify(value) : `process.env.${variable}`;
  };
  const { type, line } = toFetchBody(request, toText);
  const sent = type === undefined ? headers : [...headers, ['content-type', type]];
  const options = [
    method === 'GET' ? '' : `  method: '${method}',\n`,
    sent.length === 0
      ? ''
      : `  headers: { ${sent.map((pair) => pair.map(toText).join(': ')).join(', ')} },\n`,
    line,
  ].join('');
  return `const response = await fetch(${toText(url)}${options === '' ? '' : `, {\n${options}}`});`;
}
