import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { judge, parseAccepted, toDifferences } from '../same/compare.mjs';

const copied = ['dist', 'etc', 'templates', 'package.json'];

/** A change of each kind, as a slip makes it: in which files, what was there, and what stands there now. */
const slips: readonly (readonly [files: RegExp, before: RegExp, after: string])[] = [
  [/\.js$/, /access-control-allow-origin/gi, 'access-control-allow-origins'],
  [/\.js$/, /Input validation failed/g, 'Input validation broke'],
  [/\.js$/, /update:\s*"PATCH"/g, 'update: "PUT"'],
  [
    /cli\.cjs$/,
    /"use strict";/,
    '$&process.on("exit", (code) => { if (code === 1) process.exitCode = 3; });',
  ],
  [/capix\.api\.md$/, /interface App \{/, '$&\n    readonly planted?: boolean;'],
];

/** A copy of this build, with or without the slips. */
async function copyBuild({ slips: planted }: { slips: typeof slips }): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of copied)
    cpSync(join(packageRoot, name), join(folder, name), { recursive: true });
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
  const files = ['dist', 'etc'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true }).map((file) =>
      join(folder, name, String(file)),
    ),
  );
  for (const [wanted, before, after] of planted) {
    const changed = files
      .filter((file) => wanted.test(file))
      .filter((file) => {
        const text = readFileSync(file, 'utf8');
        const other = text.replace(before, after);
        if (other !== text) writeFileSync(file, other);
        return other !== text;
      });
    expect(changed, String(before)).not.toEqual([]);
  }
  return folder;
}

/** Holds this build against another one, over a few of the projects and command lines. */
async function holdAgainst(folder: string) {
  mkdirSync(join(folder, 'temporary'));
  const accepted = join(folder, 'accepted.md');
  writeFileSync(accepted, '');
  const only = ['types', 'describe', 'ask', 'broken: list'].flatMap((name) => ['--only', name]);
  const words = ['test/same/run.mjs', folder, '--projects', '8', '--accepted', accepted, ...only];
  const env = { TMPDIR: join(folder, 'temporary') };
  const { exitCode, stdout } = await execa(process.execPath, words, {
    cwd: packageRoot,
    env,
    reject: false,
  });
  expect(readdirSync(env.TMPDIR)).toEqual([]);
  return { exitCode, stdout };
}

it('finds a change of a header, of a word of an error, of a route, of an exit code and of a type', async () => {
  const { exitCode, stdout } = await holdAgainst(await copyBuild({ slips }));
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^ask\.p\d.*\.headers\.access-control-allow-origins/m);
  expect(stdout).toMatch(
    /^ask\.p\d.*\.body\.message.*\n {2}- Input validation broke\n {2}\+ Input validation failed$/m,
  );
  expect(stdout).toMatch(/^describe\.p\d+\.document\.paths\..*\.put/m);
  expect(stdout).toMatch(/^command broken: list\.exitCode\n {2}- 3\n {2}\+ 1$/m);
  expect(stdout).toMatch(/^types\.capix\.api\.md\.App.*\n {2}- +readonly planted/m);
});

it('finds nothing where nothing has changed', async () => {
  expect(await holdAgainst(await copyBuild({ slips: [] }))).toMatchObject({
    exitCode: 0,
    stdout: '',
  });
});

const differences = [
  ...toDifferences(
    'ask.p1',
    { status: 200, headers: {}, body: 'a' },
    { status: 201, headers: {}, body: 'a' },
  ),
  ...toDifferences('ask.p1', { status: 200, headers: { age: '1' } }, { status: 200, headers: {} }),
];

it('accepts a difference by a line that has its name and the sentence, and tells of a line that accepts none', () => {
  const { open, unused } = judge(
    differences,
    parseAccepted('# Accepted\n\n- `ask.*: 200 a {} → 201`: "Created."\n- `ask.p2`: "Gone."\n'),
  );
  expect(open).toEqual([{ name: 'ask.p1.headers.age', before: '1', after: '(nothing)' }]);
  expect(unused.map(({ pattern }) => pattern)).toEqual(['ask.p2']);
});

it('refuses a line that names no sentence', () => {
  expect(() => parseAccepted('- `ask.*`\n')).toThrow('accepted.md: a line is not of the form');
});

it('names the runs of lines that differ, and where in a text of JSON', () => {
  expect(toDifferences('out', 'a\nb\nc\n', 'a\nB\nc\n')).toEqual([
    { name: 'out', before: 'b', after: 'B' },
  ]);
  expect(toDifferences('out', '{"a": [1, 2]}', '{"a": [1, 3]}')).toEqual([
    { name: 'out.a.1', before: '2', after: '3' },
  ]);
  expect(toDifferences('out', '{"a":1}', '{ "a": 1 }')).toMatchObject([{ name: 'out (spaces)' }]);
});
