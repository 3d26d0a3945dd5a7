import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { hookModulesApart } from '../../../source/patches/hook-modules.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('starts no thread of hooks where the working directory is gone: Node 20 would wait for it for ever', async () => {
  vi.spyOn(process, 'cwd').mockReturnValue(join(await temporaryFolder(), 'gone'));
  const start = () => hookModulesApart(new URL('data:text/javascript,'), { port: {} });
  expect(start).toThrow('The working directory is gone.');
});
