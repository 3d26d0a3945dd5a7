import { expect, expectTypeOf, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability, createServer, silentLogger } from '../../../server-runtime/index.ts';
import { defineJobs } from '../../../server-runtime/queue/index.ts';

const Visit = z.object({ visitId: z.string() });

it('jobs that enqueue each other are typed, and run', async () => {
  const done: string[] = [];
  const jobs = defineJobs({
    visits: { confirm: Visit, remind: Visit.extend({ attempt: z.int().default(1) }) },
    invoices: { create: Visit },
    hooks: { send: z.object({ event: z.enum(['visit', 'invoice']), id: z.string() }) },
  });
  // The four jobs of a clinic, each of which leads to another one.
  const confirm = capability(jobs.inputs.visits.confirm, async ({ visitId }) => {
    done.push(`confirm ${visitId}`);
    return jobs.enqueue('visits.remind', { visitId });
  });
  const remind = capability(jobs.inputs.visits.remind, async ({ visitId, attempt }) => {
    expectTypeOf(attempt).toEqualTypeOf<number>();
    done.push(`remind ${visitId} ${attempt}`);
    if (attempt < 2) await jobs.enqueue('visits.remind', { visitId, attempt: attempt + 1 });
    else await jobs.enqueue('invoices.create', { visitId });
  });
  const create = capability.input(jobs.inputs.invoices.create).output(z.string())(
    async ({ visitId }) => {
      done.push(`invoice ${visitId}`);
      return jobs.enqueue('hooks.send', { event: 'invoice', id: visitId });
    },
  );
  const send = capability(jobs.inputs.hooks.send, async ({ event, id }) => {
    done.push(`${event} ${id}`);
    if (event === 'visit') await jobs.enqueue('visits.confirm', { visitId: id });
  });
  await expect(jobs.enqueue('visits.confirm', { visitId: '1' })).rejects.toThrow(
    'The job visits.confirm has no queue yet. Import the module that calls jobs.toTransport({ capabilities }).',
  );
  const capabilities = { visits: { confirm, remind }, invoices: { create }, hooks: { send } };
  const queue = jobs.toTransport({ capabilities });
  expect(() => jobs.toTransport({ capabilities })).toThrow('was called before');
  const server = createServer({ transports: [queue], logger: silentLogger });
  await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await jobs.enqueue('hooks.send', { event: 'visit', id: '7' });
  await expect.poll(() => done).toHaveLength(6);
  expect(done).toEqual([
    'visit 7',
    'confirm 7',
    'remind 7 1',
    'remind 7 2',
    'invoice 7',
    'invoice 7',
  ]);
});

it('a job that is misspelt, or gets another input, does not compile', () => {
  const jobs = defineJobs({ visits: { confirm: Visit } });
  const wrongUses = (): unknown => [
    // @ts-expect-error -- there is no such job
    jobs.enqueue('visits.confirmed', { visitId: '1' }),
    // @ts-expect-error -- it is no text
    jobs.enqueue('visits.confirm', { visitId: 1 }),
    // @ts-expect-error -- the job is missing
    jobs.toTransport({ capabilities: { visits: {} } }),
    jobs.toTransport({
      capabilities: {
        // @ts-expect-error -- the capability takes something else
        visits: { confirm: capability(z.object({ n: z.number() }), () => 1) },
      },
    }),
  ];
  expect(wrongUses).toBeTypeOf('function');
});
