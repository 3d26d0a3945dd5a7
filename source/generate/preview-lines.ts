import type { Line, Segment } from '../kit/line/line.ts';
import { wrapText } from '../kit/text/text-width.ts';
import { type Symbols, type Token, toMethodToken } from '../kit/theme/tokens.ts';
import type { FileChange } from './plan/file-change.ts';
import type { GeneratePreview } from './plan/generate-preview.ts';
import type { Generated } from './plan/generated.ts';

export interface PreviewLinesOptions {
  /** Columns of the widest line. */
  readonly width: number;
  readonly dryRun: boolean;
  /** The parts that other capabilities have already. */
  readonly clashes: readonly string[];
}

/** Shows what a wish comes to: key, route, file and export, then every file with what it gets; or why it cannot be. */
export function toPreviewLines(
  preview: GeneratePreview,
  { width, dryRun, clashes }: PreviewLinesOptions,
): readonly Line[] {
  switch (preview.kind) {
    case 'none':
      return toText('What will be written is shown here.', { width, token: 'muted' });
    case 'refused':
      return [
        ...toText(preview.message, { width, token: 'danger' }),
        ...toText(preview.code === 'FileExists' ? replaceHint : (preview.hint ?? ''), { width }),
      ];
    case 'ready':
      return [
        ...toFacts(preview.generated, width),
        ...clashes.flatMap((clash) => toText(clash, { width, token: 'danger' })),
        ...toWarnings(preview.generated, width),
        ...(dryRun ? toText('A dry run: nothing is written.', { width, token: 'warning' }) : []),
        [],
        ...preview.generated.changes.flatMap((change) => toChangeLines(change, width)),
      ];
  }
}

const replaceHint = 'Choose another name, or switch `replace` on.';

/** Shows what was written, until it is in the project. */
export function toWrittenLines(
  generated: Generated,
  { width, symbols }: { readonly width: number; readonly symbols: Symbols },
): readonly Line[] {
  return [
    ...generated.changes.map(
      ({ kind, path }): Line => [{ text: `${symbols.tick} ${kind.padEnd(7)}  `, token: 'success' }, { text: path }],
    ),
    [],
    ...toWarnings(generated, width),
  ];
}

function toFacts({ key, route, changes: [first] }: Generated, width: number): readonly Line[] {
  const fact = (label: string, value: string, token?: Token) =>
    toLabelled({ text: label, token: 'muted' }, { text: value, token }, width);
  if (route === undefined) return fact('Group', key, 'title');
  return [
    ...fact('Key', key, 'title'),
    ...fact('Route', `${route.method} ${route.path}`, toMethodToken(route.method)),
    ...fact('File', first?.path ?? ''),
    ...fact('Export', key.split('.').at(-1) ?? key),
  ];
}

const LABEL_WIDTH = 8;

function toLabelled(label: Segment, value: Segment, width: number): readonly Line[] {
  return wrapText(value.text, width - LABEL_WIDTH).map((part, index) => [
    { ...label, text: (index === 0 ? label.text : '').padEnd(LABEL_WIDTH) },
    { ...value, text: part },
  ]);
}

function toWarnings({ route, missing }: Generated, width: number): readonly Line[] {
  return [
    ...(route?.lacksId
      ? toText('The path has an id, which the handler gets only with `input`.', { width, token: 'warning' })
      : []),
    ...[missing, missing?.otherwise].flatMap((part) =>
      part === undefined
        ? []
        : [
            ...toText(`${part.advice.charAt(0).toUpperCase()}${part.advice.slice(1)}:`, { width, token: 'warning' }),
            ...part.lines.flatMap((line) => toText(`  ${line}`, { width })),
          ],
    ),
  ];
}

function toChangeLines({ kind, path, line, text }: FileChange, width: number): readonly Line[] {
  const verb = kind === 'created' ? 'new' : line === undefined ? 'replace' : 'change';
  const added = line === undefined ? text.trimEnd().split(/\r?\n/) : [line];
  return [
    ...toLabelled(
      { text: verb, token: kind === 'created' ? 'added' : 'changed' },
      { text: path, token: 'title' },
      width,
    ),
    ...added.flatMap((part) => toAddedLines(part, width)),
    [],
  ];
}

/** A line of a file, on as many lines as it takes. */
function toAddedLines(text: string, width: number): readonly Line[] {
  const sign = '  + ';
  return wrapText(text, width - sign.length).map((part, index) => [
    { text: `${index === 0 ? sign : ' '.repeat(sign.length)}${part}`, token: 'added' },
  ]);
}

function toText(text: string, { width, token }: { readonly width: number; readonly token?: Token }): readonly Line[] {
  return wrapText(text, width).map((line) => [{ text: line, token }]);
}
