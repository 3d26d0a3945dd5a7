import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import type { Problem } from '../project/problem.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Line } from '../ui/line-segments.ts';
import { wrapText } from '../ui/text-width.ts';
import type { Symbols } from '../ui/theme.ts';
import { findAtPointer, readPointer } from './document-pointer.ts';

/** The problems of the project, each with what to do; empty where there are none. */
export function toProblemLines(problems: readonly Problem[], columns: number, symbols: Symbols): readonly Line[] {
  return problems.flatMap(({ severity, message, hint, file, line }): readonly Line[] => {
    const sign = severity === 'error' ? symbols.cross : symbols.warning;
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

/** What is selected, as it is written in the document. The whole of the paths or components would be too long to read. */
export function toSelectedLines(
  document: OpenApiDocument,
  pointer: string | undefined,
  columns: number,
): readonly Line[] {
  if (pointer === undefined) return [];
  const title: Line = [{ text: readPointer(pointer).join(' ').trim(), token: 'title' }];
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
