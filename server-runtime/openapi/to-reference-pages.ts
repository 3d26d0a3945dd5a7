import type { OpenApiDocument } from '../http/openapi-document.ts';
import { type DocsFile, escapeHtml } from './html-page.ts';

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
  const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">';
  const links = `<link rel="icon" href="data:,"><link rel="stylesheet" href="${style}">`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8">${viewport}<title>${escapeHtml(info.title)}</title>${links}</head>
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

/** The installed package swagger-ui-dist: its version, and its files when they are asked for. */
export interface SwaggerUi {
  readonly version: string;
  /** The text of a file of it, read at the first call: `swagger-ui.css`. */
  readonly read: (name: string) => string;
}

/** Finds swagger-ui-dist beside this package, or in the project of the process; undefined without its files. */
export async function loadSwaggerUi(): Promise<SwaggerUi | undefined> {
  try {
    const [{ createRequire }, { readFileSync }, { dirname, join }] = await Promise.all([
      import('node:module'),
      import('node:fs'),
      import('node:path'),
    ]);
    const file = [import.meta.url, join(process.cwd(), 'server.js')]
      .map((from) => findFile(createRequire(from), 'swagger-ui-dist/package.json'))
      .find((found) => found !== undefined);
    if (file === undefined) return undefined;
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
    const read = once((name) => readFileSync(join(dirname(file), name), 'utf8'));
    return { version, read };
  } catch {
    return undefined;
  }
}

function findFile(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

function once(read: (name: string) => string): (name: string) => string {
  const texts = new Map<string, string>();
  return (name) => {
    const text = texts.get(name) ?? read(name);
    texts.set(name, text);
    return text;
  };
}
