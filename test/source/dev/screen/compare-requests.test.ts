import { describe, expect, it } from 'vitest';
import { compareRequests } from '../../../../source/dev/screen/compare-requests.ts';
import { type Line, toLineText } from '../../../../source/kit/line.ts';
import { textWidth } from '../../../../source/kit/text.ts';
import type { RoutedRequest } from '../../../../source/record/replace-url-secrets.ts';

function toRequest(
  id: number,
  durationMs: number,
  answer: readonly string[],
  status = 200,
): RoutedRequest {
  return {
    id: String(id),
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
  compareRequests({ ...after, before }, { frame: undefined, columns });

describe('a request and the one that repeats it', () => {
  it('stand in one text, with what differs marked in the colours of a difference', () => {
    const lines = compare(
      toRequest(1, 40, ['one', 'two']),
      toRequest(2, 5, ['one', 'three', 'four'], 500),
      60,
    );
    const texts = lines.map(toLineText);
    expect(texts[0]).toBe('Sent again: 5 lines differ, 40 ms before, 5.0 ms now');
    expect(texts.filter((text) => /^[-+]/.test(text))).toEqual([
      '- 200  GET /texts',
      '+ 500  GET /texts',
      expect.stringMatching(/^- +"two"/),
      expect.stringMatching(/^\+ +"three",/),
      expect.stringMatching(/^\+ +"four"/),
    ]);
    expect(Math.max(...texts.map(textWidth))).toBeLessThanOrEqual(60);
    const tokenOf = (text: string) =>
      lines.find((line) => toLineText(line).includes(text))?.[0]?.token;
    expect([tokenOf('"two"'), tokenOf('"three"'), tokenOf('"one"')]).toEqual([
      'removed',
      'added',
      undefined,
    ]);
  });

  it('say that nothing differs where only times, ids and the headers of the connection do', () => {
    const texts = compare(toRequest(1, 40, ['one']), toRequest(2, 5, ['one']), 120).map(toLineText);
    expect(texts[0]).toContain('no differences');
    expect(texts.join('\n')).toMatch(/request id +request-2/);
    expect(texts.join('\n')).not.toContain('client');
  });
});
