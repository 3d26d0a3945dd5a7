import type { OpenApiDocument } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Block, Line } from './schema-words.ts';
import { toReference } from './to-reference.ts';

/** The page as one HTML document without scripts or anything from elsewhere. */
export function toHtmlPage(title: string, blocks: readonly Block[]): string {
  const links = blocks
    .flatMap((block) => (block.kind === 'heading' && block.level > 1 ? [block] : []))
    .map(({ level, text }) => `<li class="l${level}"><a href="#${toId(text)}">${escapeHtml(text)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
<nav><p><a href="openapi.json">openapi.json</a></p><ul>
${links.join('\n')}
</ul></nav>
<main>
${blocks.map(toHtml).join('\n')}
</main>
</body>
</html>
`;
}

function toHtml(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level} id="${toId(block.text)}">${escapeHtml(block.text)}</h${block.level}>`;
    case 'foreign':
      return block.text === '' ? '' : `<p class="foreign">${escapeHtml(block.text)}</p>`;
    case 'text':
      return `<p>${toLineHtml(block.line)}</p>`;
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'table': {
      const rows = block.rows.map((row) => `<tr>${row.map((cell) => `<td>${toLineHtml(cell)}</td>`).join('')}</tr>`);
      const head = block.head.map((cell) => `<th>${cell}</th>`).join('');
      return rows.length === 0 ? '' : `<table><tr>${head}</tr>\n${rows.join('\n')}</table>`;
    }
  }
}

function toLineHtml(line: Line): string {
  const toSpan = (span: Line[number]): string => {
    if (typeof span === 'string') return escapeHtml(span);
    if ('link' in span) return `<a href="#${toId(span.link)}">${escapeHtml(span.link)}</a>`;
    return 'strong' in span ? `<b>${escapeHtml(span.strong)}</b>` : `<code>${escapeHtml(span.code)}</code>`;
  };
  return line.map(toSpan).join('');
}

function toId(text: string): string {
  return encodeURIComponent(text);
}

/** A text as HTML: everything in a document may come from anywhere. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{display:grid;grid-template-columns:minmax(12rem,18rem) minmax(0,1fr);gap:0 2rem}
body{max-width:80rem;margin:auto;padding:1rem}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto}nav ul{list-style:none;padding:0}
nav a{text-decoration:none;color:inherit}.l3{padding-left:1rem}.foreign{white-space:pre-line}
h2,h3{border-top:1px solid #8884;padding-top:1rem}
pre{overflow:auto;background:#8881;padding:.75rem;border-radius:6px;font-size:.85rem}
table{border-collapse:collapse;display:block;overflow:auto}
td,th{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}
@media(max-width:50rem){body{display:block}nav{position:static}}`;

/** A page or a file of it, to be served at a path. */
export interface DocsFile {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** The reference of an API where no renderer is installed. */
export function toPlainPages(document: OpenApiDocument, operations: readonly Operation[]): readonly DocsFile[] {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const headers = ['content-type', 'text/html; charset=utf-8', 'content-security-policy', policy];
  return [{ path: 'docs', headers, body: toHtmlPage(document.info.title, toReference(document, operations)) }];
}
