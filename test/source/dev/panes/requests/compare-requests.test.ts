import { describe, expect, it } from 'vitest';
import { compareRequests } from '../../../../../source/dev/screen/compare-requests.ts';
import { type Line, toLineText } from '../../../../../source/kit/line.ts';
import { textWidth } from '../../../../../source/kit/text.ts';
import type { RoutedRequest } from '../../../../../source/record/replace-url-secrets.ts';

function toRequest(id: number, durationMs: number, answer: readonly string[], status = 200): RoutedRequest {
  return {
    id,
    at: id * 60_000,
    method: 'GET',
    url: '/texts',
    capability: 'texts.listTexts',
    status,
    durationMs,
    bytes: 300,
    requestId: `request-${id}`,
    details: {
      headers: [['user-agent', `client ${id}`]],
      answerHeaders: [
        ['content-type', 'application/json'],
        ['Date', `a day ${id}`],
      ],
      hasRun: true,
      context: { requestId: `request-${id}` },
      guards: [],
      answer,
      logs: [],
    },
  };
}

const compare = (before: RoutedRequest, after: RoutedRequest, columns: number): readonly Line[] =>
  compareRequests({ before, after, frames: {}, columns });

describe('a request and the one that repeats it', () => {
  it('stand beside each other, with what differs marked in the colours of a difference', () => {
    const lines = compare(toRequest(1, 40, ['one', 'two']), toRequest(2, 5, ['one', 'three', 'four']), 120);
    const texts = lines.map(toLineText);
    expect(texts[0]).toBe('Sent again: 2 lines differ, 40 ms before, 5.0 ms now');
    expect(texts).toContainEqual(expect.stringMatching(/^ +"one", +│ +"one",$/));
    expect(texts).toContainEqual(expect.stringMatching(/^- +"two" +│ \+ +"three",$/));
    expect(texts).toContainEqual(expect.stringMatching(/^ +│ \+ +"four"$/));
    expect(Math.max(...texts.map(textWidth))).toBeLessThanOrEqual(120);
    const changed = lines.find((line) => toLineText(line).includes('"three"')) ?? [];
    expect(changed.map(({ token }) => token)).toContain('removed');
    expect(changed.map(({ token }) => token)).toContain('added');
  });

  it('say that nothing differs where only times, ids and the headers of the connection do', () => {
    const texts = compare(toRequest(1, 40, ['one']), toRequest(2, 5, ['one']), 120).map(toLineText);
    expect(texts[0]).toContain('no differences');
    expect(texts.join('\n')).toMatch(/request id +request-1 +│ +request id +request-2/);
    expect(texts.join('\n')).not.toContain('client');
  });

  it('stand below each other in a narrow window', () => {
    const texts = compare(toRequest(1, 40, ['one']), toRequest(2, 5, ['one'], 500), 60).map(toLineText);
    expect(texts).toContain('- 200  GET /texts');
    expect(texts).toContain('+ 500  GET /texts');
    expect(Math.max(...texts.map(textWidth))).toBeLessThanOrEqual(60);
  });
});
