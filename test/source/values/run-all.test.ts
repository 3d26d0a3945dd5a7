import { expect, it } from 'vitest';
import { runAll } from '../../../source/values/run-all.ts';

it('runs every task in its order, also behind one that throws, and rejects with what the first threw', async () => {
  const ran: string[] = [];
  const toTask = (name: string, fault?: Error) => async (): Promise<void> => {
    ran.push(name);
    if (fault !== undefined) throw fault;
  };
  const tasks = [
    toTask('server', new Error('first')),
    () => {
      ran.push('watcher');
      throw new Error('second');
    },
    toTask('session'),
  ];
  await expect(runAll(tasks)).rejects.toThrow('first');
  expect(ran).toEqual(['server', 'watcher', 'session']);
  await expect(runAll([toTask('last')])).resolves.toBeUndefined();
});
