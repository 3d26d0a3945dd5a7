import { toFrameLine } from '../ui/code-frame.ts';
import { toJsonTree } from '../ui/json-tree.ts';
import type { Line } from '../ui/line-segments.ts';
import type { Token } from '../ui/theme.ts';
import type { TreeNode } from '../ui/tree-state.ts';
import type { CallResult } from './call-messages.ts';
import type { CallState } from './use-call.ts';

/** The head line of an answer: `200 OK  12 ms`. */
export function toAnswerHead(state: CallState): Line {
  switch (state.kind) {
    case 'none':
      return [{ text: 'No call yet: Enter sends.', token: 'muted' }];
    case 'running':
      return [{ text: 'Running …', token: 'muted' }];
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

export function toStatusToken(status: number): Token {
  return status < 400 ? 'success' : status < 500 ? 'warning' : 'danger';
}

/** What was answered, as a tree. */
export function toAnswerTree(state: CallState): readonly TreeNode[] {
  if (state.kind === 'failed')
    return [{ id: 'message', line: [{ text: state.message, token: 'danger' }], copied: state.message }];
  if (state.kind !== 'answered') return [];
  return [...toJsonTree(state.result.body), ...toThrownNodes(state.result)];
}

function toThrownNodes({ thrown, frame }: CallResult): readonly TreeNode[] {
  if (thrown === undefined) return [];
  const lines = frame?.split('\n') ?? [];
  return [
    {
      id: 'thrown',
      line: [{ text: thrown, token: 'danger' }],
      copied: thrown,
      children: lines.map((line, index) => ({ id: `frame ${index}`, line: toFrameLine(line) })),
    },
  ];
}
