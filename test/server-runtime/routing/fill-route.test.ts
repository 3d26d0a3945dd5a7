import { expect, test } from 'vitest';
import { fillRoute } from '../../../server-runtime/routing/fill-route.ts';

const half = 'a\ud800';

test('half of a surrogate pair, which no URL has, is the sign of what cannot be shown', () => {
  const { url } = fillRoute({ method: 'GET', path: '/notes/:id' }, { id: half, q: half });
  expect(url).toBe('/notes/a%EF%BF%BD?q=a%EF%BF%BD');
});
