import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { readTree, writeTree } from '../helpers/scaffold.ts';

it('a project that has no package.json of its own, as in Nx, has its server, settings, calls and lock', async () => {
  const project = await devProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export const texts = { listTexts: capability(() => ['one']) };`,
  });
  const top = join(project, 'nx');
  const api = join(top, 'apps', 'api');
  await mkdir(join(top, 'apps'), { recursive: true });
  await mkdir(api);
  await rename(join(project, 'src'), join(api, 'src'));
  await rename(join(project, 'node_modules'), join(top, 'node_modules'));
  await rm(join(project, 'package.json'));
  await writeTree(top, {
    'package.json': '{"name": "top", "type": "module"}',
    'apps/api/calls/texts.json': '{"call": "texts.listTexts"}',
  });
  const run = (cwd: string, ...words: string[]) => runCapix(words, { cwd });
  const dev = openDevJson(api);
  expect(await (await fetch(`${await dev.url()}/texts`)).text()).toContain('data');
  expect(await run(api, 'call', '--all', '--server')).toMatchObject({ exitCode: 0 });
  dev.kill('SIGINT');
  await dev.ended;
  await writeTree(api, { 'capix.json': '{"no-such": 1}' });
  for (const cwd of [api, join(api, 'src')])
    expect((await run(cwd, 'list')).stderr).toContain('capix.json');
  await rm(join(api, 'capix.json'));
  expect(await run(join(api, 'src'), 'lock')).toMatchObject({ exitCode: 0 });
  const written = Object.keys(await readTree(top)).filter(
    (path) => !path.startsWith('node_modules'),
  );
  expect(written).toContain('apps/api/capix.lock.json');
  expect(
    await run(top, 'lock', '--check', '--config', 'apps/api/src/capabilities.ts'),
  ).toMatchObject({ exitCode: 0 });
});
