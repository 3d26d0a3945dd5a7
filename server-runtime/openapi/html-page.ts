import type { OpenApiDocument } from '../http/openapi-document.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { toAnchor } from './markdown.ts';
import { toReference } from './to-reference.ts';

/** The reference of an API as one page of HTML, without scripts or anything from elsewhere. */
export function toReferencePage(document: OpenApiDocument, operations: readonly Operation[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title><style>${style}</style></head>
<body>
<p><a href="openapi.json">openapi.json</a></p>
${toReference(document, operations).map(toHtml).join('\n')}
</body>
</html>
`;
}

/** A part of the reference as HTML. */
function toHtml(part: string): string {
  const [, { length } = '', heading] = /^(#{1,3}) (.*)$/s.exec(part) ?? [];
  if (heading !== undefined) return `<h${length} id="${toAnchor(heading)}">${toSpans(heading)}</h${length}>`;
  const [, , code] = /^(`{3,})\w*\n(.*)\n\1$/s.exec(part) ?? [];
  if (code !== undefined) return `<pre><code>${escapeHtml(code)}</code></pre>`;
  if (!part.startsWith('| ')) return `<p>${toSpans(part)}</p>`;
  const toCell = (cell: string): string => `<td>${toSpans(cell.replaceAll('\\|', '|'))}</td>`;
  const lines = part.split('\n').filter((_, at) => at !== 1);
  const rows = lines.map((row) => `<tr>${row.slice(2, -2).split(' | ').map(toCell).join('')}</tr>`);
  return `<table>${rows.join('\n')}</table>`;
}

/** Text with code, links within the page and strong words in it. */
function toSpans(text: string): string {
  const spans = text.split(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/s).map((part, index) => {
    if (index % 3 === 2) return `<code>${escapeHtml(part.trim())}</code>`;
    if (index % 3 === 1) return '';
    return escapeHtml(part.replaceAll('&lt;', '<').replaceAll('&amp;', '&'))
      .replaceAll(/\[([^\]]+)\]\(#([^)\s]*)\)/g, '<a href="#$2">$1</a>')
      .replaceAll(/\*\*(.+?)\*\*/g, '<b>$1</b>');
  });
  return spans.join('');
}

/** A text as HTML: everything in a document may come from anywhere. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:auto;padding:1rem}
p{white-space:pre-line}
h2,h3{border-top:1px solid #8884;padding-top:1rem}
pre{overflow:auto;background:#8881;padding:.75rem;border-radius:6px;font-size:.85rem}
table{border-collapse:collapse;display:block;overflow:auto}
tr:first-child{font-weight:bold}
td{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}`;
