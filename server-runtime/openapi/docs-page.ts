import { createHash } from 'node:crypto';
import type { OpenApiDocument } from './openapi-document.ts';

/** The one version whose files have the digests below. */
const cdn = 'https://cdn.jsdelivr.net/npm/swagger-ui-dist@5.35.0/';
const styles = 'sha384-WlYgdmXYOOBWL5apwjDEZwN+U3HmXSSu5R6V5aGxEcf7z+KuRNwBhoxKVN1i3D5I';
const bundle = 'sha384-gjRm0bEPMeTmMh5jT2cHccIwCUZSTd8YC+j0d0sXw0MdGEfScduGpSyF3ZSSLkX9';

/** The page names the document as beside it, so that it stands behind any prefix of a proxy. */
const start = "SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true });";

/**
 * The page that shows a document in Swagger UI, and the policy that it needs: this version from the CDN, the script
 * that starts it, and calls to the servers that the document names.
 */
export function toDocsPage({
  info,
  servers,
}: OpenApiDocument): Readonly<Record<'html' | 'policy', string>> {
  const started = createHash('sha256').update(start).digest('base64');
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}</title>
<link rel="stylesheet" href="${cdn}swagger-ui.css" integrity="${styles}" crossorigin="anonymous"></head>
<body>
<div id="api"><p>This page shows <a href="openapi.json">openapi.json</a> in Swagger UI. For that it needs JavaScript,
and two files from cdn.jsdelivr.net.</p></div>
<script src="${cdn}swagger-ui-bundle.js" integrity="${bundle}" crossorigin="anonymous"></script>
<script>${start}</script>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    // A page of another site that shows it in a frame could have a reader send calls unknowingly.
    "frame-ancestors 'none'",
    `script-src ${cdn} 'sha256-${started}'`,
    `style-src ${cdn} 'unsafe-inline'`,
    'img-src data:',
    `connect-src ${["'self'", ...new Set(servers.flatMap(({ url }) => findOrigin(url) ?? []))].join(' ')}`,
  ];
  return { html, policy: policy.join('; ') };
}

/** The origin of an absolute URL of HTTP. The host of a URL may have a `;` or a `,`, which would end a directive. */
function findOrigin(url: string): string | undefined {
  const origin = URL.canParse(url) ? new URL(url).origin : '';
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
}
