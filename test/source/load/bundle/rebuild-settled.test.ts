import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { rebuildSettled } from '../../../../source/load/bundle/rebuild-settled.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

/** Saves `saved.ts` between the first build and what comes after it; gives the text of the bundle and how often it was built. */
async function buildAround(imports: string, save: (file: string) => Promise<void>) {
  const root = await temporaryFolder();
  const file = join(root, 'saved.ts');
  await writeFile(join(root, 'main.ts'), imports);
  await writeFile(file, '');
  let builds = 0;
  const { result } = await rebuildSettled(async () => {
    const built = await build({
      entryPoints: ['main.ts'],
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
      metafile: true,
      write: false,
    });
    builds += 1;
    if (builds === 1) await save(file);
    return { result: built };
  }, root);
  return { text: result.outputFiles[0]?.text, builds };
}

it.each([
  ['names', "import { value } from './saved.ts';\nconsole.log(value);"],
  ['all of it', "export * as values from './saved.ts';"],
])(
  'builds again where it read a file that a save had just emptied, of which the code imports %s',
  async (_, imports) => {
    const { text, builds } = await buildAround(imports, (file) => writeFile(file, "export const value = 'whole';"));
    expect(text).toContain('whole');
    expect(builds).toBe(2);
  },
);

it('takes a file that has been empty for a while for what is meant', async () => {
  const { builds } = await buildAround("export * as values from './saved.ts';", (file) => utimes(file, 1, 1));
  expect(builds).toBe(1);
});
