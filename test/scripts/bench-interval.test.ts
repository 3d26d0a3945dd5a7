import { expect, it } from 'vitest';
import { compareWith, toInterval } from '../bench/compare.mjs';

const toRounds = (costs: readonly number[]) => costs.map((cpuUs) => ({ cpuUs }));

it('is one number where no process differs from another', () => {
  const interval = toInterval(toRounds([10, 10, 10, 10]), toRounds([20, 20, 20, 20]), 2);
  expect(interval).toEqual({ ratio: 2, low: 2, high: 2 });
});

it('does not shrink with the rounds of a process, which share its luck', () => {
  // Two processes each, of 10 and of 12: both of the cheaper or both of the dearer are drawn one time in four.
  const few = toRounds([10, 12]);
  const many = toRounds([...Array<number>(50).fill(10), ...Array<number>(50).fill(12)]);
  const expected = { ratio: 1, low: 10 / 12, high: 12 / 10 };
  expect(toInterval(few, few, 1)).toEqual(expected);
  expect(toInterval(many, many, 50)).toEqual(expected);
});

it('takes the median of the rounds of a process, so that one disturbed round says nothing', () => {
  expect(toInterval(toRounds([10, 10, 900]), toRounds([20, 700, 20]), 3)).toEqual({
    ratio: 2,
    low: 2,
    high: 2,
  });
});

it('leaves out what one draw in forty is beyond, on each side', () => {
  const ours = toRounds([10, 10, 10, 10]);
  // Four draws hold the dear process three times or more in one of twenty, which makes it their median; with nine processes nobody draws so.
  expect(toInterval(ours, toRounds([10, 10, 10, 40]), 1)).toEqual({ ratio: 1, low: 1, high: 4 });
  const nine = toRounds(Array<number>(9).fill(10));
  const oneDear = toRounds([...Array<number>(8).fill(10), 40]);
  expect(toInterval(nine, oneDear, 1)).toEqual({ ratio: 1, low: 1, high: 1 });
});

it('measures the other build, not a peer that the plan of the whole bench names', async () => {
  const compared = compareWith({
    ref: 'other',
    path: '/no/build/of/it.mjs',
    scenarios: [
      { name: 'hello', app: 'small', status: 200, requests: [{ method: 'GET', path: '/hello' }] },
    ],
    servers: [
      { name: 'capix', file: 'capix.mjs' },
      { name: 'node:http', file: 'node-http.mjs' },
    ],
    node: process.execPath,
    processes: 1,
    rounds: 1,
    requestsPerRound: 10,
    warmUp: 10,
  });
  await expect(compared).rejects.toThrow('The server other ended');
});
