import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WaitingJobs } from '../../../server-runtime/queue/waiting-jobs.ts';

it('gives the lowest order first, and of one order the oldest, whatever came and went', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), order: fc.nat(3) }),
    fc.record({ kind: fc.constant('take' as const) }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const jobs = new WaitingJobs<{ readonly id: string; readonly order: number }>();
      let model: { id: string; order: number }[] = [];
      let count = 0;
      for (const each of steps) {
        if (each.kind === 'add') {
          const job = { id: `${count++}`, order: each.order };
          jobs.add(job);
          model = [...model, job].toSorted((one, other) => one.order - other.order);
        } else if (each.kind === 'take') expect(jobs.take()).toBe(model.shift());
        else {
          const [removed] = model.splice(each.at % Math.max(1, model.length), 1);
          expect(jobs.remove(removed?.id ?? 'none')).toBe(removed);
        }
        expect([jobs.size, jobs.list(0, 100)]).toEqual([model.length, model]);
      }
    }),
  );
});

it('compares a job with few others, however many wait', () => {
  let compared = 0;
  const jobs = new WaitingJobs<{ readonly id: string; readonly order: number }>();
  for (let each = 0; each < 10_000; each++) {
    const order = 10_000 - each;
    jobs.add({
      id: `${each}`,
      get order() {
        compared++;
        return order;
      },
    });
  }
  while (jobs.take() !== undefined);
  // The logarithm of 10,000 is 14; a search through all of them would compare 5,000 times.
  expect(compared / 10_000).toBeLessThan(150);
});
