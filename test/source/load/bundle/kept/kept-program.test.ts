import { readdirSync, statSync } from 'node:fs';
import { chown, cp, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bundleUserCode } from '../../../../../source/load/bundle/bundle-user-code.ts';
import { readFolderTime } from '../../../../../source/load/bundle/read-folder-time.ts';
import { otherUsers } from '../../../../helpers/other-users.ts';
import { temporaryFolder } from '../../../../helpers/temporary-folder.ts';

vi.mock('../../../../../source/load/bundle/read-folder-time.ts');
/** Builds begin as long after the last change as they do in a project that nobody works on. */
const AN_HOUR = 3_600_000;
beforeEach(() => void vi.mocked(readFolderTime).mockImplementation(() => Date.now() + AN_HOUR));

const files = {
  'package.json': '{ "name": "demo", "type": "module" }',
  'src/capabilities.ts': `
    import { name } from 'names';
    import { words } from './words/index.js';
    import { place } from './linked/place.js';
    export const capabilities: unknown = { words, place, name };
  `,
  'src/words/index.ts': `
    class Word { copy = this.text; constructor(readonly text: string) {} }
    export const words = [new Word('one').copy, 'two'];
  `,
  'lib/here/place.ts': `import { end } from './end.js'; export const place = 'here' + end;`,
  'lib/here/end.ts': `export const end = '.';`,
  'lib/there/place.ts': `import { end } from './end.js'; export const place = 'here' + end;`,
  'lib/there/end.ts': `export const end = '!';`,
  'node_modules/.package-lock.json': '{}',
  'node_modules/names/package.json': '{ "name": "names", "version": "1.0.0", "exports": "./first.mjs" }',
  'node_modules/names/first.mjs': `export const name = 'first';`,
  'node_modules/names/second.mjs': `export const name = 'second';`,
};

async function openProject(all: Readonly<Record<string, string>> = files) {
  const root = await temporaryFolder();
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  };
  for (const [path, text] of Object.entries(all)) await write(path, text);
  await symlink('../lib/here', join(root, 'src/linked'));
  const place = { entry: join(root, 'src/capabilities.ts'), root };
  const programs = join(root, 'node_modules/.cache/capix/programs');
  return {
    root,
    write,
    /** What the bundle exports and is made of, or the text of its failure. */
    load: () =>
      bundleUserCode(place, async ({ outFile, ...bundle }) => ({
        ...bundle,
        exports: { ...((await import(pathToFileURL(outFile).href)) as object) },
      })).catch((error: Error) => error.message),
    /** The same for the same kept bundle: each is a file of its own. */
    findKept: () => readNames(programs).map((name) => statSync(join(programs, name)).ino),
    forget: () => rm(programs, { recursive: true, force: true }),
    programs,
  };
}

type Opened = Awaited<ReturnType<typeof openProject>>;

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

it('a program is built once, while nothing changes', async () => {
  const { load, findKept } = await openProject();
  const first = await load();
  const kept = findKept();
  expect(first).toMatchObject({
    exports: { capabilities: { words: [undefined, 'two'], place: 'here.', name: 'first' } },
  });
  expect(kept).toHaveLength(1);
  expect(await load()).toEqual(first);
  expect(findKept()).toEqual(kept);
});

describe('a program of several modules is built once', () => {
  it.each([
    [
      'a package is imported after a file',
      {
        'src/words/index.ts': `import './first.js'; import { name } from 'names'; export const words = name;`,
        'src/words/first.ts': 'export const first = 1;',
      },
    ],
    ['a file is loaded later', { 'lib/here/end.ts': `export const { end } = await import('../there/end.js');` }],
    [
      'there is one file that waits',
      { 'src/capabilities.ts': `import { name } from 'names'; export const capabilities = await { name };` },
    ],
  ])('where %s', async (_, more) => {
    const { write, load, findKept } = await openProject({ ...files, ...more });
    const first = await load();
    const kept = findKept();
    expect(first).toMatchObject({ exports: { capabilities: { name: 'first' } } });
    expect(kept).toHaveLength(1);
    expect(await load()).toEqual(first);
    expect(findKept()).toEqual(kept);
    await write('src/capabilities.ts', `export const capabilities = 'other';`);
    expect(await load()).toMatchObject({ exports: { capabilities: 'other' } });
  });
});

