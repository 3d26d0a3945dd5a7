import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startChild } from '../../../source/system/child-channel.ts';
import { endChildren } from '../../../source/terminal/end-process.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('ends what it has started, also code that never lets go, and resolves when all of it is gone', async () => {
  const file = join(await temporaryFolder(), 'busy.mjs');
  await writeFile(
    file,
    "process.on('SIGTERM', () => {}); process.send('here', () => { for (;;); });",
  );
  const children = [1, 2].map(() => startChild(file, { output: 'ignore' }).process);
  await Promise.all(children.map((child) => once(child, 'message')));
  await endChildren();
  expect(children.map(({ pid = 0 }) => isRunning(pid))).toEqual([false, false]);
  await endChildren();
});

it('ends what is started while it ends the others', async () => {
  const file = join(await temporaryFolder(), 'waits.mjs');
  await writeFile(file, "process.on('message', () => {}); process.send('here');");
  const start = () => startChild(file, { output: 'ignore' }).process;
  const first = start();
  await once(first, 'message');
  const next = once(first, 'exit').then(start);
  await endChildren();
  expect(isRunning((await next).pid ?? 0)).toBe(false);
});

it('gives the last words of a child when it has ended, and no more than their end', async () => {
  const file = join(await temporaryFolder(), 'talks.mjs');
  const code = "for (let at = 0; at < 2000; at++) writeSync(4, `${at} ${'x'.repeat(100)}\\n`);";
  await writeFile(file, `import { writeSync } from 'node:fs';\n${code}`);
  const words = await new Promise<string>((resolve) => {
    startChild(file, { output: 'ignore', onLastWords: resolve });
  });
  expect(words).toMatch(/\n1999 x+\n$/);
  expect(words.length).toBe(65_536);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
