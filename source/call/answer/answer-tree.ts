import { toFrameLines } from '../../kit/line/to-frame-lines.ts';
import { wrapText } from '../../kit/text/text-width.ts';
import type { Token } from '../../kit/theme/tokens.ts';
import { toJsonTree } from '../../kit/tree/json-tree.ts';
import type { TreeNode } from '../../kit/tree/tree-state.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { CallResult } from '../run/call-protocol.ts';
import type { PrintedLine } from '../run/call-session.ts';
import type { JudgedAnswer } from '../saved/use-saved-calls.ts';
import type { CallState } from '../use-call.ts';

export interface AnswerTreeOptions {
  readonly columns: number;
  readonly log: readonly PrintedLine[];
  /** Against what a saved call expects. */
  readonly judged: JudgedAnswer | undefined;
}

/** The number of printed lines that are shown where there is no answer. */
const LAST_PRINTED = 20;

/** The answer as a tree whose own words are in lines of at most `columns`; where there is none, what the code has printed last. */
export function toAnswerTree(state: CallState, { columns, log, judged }: AnswerTreeOptions): readonly TreeNode[] {
  if (state.kind === 'failed') {
    const printed = log.slice(-LAST_PRINTED).map(({ text }) => text);
    return [
      ...toTextNodes('message', state.message, { columns, token: 'danger' }),
      ...toTextNodes('printed', printed.join('\n'), { columns, token: 'warning' }),
    ];
  }
  if (state.kind !== 'answered') return [];
  const { body, hint = '' } = state.result;
  const json = toJsonTree(body, { columns });
  const above = toJudgedNodes(judged, columns);
  const below = [...toThrownNodes(state.result, columns), ...toTextNodes('hint', hint, { columns, token: 'muted' })];
  // The same array where nothing stands around it, whose rows are known.
  return above.length + below.length === 0 ? json : [...above, ...json, ...below];
}

function toJudgedNodes(judged: JudgedAnswer | undefined, columns: number): readonly TreeNode[] {
  if (judged === undefined) return [];
  const { name, problems } = judged;
  const text = problems.length === 0 ? `@${name}: as expected` : problems.map((one) => `@${name}: ${one}`).join('\n');
  return toTextNodes('judged', text, { columns, token: problems.length === 0 ? 'success' : 'danger' });
}

function toThrownNodes({ thrown = '', frame }: CallResult, columns: number): readonly TreeNode[] {
  const lines = frame === undefined ? [] : toFrameLines(frame, columns);
  return [
    ...toTextNodes('thrown', thrown, { columns, token: 'danger' }),
    ...lines.map((line, index) => ({ id: `frame ${index}`, line, copied: frame })),
  ];
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
