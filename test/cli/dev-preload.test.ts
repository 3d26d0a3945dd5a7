import { readFile, rm } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { type OpenDevJson, openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** Where hooks see all that is loaded, packages are loaded ahead; `npm run long` runs on each version of Node. */
const preloads = 'registerHooks' in nodeModule;

/** What a process does, as a line of `log.txt`. */
const toLine = (what: string): string =>
  `import { appendFileSync } from 'node:fs';
  appendFileSync(new URL('LOG', import.meta.url), '${what} ' + process.pid + '\\n');`;

/** A package `words` that says when it is loaded, and what it is then. */
const toPackage = (text: string, name = 'words') => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({
    name,
    type: 'module',
    exports: './index.js',
  }),
  [`node_modules/${name}/index.js`]: `${toLine('package').replace('LOG', '../../log.txt')} ${text}`,
});

/** `src/first.ts` runs before what it imports besides: `begin` is what it does. */
const toCode = (text: string, begin = '') => ({
  'src/first.ts': `${toLine('code').replace('LOG', '../log.txt')} ${begin}`,
  'src/text.ts': text,
});
const usesWords = `import './first.ts'; import { word } from 'words'; export const text = () => word + ' ' + process.pid`;
const save = (folder: string, text: string) => writeTree(folder, { 'src/text.ts': text });

async function ask(url: string): Promise<{ readonly word: string; readonly pid: string }> {
  const response = await fetch(`${url}/texts`, { headers: { connection: 'close' } });
  const [word = '', pid = ''] = ((await response.json()) as { data: string }).data.split(' ');
  return { word, pid };
}

const readLog = async (folder: string): Promise<readonly string[]> =>
  (await readFile(join(folder, 'log.txt'), 'utf8')).trim().split('\n');

/** Resolves when a process has loaded the package that has no code; where none does so, at once. */
async function untilAhead(folder: string): Promise<void> {
  const isAhead = async (): Promise<boolean> => {
    const log = await readLog(folder);
    const pids = log.flatMap((line) => /^package (.*)/.exec(line)?.[1] ?? []);
    return pids.some((pid) => !log.includes(`code ${pid}`));
  };
  await expect.poll(isAhead).toBe(preloads);
}

async function end(dev: OpenDevJson): Promise<void> {
  dev.kill('SIGTERM');
  await dev.ended;
}

async function open(files: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const folder = await devProject(files);
  const dev = openDevJson(folder, words);
  return { folder, dev, url: await dev.url() };
}

it('loads the packages of the last version ahead, each once, and nothing of the code', async () => {
  const { folder, dev, url } = await open({
    ...toPackage(`console.log('loaded'); export const word = 'one';`),
    ...toCode(usesWords),
  });
  expect((await ask(url)).word).toBe('one');
  for (const count of [1, 2]) {
    await untilAhead(folder);
    await save(folder, `${usesWords} // ${count}`);
    // What the package wrote when it was loaded comes with the code.
    await dev.waitFor('starting');
    await dev.waitFor('output', ({ line }) => line === 'loaded');
    await dev.waitFor('ready');
    const { word, pid } = await ask(url);
    expect(word).toBe('one');
    const log = (await readLog(folder)).filter((line) => line.endsWith(` ${pid}`));
    expect(log).toEqual(
      preloads ? [`package ${pid}`, `code ${pid}`] : [`code ${pid}`, `package ${pid}`],
    );
  }
  await end(dev);
});

