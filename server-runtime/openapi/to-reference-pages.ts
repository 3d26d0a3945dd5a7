import type { OpenApiDocument } from '../http/openapi-document.ts';
import { type DocsFile, escapeHtml } from './html-page.ts';

/** The reference of an API by Swagger UI: the page `docs`, and its files under `docs/`, all from this server. */
export function toReferencePages(document: OpenApiDocument, { version, read }: SwaggerUi): readonly DocsFile[] {
  // Their paths have the version, so that browsers keep them.
  const script = `docs/swagger-ui-${version}.js`;
  const style = `docs/swagger-ui-${version}.css`;
  const kept = ['cache-control', 'public, max-age=31536000, immutable'];
  const safe = ['content-security-policy', toPolicy(document), 'referrer-policy', 'no-referrer'];
  return [
    toFile('docs', ['text/html', ...safe], () => toPage(document.info.title, script, style)),
    toFile('docs/start.js', ['text/javascript'], () => startScript),
    toFile(script, ['text/javascript', ...kept], () => read('swagger-ui-bundle.js')),
    toFile(style, ['text/css', ...kept], () => read('swagger-ui.css')),
  ];
}

/** A file that is made when it is asked for; its headers come behind its type. */
function toFile(path: string, [type, ...headers]: readonly string[], make: () => string): DocsFile {
  return {
    path,
    headers: ['content-type', `${type}; charset=utf-8`, 'x-content-type-options', 'nosniff', ...headers],
    get body() {
      return make();
    },
  };
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

function toPage(title: string, script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${style}">
</head>
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
interface SwaggerUi {
  readonly version: string;
  /** The text of a file of it: `swagger-ui.css`. */
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
    const paths = [import.meta.dirname, process.cwd()];
    const file = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json', { paths });
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
    const texts = new Map<string, string>();
    const read = (name: string): string => {
      const text = texts.get(name) ?? readFileSync(join(dirname(file), name), 'utf8');
      texts.set(name, text);
      return text;
    };
    return { version, read };
  } catch {
    return undefined;
  }
}
