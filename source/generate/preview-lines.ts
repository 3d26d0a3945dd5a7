import { parsePathPattern, toPathShape } from '../../server-runtime/routing/path-pattern.ts';
import type { Line } from '../kit/line.ts';
import { wrapText } from '../kit/text.ts';
import { type Token, toMethodToken } from '../kit/theme.ts';
import type { Listed } from '../manifest/listed.ts';
import type { FileChange, Generated } from './generate.ts';
import { toNotes } from './run-generate.ts';
import type { Preview } from './use-generate.ts';

export interface PreviewOptions {
  /** Columns of the widest line. */
  readonly width: number;
  readonly capabilities: readonly Listed[];
}

/** Shows what comes of what is typed: key, route and file, then every file with what it gets; or why it cannot be. */
export function toPreviewLines(preview: Preview, { width, capabilities }: PreviewOptions): readonly Line[] {
  const text = (words: string, token?: Token): readonly Line[] =>
    words.split('\n').flatMap((line) => wrapText(line, width).map((part): Line => [{ text: part, token }]));
  if (preview.kind === 'none') {
    const groups = [...new Set(capabilities.map((one) => one.groups.join('/')).filter(Boolean))];
    const list = groups.length === 0 ? '' : `The groups are ${groups.join(', ')}.`;
    return [...text('What will be written is shown here.', 'muted'), ...text(list, 'muted')];
  }
  if (preview.kind === 'refused') {
    const hint = preview.code === 'FileExists' ? 'Choose another name, or switch `replace` on.' : preview.hint;
    return [...text(preview.message, 'danger'), ...text(hint ?? '')];
  }
  const { generated } = preview;
  return [
    ...toFacts(generated, width),
    ...findClashes(generated, capabilities).flatMap((clash) => text(clash, 'danger')),
    ...toNotes(generated).flatMap((note) => text(note, 'warning')),
    [],
    ...generated.changes.flatMap((change) => toChangeLines(change, width)),
  ];
}

const LABEL_WIDTH = 8;

function toFacts({ key, route, changes: [first] }: Generated, width: number): readonly Line[] {
  const fact = (label: string, value: string, token?: Token): readonly Line[] =>
    wrapText(value, width - LABEL_WIDTH).map((part, index) => [
      { text: (index === 0 ? label : '').padEnd(LABEL_WIDTH), token: 'muted' },
      { text: part, token },
    ]);
  if (route === undefined) return fact('Group', key, 'title');
  return [
    ...fact('Key', key, 'title'),
    ...fact('Route', `${route.method} ${route.path}`, toMethodToken(route.method)),
    ...fact('File', first?.path ?? ''),
  ];
}

/** The route or name of a new capability that another one has already, so that the project would have an error. */
function findClashes({ key, route }: Generated, capabilities: readonly Listed[]): readonly string[] {
  if (route === undefined) return [];
  const shape = toShape(route);
  const same = capabilities.filter((other) => other.key !== key && toShape(other) === shape);
  return same.map((other) => `${other.key} is ${other.method} ${other.path} already; no server starts with both.`);
}

function toShape({ method, path }: { readonly method: string; readonly path: string }): string {
  const pattern = parsePathPattern(path);
  return `${method} ${pattern.kind === 'pattern' ? toPathShape(pattern.segments) : path}`;
}

function toChangeLines({ kind, path, line, text }: FileChange, width: number): readonly Line[] {
  const verb = kind === 'created' ? 'new' : line === undefined ? 'replace' : 'change';
  const added = line === undefined ? text.trimEnd().split(/\r?\n/) : [line];
  return [
    [
      { text: verb.padEnd(LABEL_WIDTH), token: kind === 'created' ? 'added' : 'changed' },
      { text: path, token: 'title' },
    ],
    ...added.flatMap((part) =>
      wrapText(part, width - 4).map(
        (one, index): Line => [{ text: `${index === 0 ? '  + ' : '    '}${one}`, token: 'added' }],
      ),
    ),
    [],
  ];
}
