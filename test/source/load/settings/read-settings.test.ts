import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectProject, expectServerEntry } from '../../../../source/load/expect-project.ts';
import { findSettingNames, readSettings } from '../../../../source/load/settings/read-settings.ts';
import { packageRoot } from '../../../helpers/run-capix.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

/** A project of these files, with capix installed. */
async function openWith(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder();
  await mkdir(join(root, 'node_modules'));
  await symlink(packageRoot, join(root, 'node_modules', 'capix'), 'junction');
  await writeTree(root, { 'package.json': '{"name": "demo"}', ...files });
  return root;
}

const typed = (settings: string) =>
  `import { defineConfig } from 'capix/config';\nexport default defineConfig(${settings});\n`;

it('a project without settings has none', async () => {
  const { refuse: _, ...settings } = readSettings(await openWith({}));
  expect(settings).toEqual({ dev: {}, environments: {}, check: { file: '' }, diff: { file: '' } });
});

it.each([
  ['capix.config.ts', typed('{ dev: { port: 4000 as number } }')],
  ['capix.config.mts', typed('{ dev: { port: 4000 as number } }')],
  ['capix.config.js', typed('{ dev: { port: 4000 } }')],
  ['capix.config.mjs', typed('{ dev: { port: 4000 } }')],
  [
    'capix.config.cjs',
    "const { defineConfig } = require('capix/config');\nmodule.exports = defineConfig({ dev: { port: 4000 } });",
  ],
  ['capix.config.cts', typed('{ dev: { port: 4000 } }')],
  ['capix.json', '{ "dev": { "port": 4000 } }'],
])('reads %s', async (name, text) => {
  expect(readSettings(await openWith({ [name]: text })).dev).toEqual({ port: 4000 });
});

it('runs the file, and what it imports, again only where it has changed', async () => {
  const settings = `import { port } from './ports.ts';
    globalThis.runs = (globalThis.runs ?? 0) + 1;
    export default { dev: { port }, envFiles: [import.meta.dirname] };`;
  const root = await openWith({
    'capix.config.ts': settings,
    'ports.ts': 'export const port: number = 4000;',
  });
  const state = globalThis as { runs?: number };
  expect(readSettings(root)).toMatchObject({ dev: { port: 4000 }, envFiles: [root] });
  readSettings(root);
  expect(state.runs).toBe(1);
  await writeFile(join(root, 'ports.ts'), 'export const port = 41_000;');
  expect(readSettings(root).dev.port).toBe(41_000);
  expect(state.runs).toBe(2);
  await writeFile(join(root, 'ports.ts'), 'export const port = ;');
  expect(() => readSettings(root)).toThrow('ports.ts');
  await writeFile(join(root, 'ports.ts'), 'export const port = 5_000;');
  expect(readSettings(root).dev.port).toBe(5_000);
  await writeFile(join(root, 'capix.config.ts'), `${settings}\n`);
  readSettings(root);
  readSettings(root);
  expect(state.runs).toBe(4);
});

it('reads capix.config.ts before capix.json', async () => {
  const root = await openWith({
    'capix.json': '{ "dev": { "port": 1 } }',
    'capix.config.ts': typed('{ dev: { port: 2 } }'),
  });
  expect(readSettings(root).dev).toEqual({ port: 2 });
});

it.each([
  ['capix.json', '{', /^capix\.json: .*JSON/],
  [
    'capix.json',
    '{ "dif": {} }',
    'capix.json, dif: there is no such setting (did you mean `diff`?).',
  ],
  [
    'capix.json',
    '{ "dev": { "prt": 1 } }',
    'capix.json, dev.prt: there is no such setting (did you mean `port`?).',
  ],
  ['capix.json', '{ "check": { "ignore": [{ "reasn": "x" }] } }', /^capix\.json, check\.ignore\.0/],
  [
    'capix.json',
    '{ "diff": { "ignore": [{ "rule": "route-changed" }] } }',
    'capix.json, diff.ignore.0.reason: ',
  ],
  [
    'capix.json',
    '{ "diff": { "rules": { "route-changed": "fatal" } } }',
    'capix.json, diff.rules.route-changed: expected one of breaking, risky, safe, off, alone or as { severity, reason }.',
  ],
  [
    'capix.json',
    '{ "environments": { "a": { "url": "file:///etc/passwd" } } }',
    'capix.json, environments.a.url: expected a URL that begins with http:// or https://.',
  ],
  ['capix.json', 'true', 'capix.json: '],
  ['capix.config.ts', typed('{ dev: { watch: [1] } }'), 'capix.config.ts, dev.watch.0: '],
  ['capix.config.ts', 'export default {', /^capix\.config\.ts:1:17: Unexpected token `<eof>`/],
  [
    'capix.config.ts',
    'export const config = {};',
    'capix.config.ts: its default export is not an object of settings',
  ],
  [
    'capix.config.ts',
    "throw new Error('no \\u001b[31m variable');",
    'capix.config.ts: it threw "no  variable"',
  ],
  [
    'capix.config.ts',
    'export default await Promise.resolve({});',
    'top-level `await` is not available here',
  ],
])('refuses %s with %j, with its place', async (name, text, reason) => {
  const root = await openWith({ [name]: text });
  expect(() => readSettings(root)).toThrow(reason);
});

it('finds the capabilities and the server where the settings say', async () => {
  const root = await openWith({
    'capix.config.js': typed("{ capabilities: 'api/all.mjs', dev: { entry: 'api/main.cjs' } }"),
    'api/all.mjs': '',
    'api/main.cjs': '',
    'src/capabilities.ts': '',
  });
  const place = { workingDirectory: join(root, 'src') };
  expect(expectProject(place).entryFile).toBe(join(root, 'api/all.mjs'));
  expect(expectProject({ ...place, config: 'capabilities.ts' }).entryFile).toBe(
    join(root, 'src/capabilities.ts'),
  );
  expect(expectServerEntry(undefined, root).entryFile).toBe(join(root, 'api/main.cjs'));
  await writeFile(join(root, 'capix.config.js'), typed("{ capabilities: 'api/none.ts' }"));
  expect(() => expectProject(place)).toThrow(
    'capix.config.js, capabilities: there is no file "api/none.ts".',
  );
});

it.each(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'])(
  'finds src/capabilities%s and src/server%s by themselves',
  async (extension) => {
    const root = await openWith({
      [`src/capabilities${extension}`]: '',
      [`src/server${extension}`]: '',
    });
    expect(expectProject({ workingDirectory: root }).entryFile).toBe(
      join(root, `src/capabilities${extension}`),
    );
    expect(expectServerEntry(undefined, root).entryFile).toBe(join(root, `src/server${extension}`));
  },
);

it('docs/config.md lists every setting', async () => {
  const page = await readFile(join(packageRoot, 'docs/config.md'), 'utf8');
  const listed = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const names = findSettingNames([]).flatMap((name) => {
    const inner = name === 'environments' ? [name, '<name>'] : [name];
    const parts = findSettingNames(inner);
    return parts.length === 0 ? [name] : parts.map((part) => [...inner, part].join('.'));
  });
  expect(names.filter((name) => name !== '$schema' && !listed.includes(name))).toEqual([]);
});
