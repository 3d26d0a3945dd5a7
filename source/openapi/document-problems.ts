import type { OpenApiDocument } from '../../server-runtime/http/openapi-document.ts';
import { findAtPointer, parsePointer } from '../document/schema-json.ts';
import type { Line } from '../kit/line.ts';
import { wrapText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import type { Problem } from '../manifest/problem.ts';
import { stripControl } from '../terminal/strip-control.ts';

/** The most problems that are read beside the document; more have a screen of their own. */
const MANY_PROBLEMS = 3;

/** The problems of the project, or where that is much, with the capability of that key. */
export function toDocumentProblems(
  problems: readonly Problem[],
  key: string | undefined,
  { columns }: { readonly columns: number },
): readonly Line[] {
  if (problems.length <= MANY_PROBLEMS) return toProblemLines(problems, columns);
  const own = key === undefined ? [] : problems.filter(({ keys }) => keys.includes(key));
  const summary: Line = [
    { text: `${signs.warning} ${problems.length} problems`, token: 'warning' },
    { text: ': ! shows them', token: 'muted' },
  ];
  return [...toProblemLines(own, columns), summary];
}

/** The problems, each with what to do; empty where there are none. */
export function toProblemLines(problems: readonly Problem[], columns: number): readonly Line[] {
  return problems.flatMap(({ severity, message, hint, file, line }): readonly Line[] => {
    const sign = severity === 'error' ? signs.cross : signs.warning;
    const token = severity === 'error' ? 'danger' : 'warning';
    const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
    return [
      ...toWrapped(message.replaceAll('`', ''), columns - 2).map(
        (text, row): Line => [{ text: row === 0 ? `${sign} ` : '  ', token }, { text }],
      ),
      ...[hint, place]
        .filter((text) => text !== undefined)
        .flatMap((text) => toWrapped(text, columns - 2))
        .map((text): Line => [{ text: `  ${text}`, token: 'muted' }]),
    ];
  });
}

/** The selected part, as it is written in the document. The paths or components whole are too long to read. */
export function toSelectedLines(
  document: OpenApiDocument,
  pointer: string | undefined,
  columns: number,
): readonly Line[] {
  if (pointer === undefined) return [];
  const title: Line = [{ text: parsePointer(pointer).join(' ').trim(), token: 'title' }];
  if (/^#\/(paths|components)(\/(schemas|responses))?$/.test(pointer)) return [title];
  const text = JSON.stringify(findAtPointer(document, pointer), undefined, 2) ?? '';
  return [title, ...toWrapped(text, columns).map(toJsonLine)];
}

function toWrapped(text: string, columns: number): readonly string[] {
  return wrapText(stripControl(text), columns);
}

/** A line of indented JSON, the key and the value told apart. */
function toJsonLine(text: string): Line {
  const [, key, rest = ''] = /^(\s*"(?:[^"\\]|\\.)*": ?)(.*)$/.exec(text) ?? [];
  if (key === undefined) return [{ text, token: /^\s*"/.test(text) ? 'string' : 'muted' }];
  const token = rest.startsWith('"')
    ? 'string'
    : /^[\d-]/.test(rest)
      ? 'number'
      : /^[tfn]/.test(rest)
        ? 'keyword'
        : 'muted';
  return [{ text: key }, { text: rest, token }];
}
