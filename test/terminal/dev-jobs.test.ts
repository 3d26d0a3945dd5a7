import { expect, it } from 'vitest';
import { openDevScreen, openTab } from '../helpers/open-dev-screen.ts';

it('the jobs on the dev screen: what failed is opened, tried again, and runs', async () => {
  const server = `
    import { capability, createServer, defaultErrors, restTransport } from 'capix';
    import { queueTransport } from 'capix/queue';
    import * as z from 'zod';
    let runs = 0;
    const send = capability(z.object({ to: z.string(), password: z.string() }), ({ to }) => {
      if (to === 'ada' && ++runs === 1) throw defaultErrors.NotFound('No address \\u001B[31mof\\u001B[0m ada');
    });
    const jobs = queueTransport({ capabilities: { mails: { send } } });
    const listTexts = capability(() => ['one']);
    await createServer({ capabilities: { texts: { listTexts } }, transports: [restTransport(), jobs] }).start();
    await jobs.enqueue('mails.send', { to: 'ada', password: 'hunter2' }, { jobId: 'welcome 7' });
    await jobs.enqueue('mails.send', { to: 'bob', password: 'hunter2' }, { jobId: 'welcome 8', delayMs: 600_000 });`;
  const { terminal } = await openDevScreen({ files: { 'src/server.ts': server }, size: [80, 24] });
  await openTab(terminal, '4', 'jobs 2');
  await terminal.waitFor(/failed 1 {2}active 0 {2}waiting 0 {2}delayed 1/);
  await terminal.waitFor(/❯ mails\.send +1 of 5 +\S+ +welcome 7 +.*NotFound/);
  terminal.type('\r');
  const details = await terminal.waitFor('"password": "•••"');
  expect(details).toContain('NotFound (404): No address of ada');
  terminal.type('a');
  await terminal.waitFor('Waits for its first attempt again: mails.send welcome 7');
  await terminal.waitFor('no longer among the failed');
  terminal.type('\r');
  await terminal.waitFor('No job has failed.');
  expect(terminal.output()).not.toMatch(/hunter2|\u001B\[31mof/);
});
