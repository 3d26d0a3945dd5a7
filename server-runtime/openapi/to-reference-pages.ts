import type { OpenApiDocument } from '../http/document/openapi-document.ts';
import type { SwaggerUi } from './load-swagger-ui.ts';
import { escapeHtml } from './html-page.ts';
import type { DocsFile } from './to-plain-pages.ts';

/** The reference of an API by Swagger UI: the page `docs`, and its files under `docs/`, all from this server. */
export function toReferencePages(document: OpenApiDocument, { version, read }: SwaggerUi): readonly DocsFile[] {
  const script = `docs/swagger-ui-${version}.js`;
  const style = `docs/swagger-ui-${version}.css`;
  return [
    {
      path: 'docs',
      headers: [
        ...toHeaders('text/html; charset=utf-8'),
        'content-security-policy',
        toPolicy(document),
        'referrer-policy',
        'no-referrer',
      ],
      body: toPage(document, { script, style }),
    },
    { path: 'docs/start.js', headers: toHeaders('text/javascript; charset=utf-8'), body: startScript },
    toFile(script, 'text/javascript; charset=utf-8', () => read('swagger-ui-bundle.js')),
    toFile(style, 'text/css; charset=utf-8', () => read('swagger-ui.css')),
  ];
}

/** A file of the package, read when it is asked for. Its path has the version, so that browsers keep it. */
function toFile(path: string, type: string, read: () => string): DocsFile {
  return {
    path,
    headers: [...toHeaders(type), 'cache-control', 'public, max-age=31536000, immutable'],
    get body() {
      return read();
    },
  };
}

function toHeaders(type: string): readonly string[] {
  return ['content-type', type, 'x-content-type-options', 'nosniff'];
}

/** Nothing from elsewhere; requests go to this server and to those that the document names. */
function toPolicy({ servers }: OpenApiDocument): string {
  const origins = servers.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).origin] : []));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function toPage(
  { info }: OpenApiDocument,
  { script, style }: { readonly script: string; readonly style: string },
): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${style}"></head>
<body>
<div id="docs"></div>
<noscript><p>This page needs JavaScript. The API is described in <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="${script}"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;
}

/** Without the badge that asks a server of its makers whether the document is valid. */
const startScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: 'none',
  presets: [SwaggerUIBundle.presets.apis],
});
`;
