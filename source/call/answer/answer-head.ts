import { type Line, lineWidth } from '../../kit/line/line.ts';
import { toStatusToken } from '../../screens/status-token.ts';
import type { CallState } from '../use-call.ts';
import { type AnswerTab, answerTabs } from './answer-rows.ts';
import { toDurationText, toSizeText } from './body-text.ts';

export interface HeadOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the form says something else than what was answered. */
  readonly isOld: boolean;
}

/** The head line of an answer: `200  12 ms  1.2 kB`. */
export function toAnswerHead(state: CallState, { now, isOld }: HeadOptions): Line {
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
      const { status, durationMs, http } = state.result;
      const size = http === undefined ? '' : `  ${toSizeText(http.bytes)}`;
      return [
        { text: `${status}`, token: toStatusToken(status) },
        { text: `  ${toDurationText(durationMs)}${size}`, token: 'muted' },
        { text: isOld ? '  for another input' : '', token: 'warning' },
      ];
    }
  }
}

/** The names of the tabs with their keys; where they do not fit, the open one alone. */
export function toTabsLine(open: AnswerTab, { logLines, columns }: { logLines: number; columns: number }): Line {
  const names = answerTabs.map((tab, index): Line => {
    const text = `${tab}${tab === 'log' && logLines > 0 ? ` (${logLines})` : ''}`;
    if (tab === open) return [{ text: ` [${index + 1} ${text}]`, token: 'title' }];
    return [
      { text: ` ${index + 1}`, token: 'accent' },
      { text: ` ${text}`, token: 'muted' },
    ];
  });
  const all = names.flat();
  if (lineWidth(all) <= columns) return all;
  const short = [
    { text: ` [${open}]`, token: 'title' as const },
    { text: ` 1-${answerTabs.length}`, token: 'muted' as const },
  ];
  return lineWidth(short) <= columns ? short : [];
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
