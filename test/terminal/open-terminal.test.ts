import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTerminal } from '../helpers/open-terminal.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

it('a window that reads slowly shows what the program wrote last', async () => {
  const entry = join(await temporaryFolder(), 'program.mjs');
  await writeFile(entry, "process.stdout.write(`${'é'.repeat(15_000)}bye`); process.exit();");
  const terminal = openTerminal([], { entry });
  const slow = setInterval(() => {
    for (const until = performance.now() + 100; performance.now() < until; );
  });
  await terminal.ended;
  clearInterval(slow);
  expect(terminal.output()).toBe(`${'é'.repeat(15_000)}bye`);
});