/** Each leads to another program than `files`. */
const changes: Readonly<Record<string, (project: Opened) => Promise<unknown>>> = {
  'a text of the same length, with the time of the one before': async ({ root, write }) => {
    const file = join(root, 'lib/here/end.ts');
    const { atime, mtime } = statSync(file);
    await write('lib/here/end.ts', `export const end = ',';`);
    await utimes(file, atime, mtime);
  },
  'a file that comes before another one': ({ write }) =>
    write('src/words.ts', `export const words = ['file'];`).then(() =>
      write('src/words/index.js', `export const words = ['other'];`),
    ),
  'a link that leads elsewhere': async ({ root }) => {
    await rm(join(root, 'src/linked'));
    await symlink('../lib/there', join(root, 'src/linked'));
  },
  'a folder that takes the place of another': async ({ root }) => {
    await rename(join(root, 'lib/here'), join(root, 'lib/gone'));
    await rename(join(root, 'lib/there'), join(root, 'lib/here'));
  },
  'a tsconfig.json beside the file': ({ write }) =>
    write('src/tsconfig.json', '{ "compilerOptions": { "useDefineForClassFields": false } }'),
  'a tsconfig.json of the project': ({ write }) =>
    write('tsconfig.json', '{ "compilerOptions": { "useDefineForClassFields": false } }'),
  'a package that says that its file is another one': ({ write }) =>
    write('node_modules/names/package.json', '{ "name": "names", "version": "1.0.0", "exports": "./second.mjs" }'),
  'a package nearer to the files': ({ root }) =>
    cp(join(root, 'node_modules/names'), join(root, 'src/node_modules/names'), { recursive: true }).then(() =>
      writeFile(join(root, 'src/node_modules/names/first.mjs'), `export const name = 'near';`),
    ),
  'a package that is a link to another folder now': async ({ root }) => {
    await cp(join(root, 'node_modules/names'), join(root, 'names'), { recursive: true });
    await writeFile(join(root, 'names/first.mjs'), `export const name = 'linked';`);
    await rm(join(root, 'node_modules/names'), { recursive: true });
    await symlink('../names', join(root, 'node_modules/names'));
  },
  'a file that is gone': ({ root }) => rm(join(root, 'lib/here/end.ts')),
  'a file that cannot be compiled': ({ write }) => write('lib/here/end.ts', 'export const = 1;'),
};

describe('a program is built again after', () => {
  it.each(Object.entries(changes))('%s', async (_, change) => {
    const project = await openProject();
    const before = await project.load();
    expect(project.findKept()).toHaveLength(1);
    await change(project);
    const after = await project.load();
    expect(after).not.toEqual(before);
    await project.forget();
    expect(after).toEqual(await project.load());
  });

  it('packages were installed', async () => {
    const { root, load, findKept } = await openProject();
    await load();
    const kept = findKept();
    expect(kept).toHaveLength(1);
    await utimes(join(root, 'node_modules/.package-lock.json'), 0, 0);
    await load();
    expect(findKept()).not.toEqual(kept);
  });

  it('the one that was kept was damaged, or is not this tool’s', async () => {
    const { root, load, findKept, programs } = await openProject();
    const first = await load();
    const [name = ''] = readNames(programs);
    const file = join(programs, name);
    const whole = await readFile(file);
    for (const damaged of ['', '{}\n', whole.subarray(0, -1), whole.toString().replace(root, '/elsewhere')]) {
      await writeFile(file, damaged);
      expect(await load()).toEqual(first);
      expect((await readFile(file)).equals(whole)).toBe(true);
    }
    expect(findKept()).toHaveLength(1);
  });

  it.each(otherUsers())('another user has kept it (user %s)', async (uid) => {
    const { load, findKept, programs } = await openProject();
    await load();
    const [name = ''] = readNames(programs);
    const kept = findKept();
    if (uid !== undefined) await chown(join(programs, name), uid, uid);
    await load();
    expect(findKept()[0] === kept[0]).toBe(uid === undefined);
  });
});

