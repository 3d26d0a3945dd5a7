import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { expect, it, vi } from 'vitest';
import { hookModulesApart } from '../../../source/patches/hook-modules.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';
import { packageRoot } from '../../helpers/run-capix.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('starts no thread of hooks where the working directory is gone: Node 20 would wait for it for ever', async () => {
  vi.spyOn(process, 'cwd').mockReturnValue(join(await temporaryFolder(), 'gone'));
  const start = () => hookModulesApart(new URL('data:text/javascript,'), { port: {} });
  expect(start).toThrow('The working directory is gone.');
});

it('starts the thread of hooks where the working directory is removed meanwhile', async () => {
  const folder = await temporaryFolder();
  const script = `
    import { rmSync } from 'node:fs';
    import module from 'node:module';
    import { hookModulesApart } from ${JSON.stringify(join(packageRoot, 'source/patches/hook-modules.ts'))};
    const { register } = module;
    module.register = (...words) => {
      rmSync(${JSON.stringify(folder)}, { recursive: true });
      return register(...words);
    };
    try {
      hookModulesApart(new URL('data:text/javascript,'), { port: new MessageChannel().port2 });
    } catch (error) {
      console.log(error.code);
    }`;
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: packageRoot },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const words = ['--input-type=module', '--eval', outputFiles[0]?.text ?? ''];
  expect((await execa(process.execPath, words, { cwd: folder, timeout: PATIENCE_MS })).stdout).toBe(
    'ENOENT',
  );
});
