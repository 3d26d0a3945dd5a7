import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { type OpenDevJson, openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

async function answer(url: string): Promise<string> {
  return (await fetch(`${url}/texts`)).text();
}

async function end(dev: OpenDevJson): Promise<void> {
  dev.kill('SIGTERM');
  await dev.ended;
}

/** Writes a package that `src/text.ts` imports, and last the note of a package manager. */
function install(folder: string, source: string, note = '.package-lock.json'): Promise<void> {
  return writeTree(folder, {
    'node_modules/texts-of-others/package.json':
      '{"name": "texts-of-others", "type": "module", "exports": "./index.js"}',
    'node_modules/texts-of-others/index.js': source,
    [`node_modules/${note}`]: source,
  });
}

const importsPackage = { 'src/text.ts': `export { text } from 'texts-of-others';` };

it('starts when packages are there that were not, and anew when they are installed anew', async () => {
  const folder = await devProject(importsPackage);
  const dev = openDevJson(folder);
  await dev.waitFor('failed');
  await install(folder, textFile('installed'));
  expect(await answer(await dev.url())).toBe('{"data":"installed"}');
  // The note of npm, of pnpm, of Yarn.
  for (const note of ['.package-lock.json', '.modules.yaml', '.yarn-state.yml']) {
    await install(folder, textFile(`installed with ${note}`), note);
    expect(await answer(await dev.url())).toBe(`{"data":"installed with ${note}"}`);
  }
  await end(dev);
});

it('starts anew when packages are installed while the version before ends', async () => {
  const folder = await devProject(importsPackage);
  const mayEnd = join(folder, 'may-end');
  await install(
    folder,
    `import { existsSync } from 'node:fs';
     process.once('SIGTERM', () => {
       console.log('ending');
       while (!existsSync(${JSON.stringify(mayEnd)}));
     });
     ${textFile('first')}`,
  );
  const dev = openDevJson(folder);
  expect(await answer(await dev.url())).toBe('{"data":"first"}');
  await install(folder, textFile('second'));
  expect(await answer(await dev.url())).toBe('{"data":"second"}');
  await dev.waitFor('output');
  await install(folder, textFile('third'));
  expect(await answer(await dev.url())).toBe('{"data":"third"}');
  await writeTree(folder, { 'may-end': '' });
  await end(dev);
});

it('starts when a file is there that another package of the workspace imports, and for what its settings extend', async () => {
  const folder = await devProject({
    'package.json': '{"name": "root", "type": "module", "workspaces": ["packages/*"]}',
    'tsconfig.base.json':
      '{"compilerOptions": {"baseUrl": ".", "paths": {"@words/*": ["./packages/shared/src/*"]}}}',
    'packages/app/package.json': '{"name": "app", "type": "module"}',
    'packages/app/tsconfig.json': '{ /* as all others */ "extends": "../../tsconfig.base.json" }',
    'packages/app/src/server.ts': `
      import { capability, createServer, restTransport } from 'capix';
      import { text } from 'shared';
      import { word } from '@words/word';
      await createServer({ capabilities: { texts: { listTexts: capability(() => text() + word) } }, transports: [restTransport()] }).start();`,
    'packages/shared/package.json':
      '{"name": "shared", "type": "module", "exports": "./src/index.ts"}',
    'packages/shared/src/index.ts': `export { text } from './tag.ts';`,
    'packages/shared/src/word.ts': `export const word = ' here';`,
    'packages/shared/other/word.ts': `export const word = ' there';`,
  });
  await mkdir(join(folder, 'packages/app/node_modules'), { recursive: true });
  await symlink(join(folder, 'packages/shared'), join(folder, 'node_modules/shared'), 'junction');
  const app = join(folder, 'packages/app');
  const dev = openDevJson(app);
  await dev.waitFor('failed');
  await writeTree(folder, { 'packages/shared/src/tag.ts': textFile('tag') });
  expect(await answer(await dev.url())).toBe('{"data":"tag here"}');
  await writeTree(folder, {
    'tsconfig.base.json':
      '{"compilerOptions": {"baseUrl": ".", "paths": {"@words/*": ["./packages/shared/other/*"]}}}',
  });
  expect(await answer(await dev.url())).toBe('{"data":"tag there"}');
  await writeTree(folder, {
    'packages/shared/src/second.ts': textFile('second'),
    'packages/shared/package.json':
      '{"name": "shared", "type": "module", "exports": "./src/second.ts"}',
  });
  expect(await answer(await dev.url())).toBe('{"data":"second there"}');
  await end(dev);
});

it('reads the series of env files, and anew when one of them comes, changes or goes', async () => {
  const folder = await devProject({
    '.env': 'WORD=env\nALL=env',
    '.env.development': 'WORD=development\nKIND=development',
    'src/text.ts': `const { WORD, ALL, KIND } = process.env; export const text = () => [WORD, ALL, KIND].join(' ');`,
  });
  const dev = openDevJson(folder);
  const url = await dev.url();
  expect(await answer(url)).toBe('{"data":"development env development"}');
  await writeTree(folder, { '.env.local': 'WORD=local' });
  await expect.poll(() => answer(url)).toBe('{"data":"local env development"}');
  await writeTree(folder, { '.env.development.local': 'WORD=mine' });
  await expect.poll(() => answer(url)).toBe('{"data":"mine env development"}');
  await rm(join(folder, '.env.development.local'));
  await expect.poll(() => answer(url)).toBe('{"data":"local env development"}');
  await end(dev);
});
