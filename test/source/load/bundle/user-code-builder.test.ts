import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BuildFailure } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUserCodeBuilder, type UserCodeBuilder } from '../../../../source/load/bundle/user-code-builder.ts';

let root: string;
let builder: UserCodeBuilder;

const project = {
  'package.json': '{"name": "app", "type": "module", "imports": {"#greeting": "./src/greeting.ts"}}',
  'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
  'node_modules/left/package.json': '{"name": "left", "main": "index.js"}',
  'node_modules/left/index.js': 'exports.left = 1;',
  'node_modules/right/package.json': '{"name": "right", "exports": {".": {"import": "./i.mjs", "require": "./r.cjs"}}}',
  'node_modules/right/i.mjs': 'export const right = 1;',
  'node_modules/right/r.cjs': 'exports.right = 2;',
  'node_modules/left/deep.js': 'exports.deep = 1;',
  'src/greeting.ts': "export const greeting = 'hello';",
  'src/place.ts': 'export const place = import.meta.url;',
  'src/paths.ts': "export { greeting as fromPaths } from '@/greeting.ts';",
  'src/main.ts': `import { readFileSync } from 'node:fs';
import { left } from 'left';
import { greeting } from '#greeting';
import { fromPaths } from '@/paths.ts';
import { place } from './place.ts';
export default [readFileSync, left, greeting, fromPaths, place];`,
};

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'capix-builder-')));
  await write(project);
  builder = createUserCodeBuilder({
    entry: join(root, 'src', 'main.ts'),
    root,
    outFile: join(root, 'bundle.mjs'),
  });
  // What it builds from now on it may know already.
  await builder.build();
  await builder.prepare();
});

afterEach(async () => {
  await builder.close();
  await rm(root, { recursive: true, force: true });
});

describe('a bundle that was made before is made again as if for the first time', () => {
  it.each<[change: string, files: Readonly<Record<string, string>>]>([
    ['nothing changed', {}],
    ['a value', { 'src/greeting.ts': "export const greeting = 'good day';" }],
    ['a package that was not imported', { 'src/greeting.ts': "export { right as greeting } from 'right';" }],
    ['a package that is required now', { 'src/greeting.ts': "export const greeting = require('left');" }],
    ['another file of a package', { 'src/greeting.ts': "export { deep as greeting } from 'left/deep.js';" }],
    ['a built-in module', { 'src/greeting.ts': "export { join as greeting } from 'node:path';" }],
    ['import.meta in one more file', { 'src/greeting.ts': 'export const greeting = import.meta.filename;' }],
    ['no import.meta any more', { 'src/place.ts': 'export const place = 1;' }],
    [
      'a file in a new folder',
      { 'src/new/a.ts': 'export const a = 1;', 'src/greeting.ts': "export { a as greeting } from './new/a.ts';" },
    ],
    [
      'a package nearer to a file',
      {
        'src/new/node_modules/left/package.json': '{"name": "left", "main": "index.js"}',
        'src/new/node_modules/left/index.js': 'exports.left = 2;',
        'src/new/a.ts': "export { left } from 'left';",
        'src/greeting.ts': "export { left as greeting } from './new/a.ts';",
      },
    ],
    [
      'another meaning of a path',
      {
        'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["./src/other/*"]}}}',
        'src/other/paths.ts': 'export const fromPaths = 2;',
      },
    ],
    [
      'a package that is project code now',
      {
        'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["./src/*"], "left": ["./src/left.ts"]}}}',
        'src/left.ts': 'export const left = 3;',
      },
    ],
  ])('%s', async (_, files) => {
    await write(files);
    expect(await buildText(builder)).toBe(await buildAnew());
  });

  it('after two changes, one of them unknown', async () => {
    await write({ 'src/greeting.ts': "export { right as greeting } from 'right';" });
    await builder.build();
    await builder.prepare();
    await write({
      'src/greeting.ts': "import { right } from 'right';\nexport const greeting = [right, import.meta.url];",
    });
    expect(await buildText(builder)).toBe(await buildAnew());
  });
});

it.each<[fault: string, text: string]>([
  ['a syntax error', 'export const greeting = ;'],
  ['a file that is not there', "export { greeting } from './nowhere.ts';"],
  ['a package that is not there', "export { greeting } from 'nowhere';"],
])('tells of %s as a first build does, and builds when it is mended', async (_, text) => {
  await write({ 'src/greeting.ts': text });
  expect(await errorsOf(builder.build())).toEqual(await errorsOf(buildAnew()));
  await write({ 'src/greeting.ts': "export const greeting = 'mended';" });
  expect(await buildText(builder)).toContain('mended');
});

it('is told to be prepared while it builds, and is closed while it is prepared', async () => {
  await write({ 'src/greeting.ts': "export { right as greeting } from 'right';" });
  const built = buildText(builder);
  await Promise.all([builder.prepare(), builder.prepare()]);
  expect(await built).toBe(await buildAnew());
  void builder.prepare();
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

async function buildText({ build }: UserCodeBuilder): Promise<string | undefined> {
  return (await build()).result.outputFiles[0]?.text;
}

async function buildAnew(): Promise<string | undefined> {
  const fresh = createUserCodeBuilder({
    entry: join(root, 'src', 'main.ts'),
    root,
    outFile: join(root, 'bundle.mjs'),
  });
  try {
    return await buildText(fresh);
  } finally {
    await fresh.close();
  }
}

async function errorsOf(build: Promise<unknown>): Promise<readonly string[]> {
  const failure = (await build.then(
    () => ({ errors: [] }),
    (thrown: unknown) => thrown,
  )) as BuildFailure;
  return failure.errors.map(({ text, location }) => `${location?.file}:${location?.line}:${location?.column} ${text}`);
}
