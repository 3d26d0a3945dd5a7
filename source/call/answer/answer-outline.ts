import { toFrameLines } from '../../kit/line/to-frame-lines.ts';
import { wrapText } from '../../kit/text/text-width.ts';
import type { Token } from '../../kit/theme/tokens.ts';
import { toJsonTree } from '../../kit/tree/json-tree.ts';
import type { TreeNode } from '../../kit/tree/tree-state.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import { toScreenHint } from '../call-text.ts';
import type { CallResult } from '../run/call-protocol.ts';
import type { JudgedAnswer } from '../saved/use-saved-calls.ts';
import type { CallState } from '../use-call.ts';
import type { LiveOutput } from '../use-live-output.ts';
import type { Queried } from './query-answer.ts';

export interface OutlineOptions {
  readonly columns: number;
  readonly live: LiveOutput;
  /** Against what a saved call expects. */
  readonly judged: JudgedAnswer | undefined;
  /** The result of a query over the body, which is shown in its place. */
  readonly queried: Queried | undefined;
  /** The capabilities file. */
  readonly file: string;
}

/** The items of a stream that are drawn while it runs, the last ones. */
const LAST_ITEMS = 200;

/** A call and its answer as an outline of named parts. The lines of texts have at most `columns`. */
export function toAnswerOutline(state: CallState, options: OutlineOptions): readonly TreeNode[] {
  const { columns, live } = options;
  switch (state.kind) {
    case 'none':
      return [];
    case 'running':
      return toLiveNodes(live, columns);
    case 'cancelled': {
      const told = state.isOnServer ? 'The server may have done it.' : 'Its process was ended.';
      return [...toTextNodes('cancelled', told, { columns, token: 'warning' }), ...toLiveNodes(live, columns)];
    }
    case 'failed':
      return [...toTextNodes('message', state.message, { columns, token: 'danger' }), ...toLiveNodes(live, columns)];
    case 'answered': {
      const { result } = state;
      return [
        ...toJudgedNodes(options.judged, columns),
        toBodyNode(result, options),
        ...toErrorNodes(result, options),
        ...(result.status >= FAILED ? toItemNodes(live, columns) : []),
        ...toHeaderNodes(result),
        ...toMessageNodes(live, false),
        ...toPrintedNodes(live, result.status >= FAILED),
      ];
    }
  }
}

const FAILED = 400;

function toLiveNodes(live: LiveOutput, columns: number): readonly TreeNode[] {
  return [...toItemNodes(live, columns), ...toMessageNodes(live, true), ...toPrintedNodes(live, true)];
}

function toBodyNode({ body }: CallResult, { columns, queried }: OutlineOptions): TreeNode {
  const found = queried !== undefined && 'found' in queried ? queried.found : undefined;
  const value = found === undefined ? body : found.length === 1 ? found[0] : found;
  const [root] = toJsonTree(value, { columns });
  return {
    id: 'body',
    line: [{ text: 'body', token: 'title' }, { text: '  ' }, ...(root?.line ?? [])],
    isOpen: root?.isOpen ?? true,
    hasChildren: root?.hasChildren ?? false,
    get children() {
      return root?.children ?? [];
    },
    get copied() {
      return root?.copied;
    },
  };
}

function toErrorNodes(result: CallResult, { columns, file }: OutlineOptions): readonly TreeNode[] {
  const { thrown, frame } = result.failure ?? {};
  const lines = frame === undefined ? [] : toFrameLines(frame, columns - 2);
  const nodes = [
    ...toTextNodes('thrown', thrown?.message ?? '', { columns: columns - 2, token: 'danger' }),
    ...lines.map((line, index) => ({ id: `frame ${index}`, line, copied: frame })),
    ...toTextNodes('hint', toScreenHint(result, file) ?? '', { columns: columns - 2, token: 'muted' }),
  ];
  return nodes.length === 0 ? [] : [toSection('error', { isOpen: true, children: () => nodes, copied: thrown?.stack })];
}

function toItemNodes({ items, itemCount }: LiveOutput, columns: number): readonly TreeNode[] {
  if (itemCount === 0) return [];
  const last = items.slice(-LAST_ITEMS);
  const told = last.length < itemCount ? `${itemCount}, the last ${last.length} are shown` : `${itemCount}`;
  const children = () =>
    last.map((item, index): TreeNode => {
      const number = itemCount - last.length + index;
      const [node] = toJsonTree(item, { columns: columns - 4 });
      return {
        ...(node ?? { line: [] }),
        id: `item ${number}`,
        line: [{ text: `${number}: ` }, ...(node?.line ?? [])],
      };
    });
  return [toSection('items', { told, isOpen: true, children, copied: items })];
}

function toHeaderNodes({ http }: CallResult): readonly TreeNode[] {
  if (http === undefined) return [];
  const children = () =>
    http.headers.map(
      ([name, value], index): TreeNode => ({
        id: `header ${index}`,
        line: [{ text: `${name}: `, token: 'accent' }, { text: value }],
        copied: `${name}: ${value}`,
      }),
    );
  return [toSection('headers', { told: `${http.headers.length}`, isOpen: false, children })];
}

function toMessageNodes({ messages }: LiveOutput, isOpen: boolean): readonly TreeNode[] {
  if (messages.length === 0) return [];
  const children = () => messages.map((text, index) => ({ id: `message ${index}`, line: [{ text }], copied: text }));
  return [toSection('messages', { told: `${messages.length}`, isOpen, children, copied: messages.join('\n') })];
}

function toPrintedNodes({ printed }: LiveOutput, isOpen: boolean): readonly TreeNode[] {
  if (printed.length === 0) return [];
  const children = () =>
    printed.map(
      ({ text, isError }, index): TreeNode => ({
        id: `printed ${index}`,
        line: [{ text, token: isError ? 'warning' : undefined }],
        copied: text,
      }),
    );
  const copied = printed.map(({ text }) => text).join('\n');
  return [toSection('printed', { told: `${printed.length}`, isOpen, children, copied })];
}

function toJudgedNodes(judged: JudgedAnswer | undefined, columns: number): readonly TreeNode[] {
  if (judged === undefined) return [];
  const { name, problems } = judged;
  const text = problems.length === 0 ? `@${name}: as expected` : problems.map((one) => `@${name}: ${one}`).join('\n');
  return toTextNodes('judged', text, { columns, token: problems.length === 0 ? 'success' : 'danger' });
}

interface SectionOptions {
  readonly told?: string;
  readonly isOpen: boolean;
  readonly children: () => readonly TreeNode[];
  readonly copied?: unknown;
}

function toSection(name: string, { told = '', isOpen, children, copied }: SectionOptions): TreeNode {
  let made: readonly TreeNode[] | undefined;
  return {
    id: name,
    line: [
      { text: name, token: 'title' },
      { text: told === '' ? '' : `  ${told}`, token: 'muted' },
    ],
    isOpen,
    hasChildren: true,
    get children() {
      return (made ??= children());
    },
    get copied() {
      return typeof copied === 'string' || copied === undefined ? copied : JSON.stringify(copied, undefined, 2);
    },
  };
}

function toTextNodes(
  id: string,
  text: string,
  { columns, token }: { readonly columns: number; readonly token: Token },
): readonly TreeNode[] {
  if (text === '') return [];
  return wrapText(stripControl(text), columns).map((part, index) => ({
    id: `${id} ${index}`,
    line: [{ text: part, token }],
    copied: text,
  }));
}
