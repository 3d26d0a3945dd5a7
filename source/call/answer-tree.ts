import { toFrameLine } from '../kit/line/frame-line.ts';
import type { Line } from '../kit/line/line.ts';
import { wrapText } from '../kit/text/text-width.ts';
import type { Token } from '../kit/theme/tokens.ts';
import { toJsonTree } from '../kit/tree/json-tree.ts';
import type { TreeNode } from '../kit/tree/tree-state.ts';
import { toStatusToken } from '../screens/status-token.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import type { CallResult } from './run/call-protocol.ts';
import type { CallState } from './use-call.ts';

/** The head line of an answer: `200  12 ms`. `now`: milliseconds since 1970. */
export function toAnswerHead(state: CallState, now: number): Line {
  switch (state.kind) {
    case 'none':
      return [{ text: 'No call yet: Enter sends.', token: 'muted' }];
    case 'running':
      return [{ text: `Running … ${toSeconds(now - state.startedAt)}`, token: 'muted' }];
    case 'cancelled': {
      const after = `Cancelled after ${toSeconds(state.afterMs)}`;
      const told = state.isOnServer ? `${after}: the server may have done it.` : `${after}: its process was ended.`;
      return [{ text: told, token: 'warning' }];
    }
    case 'failed':
      return [{ text: 'No answer', token: 'danger' }];
    case 'answered': {
      const { status, durationMs } = state.result;
      return [
        { text: `${status}`, token: toStatusToken(status) },
        { text: `  ${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`, token: 'muted' },
      ];
    }
  }
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** What was answered, as a tree whose own words are in lines of at most `columns`. */
export function toAnswerTree(state: CallState, columns: number): readonly TreeNode[] {
  if (state.kind === 'failed') return toTextNodes('message', state.message, { columns, token: 'danger' });
  if (state.kind !== 'answered') return [];
  const { body, hint = '' } = state.result;
  return [
    ...toJsonTree(body, { columns }),
    ...toThrownNodes(state.result, columns),
    ...toTextNodes('hint', hint, { columns, token: 'muted' }),
  ];
}

function toThrownNodes({ thrown = '', frame }: CallResult, columns: number): readonly TreeNode[] {
  const lines = frame?.split('\n') ?? [];
  return [
    ...toTextNodes('thrown', thrown, { columns, token: 'danger' }),
    ...lines.map((line, index) => ({ id: `frame ${index}`, line: toFrameLine(line), copied: frame })),
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