describe('no program is kept', () => {
  it('of files that were saved shortly before it was built, or meanwhile: they may have been read before that', async () => {
    const { load, findKept } = await openProject();
    vi.mocked(readFolderTime).mockImplementation(() => Date.now());
    await load();
    expect(findKept()).toEqual([]);
  });

  it.each([
    ['a file that asks where it lies', { 'lib/here/end.ts': 'export const end = import.meta.url;' }],
    [
      'an import by another name than a path',
      {
        'package.json': '{ "name": "demo", "type": "module", "imports": { "#end": "./lib/there/end.ts" } }',
        'lib/here/end.ts': `export { end } from '#end';`,
      },
    ],
    [
      'an alias of tsconfig.json',
      {
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }',
        'lib/here/end.ts': `export { end } from '@/there/end.js';`,
      },
    ],
    ['files of another package', { 'lib/package.json': '{ "type": "module" }' }],
    ['packages of which nobody says when they were installed', { 'node_modules/.package-lock.json': undefined }],
    [
      'an import that may be missing',
      { 'lib/here/end.ts': `export const end = await import('./gone.js').catch(() => '.');` },
    ],
    [
      'files in CommonJS that require one another',
      {
        'lib/here/end.ts': `import more from './more.cjs'; export const end = more;`,
        'lib/here/more.cjs': `module.exports = require('./most.cjs');`,
        'lib/here/most.cjs': `module.exports = '.';`,
      },
    ],
  ])('of a project with %s', async (_, more) => {
    const all = Object.entries({ ...files, ...more }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const { load, findKept } = await openProject(Object.fromEntries(all));
    expect(await load()).toMatchObject({ exports: { capabilities: { name: 'first' } } });
    expect(findKept()).toEqual([]);
  });
});

const change = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    path: fc.constantFrom(
      'src/a.ts',
      'src/a.js',
      'src/a/index.ts',
      'src/b.ts',
      'src/b.json',
      'src/b/c.ts',
      'src/capabilities.ts',
      'src/tsconfig.json',
    ),
    to: fc.constantFrom('./a', './a.js', './b', './b.js', './b/c.js', './b.json'),
  }),
  fc.record({
    kind: fc.constant('remove' as const),
    path: fc.constantFrom('src/a.ts', 'src/a.js', 'src/a', 'src/b.ts', 'src/b', 'src/tsconfig.json'),
  }),
);

it('after any series of changes, a kept program is what a build gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (series) => {
      const project = await openProject({ ...files, 'src/capabilities.ts': `export * from './a.js';` });
      for (const [index, one] of series.entries()) {
        if (one.kind === 'remove') await rm(join(project.root, one.path), { recursive: true, force: true });
        else await project.write(one.path, toText(one, index)).catch(() => undefined);
        const kept = await project.load();
        expect(await project.load()).toEqual(kept);
        await project.forget();
        expect(await project.load()).toEqual(kept);
      }
    }),
    { numRuns: 25 },
  );
});

function toText({ path, to }: { readonly path: string; readonly to: string }, index: number): string {
  if (path.endsWith('tsconfig.json')) return `{ "compilerOptions": { "useDefineForClassFields": ${index % 2 === 0} } }`;
  if (path.endsWith('.json')) return `{ "v${index}": ${index} }`;
  return `${index % 2 === 0 ? `export * from '${to}';\n` : ''}class A { x = this.y; constructor(y) { this.y = y; } }\nexport const v${index} = [${index}, new A(1).x];`;
}
