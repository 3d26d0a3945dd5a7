import { expect, it } from 'vitest';
import { toRequestLines } from '../../../../source/dev/screen/request-lines.ts';

it.each([
  [101, 'none: it opened a WebSocket, and each call over it is a line of its own'],
  [404, 'none: no route matched'],
])('a request of status %i without a capability says why it has none', (status, reason) => {
  const request = {
    id: 1,
    method: 'GET',
    url: '/_call',
    status,
    durationMs: 1,
    bytes: undefined,
    capability: undefined,
    requestId: 'a',
    at: 0,
    route: undefined,
    details: undefined,
  };
  const lines = toRequestLines(request as never, { frame: undefined, columns: 120 });
  const texts = lines.map((line) => line.map(({ text }) => text).join(''));
  expect(texts.find((text) => text.includes('capability'))).toContain(reason);
});
