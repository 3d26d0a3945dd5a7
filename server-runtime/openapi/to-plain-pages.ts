import type {
  OpenApiDocument,
  OperationObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '../http/document/openapi-document.ts';

/** A page or a file of it, to be served at a path. */
export interface DocsFile {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** The reference of an API where no renderer is installed. */
export function toPlainPages(document: OpenApiDocument): readonly DocsFile[] {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const headers = ['content-type', 'text/html; charset=utf-8', 'content-security-policy', policy];
  return [{ path: 'docs', headers, body: toDocsPage(document) }];
}

/** A page to read an API on: one HTML document without scripts or anything from elsewhere. */
function toDocsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const { title, version, description } = document.info;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
<header><h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>${paragraph(description)}<p><a href="openapi.json">openapi.json</a></p></header>
<nav><ul>${operations.map(({ path, method, operation }) => `<li><a href="#${escapeHtml(operation.operationId)}">${tag(method)} <code>${escapeHtml(path)}</code></a></li>`).join('')}</ul></nav>
<main>
${operations.map(({ path, method, operation }) => toSection(`${tag(method)} <code>${escapeHtml(path)}</code>`, operation, document)).join('\n')}
<section id="schemas"><h2>Schemas</h2>${Object.entries(document.components.schemas)
    .map(([name, schema]) => `<h3 id="schema-${escapeHtml(name)}">${escapeHtml(name)}</h3>${toSchemaBlock(schema)}`)
    .join('')}</section>
</main>
</body>
</html>
`;
}

function toSection(heading: string, operation: OperationObject, document: OpenApiDocument): string {
  const { operationId, summary, description, deprecated, parameters = [], requestBody, responses } = operation;
  return `<section id="${escapeHtml(operationId)}"><h2>${heading}</h2>
<p>${escapeHtml(summary)}${deprecated === true ? ' <b>deprecated</b>' : ''}</p>${paragraph(description === summary ? undefined : description)}
${parameters.length === 0 ? '' : `<h3>Parameters</h3><table><tr><th>Name</th><th>In</th><th>Schema</th><th></th></tr>${parameters.map(toParameterRow).join('')}</table>`}
${
  requestBody === undefined
    ? ''
    : `<h3>Body</h3>${Object.entries(requestBody.content)
        .map(([type, { schema }]) => `<p>${escapeHtml(type)}</p>${toSchemaBlock(schema)}`)
        .join('')}`
}
<h3>Answers</h3><dl>${Object.entries(responses)
    .map(([status, response]) => toAnswer(status, response, document))
    .join('')}</dl></section>`;
}

function toParameterRow({
  name,
  in: place,
  required,
  description = '',
  schema,
}: NonNullable<OperationObject['parameters']>[number]): string {
  return `<tr><td><code>${escapeHtml(name)}</code>${required === true ? ' *' : ''}</td><td>${place}</td><td><code>${escapeHtml(JSON.stringify(schema))}</code></td><td>${escapeHtml(description)}</td></tr>`;
}

function toAnswer(status: string, response: ResponseObject | ReferenceObject, { components }: OpenApiDocument): string {
  const found = '$ref' in response ? components.responses[response.$ref.split('/').pop() ?? ''] : response;
  if (found === undefined) return '';
  const schemas = Object.values(found.content ?? {}).map(({ schema }) => toSchemaBlock(schema));
  return `<dt>${escapeHtml(status)}</dt><dd>${escapeHtml(found.description)}${Number(status) < 400 ? schemas.join('') : ''}</dd>`;
}

function toSchemaBlock(schema: SchemaObject): string {
  const text = escapeHtml(JSON.stringify(schema, undefined, 2));
  return `<pre>${text.replace(/#\/components\/schemas\/([\w.-]+)/g, '<a href="#schema-$1">$1</a>')}</pre>`;
}

function tag(method: string): string {
  return `<b class="${method.toLowerCase()}">${escapeHtml(method)}</b>`;
}

function paragraph(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<p>${escapeHtml(text)}</p>`;
}

/** A text as HTML: everything in a document may come from anywhere. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{display:grid;grid-template-columns:minmax(14rem,22rem) minmax(0,1fr);gap:0 2rem;max-width:80rem;margin:0 auto;padding:1rem}
header{grid-column:1/-1}nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto}nav ul{list-style:none;padding:0}nav a{text-decoration:none;color:inherit}
section{border-top:1px solid #8884;padding:1rem 0}h2{font-size:1.1rem}h3{font-size:.9rem}pre{overflow:auto;background:#8881;padding:.75rem;border-radius:6px;font-size:.85rem}
table{border-collapse:collapse}td,th{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}dt{font-weight:600}.get{color:#2a7}.post{color:#27c}.put,.patch{color:#b70}.delete{color:#c33}
@media(max-width:50rem){body{display:block}nav{position:static}}`;
