import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createModuleCompiler } from '../../../../source/load/modules/module-compiler.ts';
import type { OwnModule } from '../../../../source/load/modules/module-graph.ts';
import { toTime } from '../../../../source/load/modules/waiting-files.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('a file is compiled again as it was known and as it is, and not where it was saved meanwhile', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'main.ts');
  const module: OwnModule = { id: 'main.ts', path, format: 'esm', imports: [] };
  const compiler = createModuleCompiler({ root, keepsMapsInside: false });
  const write = async (value: number): Promise<ReadonlyMap<string, string>> => {
    await writeTree(root, { 'main.ts': `export const value = ${value};\n` });
    return new Map([[path, toTime(path)]]);
  };
  const before = await write(1);
  await compiler.compile({ entry: 'main.ts', modules: new Map([['main.ts', module]]) });

  const now = await write(10);
  const [[old, code] = []] = (await compiler.compileAgain([module], { before, now })) ?? [];
  expect([old?.code, code?.code]).toEqual([expect.stringContaining('= 1;'), expect.stringContaining('= 10;')]);
  // The code that is known is no longer that of the first time.
  expect(await compiler.compileAgain([module], { before, now })).toBeUndefined();

  // The file is another than at the time for which it is asked.
  await write(100);
  const later = await write(1_000);
  expect(
    await compiler.compileAgain([module], { before: now, now: new Map([[path, 'a time before']]) }),
  ).toBeUndefined();
  expect(
    await compiler.compileAgain([module], { before: new Map([[path, 'a time before']]), now: later }),
  ).toBeUndefined();
});
