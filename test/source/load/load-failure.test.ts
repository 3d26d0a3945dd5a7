import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { toImportFailure } from '../../../source/load/load-failure.ts';
import { packageRoot } from '../../helpers/run-capix.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** What Node says where a part of capix is imported without the package that it needs. */
async function importWithout(name: string, file: string) {
  const root = await temporaryFolder();
  await writeTree(root, {
    'src/capabilities.ts': '',
    'package.json': '{"type": "module"}',
    [`node_modules/${file}`]: `import '${name}';`,
    'node_modules/capix/package.json': '{"type": "module"}',
  });
  const thrown = await import(pathToFileURL(join(root, 'node_modules', file)).href).catch(
    (error: unknown) => error,
  );
  // On Node 22 and later the stack has frames of the hooks, which lie in `dist` in the package.
  if (thrown instanceof Error)
    thrown.stack = String(thrown.stack).replaceAll(
      join(packageRoot, 'source'),
      join(packageRoot, 'dist'),
    );
  return toImportFailure(
    thrown,
    { root, name: 'shop', entryFile: join(root, 'src/capabilities.ts') },
    [],
  );
}

it.each([
  ['@opentelemetry/api-none', 'observe/open-telemetry.js'],
  ['prom-client-none', 'observe/prometheus.js'],
  ['ioredis-none', 'stores/redis-store.js'],
])('names the missing package %s, and says how it is installed', async (name, file) => {
  expect(await importWithout(name, `capix/dist/server-runtime/${file}`)).toMatchObject({
    code: 'ImportFailed',
    message: `src/capabilities.ts could not be loaded: a part of capix that the project imports needs the package ${name}, which is not installed.`,
    hint: `Install it: npm install ${name}`,
  });
});

it('shows the place of an import that is not there, also where a folder of the project is called as one of ours', async () => {
  const root = join(await temporaryFolder(), 'capix/dist/server-runtime');
  await writeTree(root, {
    'src/capabilities.js': `import './gone.js';`,
    'package.json': '{"type": "module"}',
  });
  const entryFile = join(root, 'src/capabilities.js');
  const thrown = await import(pathToFileURL(entryFile).href).catch((error: unknown) => error);
  expect(toImportFailure(thrown, { root, name: 'shop', entryFile }, [])).toMatchObject({
    code: 'BuildFailed',
    message: 'src/capabilities.js:1:8: Could not resolve "./gone.js"',
  });
  const foreign = toImportFailure(
    new Error(`no '${pathToFileURL(entryFile).href}'`),
    { root, name: 'shop', entryFile },
    [],
  );
  expect(foreign.message).toContain('server-runtime/src/capabilities.js');
});

it("leaves what another package lacks in Node's words", async () => {
  const { message, hint } = await importWithout('lodash-none', 'other/index.js');
  expect(message).toContain("Cannot find package 'lodash-none'");
  expect(hint).toBeUndefined();
});
