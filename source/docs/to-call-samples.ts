import type {
  OpenApiDocument,
  OperationObject,
} from '../../server-runtime/openapi/openapi-document.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { fillRoute } from '../../server-runtime/routing/fill-route.ts';
import { toSampleValue } from '../document/schema-fields.ts';
import { follow, recordOf } from '../document/schema-json.ts';
import { toBodyOptions, toCurlText } from '../record/curl.ts';
import { findShellVariable, toShellVariable } from '../terminal/shell-word.ts';
import { toBlock, toCode } from './markdown.ts';

/** An operation at its place in a document, with its declaration where the document was not edited. */
export interface PlacedOperation {
  readonly document: OpenApiDocument;
  readonly declared: Operation | undefined;
  readonly key: string;
  readonly method: string;
  /** `/users/:id`, `/files/*path` */
  readonly path: string;
  readonly operation: OperationObject;
}

/** The ways to authenticate, and a call by curl and by fetch, with the parameters and fields that must be there. */
export function toCallSamples(placed: PlacedOperation): readonly string[] {
  const request = toSampleRequest(placed);
  return [
    toSecurityText(placed),
    toBlock(
      toCurlText({ ...request, options: toBodyOptions(request.fields, request.files) }),
      'sh',
    ),
    toBlock(toFetchText(request), 'js'),
  ];
}

/** ``Send `bearer` credentials in the header `authorization`, or the cookie `sid`, or nothing.`` */
function toSecurityText({ document, operation: { security } }: PlacedOperation): string {
  const choices = security.map((choice) => {
    const all = Object.entries(choice).map(([name, scopes]) => {
      const withScopes = scopes.length === 0 ? '' : ` with ${scopes.map(toCode).join(', ')}`;
      return toCredential(name, document).words + withScopes;
    });
    return all.join(' and ') || 'nothing';
  });
  return choices.every((choice) => choice === 'nothing') ? '' : `Send ${choices.join(', or ')}.`;
}

/** The words for a credential, and the header that it is sent in. */
function toCredential(
  name: string,
  { components }: OpenApiDocument,
): { readonly words: string; header?: string } {
  const scheme = components.securitySchemes?.[name];
  if (scheme === undefined) return { words: toCode(name) };
  if (scheme.type === 'apiKey') {
    const words = `the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${toCode(scheme.name)}`;
    return { words, ...(scheme.in === 'header' && { header: scheme.name.toLowerCase() }) };
  }
  const names = { oauth2: 'a token of OAuth 2', openIdConnect: 'a token of OpenID Connect' };
  const what = scheme.type === 'http' ? `${toCode(scheme.scheme)} credentials` : names[scheme.type];
  return { words: `${what} in the header \`authorization\``, header: 'authorization' };
}

/** `files`: the fields of the body that are files; with some it is a form. A credential is a variable. */
function toSampleRequest({ document, method, path, operation }: PlacedOperation) {
  const sample = (json: unknown): unknown => toSampleValue({ json, root: document });
  const server =
    document.servers.find(({ url }) => URL.canParse(url))?.url ?? 'http://localhost:3000';
  const credentials = Object.keys(operation.security[0] ?? {}).flatMap((name) => {
    return toCredential(name, document).header ?? [];
  });
  const needed = (operation.parameters ?? []).filter(({ required }) => required === true);
  const samples = needed.map(({ name, schema }) => [name, sample(schema) ?? ''] as const);
  const sent = needed.flatMap(({ name, in: place }) =>
    place === 'header' || place === 'cookie' ? [{ field: name, in: place, name }] : [],
  );
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
  const parts = recordOf(follow(schema, recordOf(document))['properties']);
  const isFile = ([name]: readonly [string, unknown]): boolean =>
    recordOf(parts[name])['format'] === 'binary';
  const body = Object.entries(Object(sample(schema)) as object);
  const input = Object.fromEntries([...body.filter((field) => !isFile(field)), ...samples]);
  const { url, rest: fields, headers } = fillRoute({ method, path, sent }, input);
  const all = [
    ...credentials.map((name) => [name, toShellVariable(name)] as const),
    ...Object.entries(headers),
  ];
  return {
    method,
    url: server.replace(/\/$/, '') + url,
    headers: all.map(([name, text]) => [name.toLowerCase(), text] as const),
    fields,
    files: Object.fromEntries(body.filter(isFile).map(([name]) => [name, [name]])),
  };
}

function toFetchText({
  method,
  url,
  headers,
  fields,
  files,
}: ReturnType<typeof toSampleRequest>): string {
  const toText = (value: unknown): string => {
    const variable = typeof value === 'string' ? findShellVariable(value) : undefined;
    return variable === undefined ? JSON.stringify(value) : `process.env.${variable}`;
  };
  const form = [...Object.keys(fields), ...Object.keys(files)];
  const hasFiles = Object.keys(files).length > 0;
  const hasJson = !hasFiles && form.length > 0;
  const sent = hasJson ? [...headers, ['content-type', 'application/json']] : headers;
  const options = [
    method === 'GET' ? '' : `  method: '${method}',\n`,
    sent.length === 0
      ? ''
      : `  headers: { ${sent.map((pair) => pair.map(toText).join(': ')).join(', ')} },\n`,
    hasJson ? `  body: JSON.stringify(${toText(fields)}),\n` : '',
    hasFiles ? `  body: form, // a FormData with ${form.map(toText).join(', ')}\n` : '',
  ].join('');
  return `const response = await fetch(${toText(url)}${options === '' ? '' : `, {\n${options}}`});`;
}