it('holds packages in two processes at most, the waiting one no larger than the one that serves', async () => {
  const { folder, dev, url } = await open({
    ...toPackage(`
      export const word = 'held';
      const held = Buffer.alloc(64 * 1024 * 1024, 1);
      export const weigh = () => held.length && process.memoryUsage.rss();
      appendFileSync(new URL('../../weights.txt', import.meta.url), process.pid + ' ' + weigh() + '\\n');`),
    ...toCode(
      `import './first.ts'; import { weigh } from 'words'; export const text = () => weigh() + ' ' + process.pid`,
    ),
  });
  for (const count of [1, 2, 3]) {
    await untilAhead(folder);
    const { word: weight, pid: serving } = await ask(url);
    const weights = (await readFile(join(folder, 'weights.txt'), 'utf8')).trim().split('\n');
    const ahead = weights
      .map((line) => line.split(' '))
      .filter(([pid]) => isAlive(Number(pid)) && pid !== serving);
    // The version before ends once it has answered everything.
    expect(ahead.length).toBeLessThanOrEqual(preloads ? 2 : 1);
    for (const [, size] of ahead) expect(Number(size)).toBeLessThan(1.2 * Number(weight));
    expect(Number(weight)).toBeGreaterThan(64 * 1024 * 1024);
    await save(
      folder,
      `import './first.ts'; import { weigh } from 'words'; export const text = () => weigh() + ' ' + process.pid // ${count}`,
    );
    await dev.waitFor('starting');
    await dev.waitFor('ready');
  }
  await end(dev);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('never runs a package as it was before it was installed anew, changed by hand, or saw other variables', async () => {
  const { folder, dev, url } = await open({
    ...toPackage(`export const word = 'one' + process.env.WORD;`),
    ...toCode(usesWords),
    '.env': 'WORD=-a\n',
  });
  const answers = [(await ask(url)).word];
  const changes = [
    {
      ...toPackage(`export const word = 'two' + process.env.WORD;`),
      'node_modules/.package-lock.json': '{}',
    },
    // As `prisma generate` does: the code that is saved next imports what is there now.
    {
      ...toPackage(`export const word = 'three' + process.env.WORD;`),
      'src/text.ts': `${usesWords} // 1`,
    },
    { '.env': 'WORD=-b\n' },
    { '.env': '', 'src/text.ts': `${usesWords} // 2` },
  ];
  for (const files of changes) {
    await untilAhead(folder);
    await writeTree(folder, files);
    await dev.waitFor('ready');
    answers.push((await ask(url)).word);
  }
  expect(answers).toEqual(['one-a', 'two-a', 'three-a', 'three-b', 'threeundefined']);
  await end(dev);
});

it('starts code that no longer imports a package, which may not be there any more', async () => {
  const { folder, dev, url } = await open({
    ...toPackage(`export const word = 'one';`),
    ...toCode(usesWords),
  });
  await untilAhead(folder);
  await rm(join(folder, 'node_modules/words'), { recursive: true });
  await save(folder, `import './first.ts'; export const text = () => 'none ' + process.pid;`);
  await dev.waitFor('ready');
  expect((await ask(url)).word).toBe('none');
  await end(dev);
});

it.each([
  [
    'throws without what the code does first',
    `if (!globalThis.isReady) throw new Error('Too early.'); export const word = 'one';`,
  ],
  [
    'ends a process without it',
    `if (!globalThis.isReady) process.exit(3); export const word = 'one';`,
  ],
])('serves each save with a package that %s', async (_what, text) => {
  const begin = 'globalThis.isReady = true;';
  const { folder, dev, url } = await open({ ...toPackage(text), ...toCode(usesWords, begin) });
  for (const count of [1, 2, 3]) {
    if (count === 1) await untilAhead(folder);
    await save(folder, `${usesWords} // ${count}`);
    await dev.waitFor('ready');
    expect((await ask(url)).word).toBe('one');
  }
  expect(dev.stdout()).not.toMatch(/Too early|"event":"(?:failed|exited)"/);
  await end(dev);
});

it.each<[string, Readonly<Record<string, string>>]>([
  [
    'the settings say no',
    { ...toCode(usesWords), 'capix.json': '{ "dev": { "preload": false } }' },
  ],
  ['the code sets a variable', toCode(usesWords, `process.env.WORDS = 'here';`)],
  [
    'the code hooks modules',
    toCode(
      usesWords,
      `import module from 'node:module'; const { prototype } = module; const { require } = prototype; prototype.require = function (...words) { return require.apply(this, words); };`,
    ),
  ],
  [
    'its name says that it acts',
    {
      ...toPackage(`export const word = 'one';`, 'words-config'),
      ...toCode(usesWords.replace("'words'", "'words-config'")),
    },
  ],
  ['an option of Node names a file', toCode(usesWords)],
])('loads no package ahead where %s', async (what, files) => {
  const words = what.startsWith('an option') ? ['--', '--import', './src/first.ts'] : [];
  const { folder, dev, url } = await open(
    { ...toPackage(`export const word = 'one';`), ...files },
    words,
  );
  for (const count of [1, 2, 3]) {
    await save(folder, (files['src/text.ts'] ?? '') + ` // ${count}`);
    await dev.waitFor('ready');
    const { pid } = await ask(url);
    const log = (await readLog(folder)).filter((line) => line.endsWith(` ${pid}`));
    expect(log).toEqual([`code ${pid}`, `package ${pid}`]);
  }
  await end(dev);
});
