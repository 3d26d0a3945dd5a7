import { expect, it } from 'vitest';
import { toActivity } from '../../../source/home/home-facts.ts';

const time = '2026-11-22T10:00:00.000Z';
const toRequest = (capability: string | undefined, status: number, durationMs: number) => ({
  time,
  method: 'GET',
  url: `/${capability ?? 'nowhere'}`,
  capability,
  status,
  durationMs,
});

it('knows nothing of a server that has not answered yet', () => {
  expect(toActivity([])).toEqual({ requestCount: 0, errors: [], slowest: [] });
});

it('counts the same errors together, the newest first, and those whose caller has left', () => {
  const { errors, requestCount } = toActivity([
    toRequest('a', 500, 1),
    toRequest(undefined, 404, 1),
    toRequest('b', 200, 1),
    toRequest('c', 0, 1),
    toRequest('a', 500, 1),
  ]);
  expect(requestCount).toBe(5);
  expect(errors.map(({ status, url, count }) => [status, url, count])).toEqual([
    [500, '/a', 2],
    [0, '/c', 1],
    [404, '/nowhere', 1],
  ]);
  expect(errors[0]?.time).toBe(time);
});

it('finds the routes of which one in twenty requests is the slowest', () => {
  const { slowest } = toActivity([
    ...Array.from({ length: 20 }, (_, index) => toRequest('often', 200, index)),
    toRequest('once', 200, 30),
    ...['u', 'v', 'w', 'x'].map((key) => toRequest(key, 200, 1)),
    toRequest(undefined, 404, 900),
  ]);
  expect(slowest).toHaveLength(5);
  expect(slowest.slice(0, 2)).toEqual([
    { key: 'once', method: 'GET', p95Ms: 30, count: 1 },
    { key: 'often', method: 'GET', p95Ms: 18, count: 20 },
  ]);
});
