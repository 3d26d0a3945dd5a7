import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureWhole, toCodeLines } from '../../scripts/size/measure-size.mjs';
import { readLimits, writeRows } from '../../scripts/size/size-table.mjs';
import { packageRoot } from '../helpers/run-capix.ts';
import { measurePaths, type Path, type Paths } from '../helpers/size/measure-paths.ts';

/** Set by `npm run size -- paths`: writes the measured paths into the page. */
const isWriting = process.env['CAPIX_SIZE'] === 'write';

const advice =
  'Make it smaller, or raise the limit in docs/internals/architecture.md and say why in the commit.';

describe('the whole of library and tool', () => {
  it('is within the limits of docs/internals/architecture.md', () => {
    const whole = measureWhole();
    const limits = readLimits('The whole');
    expect(limits.map(({ label }) => label)).toEqual(Object.keys(whole));
    const above = limits.filter(({ label, limit = 0 }) => (whole[label] ?? 0) > limit);
    expect(
      above.map(({ label, limit }) => `${label}: ${whole[label]} > ${limit}`),
      advice,
    ).toEqual([]);
  });

  it('counts code without the blanks around it, and neither comments nor empty lines', () => {
    const text = `/** Says what it is. */\n/*\n   const a = 1;\n*/\n\n\tconst b = 2; // here \n  // there\n  return  b;\t\n`;
    expect(toCodeLines(text)).toEqual(['const b = 2; // here', 'return  b;']);
  });
});

describe('a path through the code', () => {
  let measured: Promise<Paths> | undefined;
  const findPaths = (): Promise<Paths> => {
    measured ??= measurePaths();
    return measured;
  };

  it('passes no more files than is written there', async () => {
    const paths = await findPaths();
    const limits = readLimits('Paths');
    expect(limits.map(({ label }) => label)).toEqual(Object.keys(paths));
    if (isWriting)
      writeRows(
        'Paths',
        limits.map(({ label, limit = 0 }) => [label, ...countApart(paths[label]), limit]),
      );
    const above = limits.filter(({ label, limit = 0 }) => findShared(paths[label]).length > limit);
    expect(
      above.map(({ label, limit }) => `${label}: ${findShared(paths[label]).length} > ${limit}`),
      advice,
    ).toEqual([]);
  });

  it('has run the files that the page names', async () => {
    const paths = await findPaths();
    const named = readNamedFiles();
    expect(Object.keys(named)).toEqual(Object.keys(paths));
    for (const [name, files] of Object.entries(named)) {
      expect(files.length, name).toBeGreaterThan(5);
      const passes = paths[name] ?? [];
      expect(
        files.filter((file) => !passes.some((pass) => pass.has(file))),
        name,
      ).toEqual([]);
    }
  });

  it('has no file in a request that the page on requests does not name', async () => {
    const page = readFileSync(join(packageRoot, 'docs/internals/request-lifecycle.md'), 'utf8');
    const named = [...page.matchAll(/^\| `([\w/-]+\.ts)` \|/gm)].map(([, name = '']) =>
      toPath(name),
    );
    const passed = (await findPaths())['one request'] ?? [];
    const missing = passed.flatMap((pass) => [...pass].filter((file) => !named.includes(file)));
    expect(missing).toEqual([]);
    expect(named.filter((file) => !existsSync(join(packageRoot, file)))).toEqual([]);
  });
});

/** The files that ran in each pass: what ran in one alone belongs to something else that the process did. */
function findShared(passes: readonly Path[] = []): readonly string[] {
  const [first = new Set<string>(), ...others] = passes;
  return [...first].filter((file) => others.every((pass) => pass.has(file)));
}

/** How many files of the tool, and how many of the library ran in any pass. */
function countApart(passes: readonly Path[] = []): readonly number[] {
  const any = [...new Set(passes.flatMap((pass) => [...pass]))];
  const library = any.filter((file) => file.startsWith('server-runtime/')).length;
  return [any.length - library, library];
}

/** The files of each path that lead to its end on the page, until its first full stop. */
function readNamedFiles(): Readonly<Record<string, readonly string[]>> {
  const page = readFileSync(join(packageRoot, 'docs/internals/architecture.md'), 'utf8');
  const section = page.slice(page.indexOf('## Five paths'), page.indexOf('## One screen'));
  const paragraphs = section.matchAll(/^\*\*([^*]+)\*\*([^]*?)\.\s/gm);
  return Object.fromEntries(
    [...paragraphs].map(([, title = '', text = '']) => {
      const files = [...text.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, name = '']) => name);
      return [title.toLowerCase(), files.map(toPath)];
    }),
  );
}

/** Files of the library are named without their folder. */
function toPath(name: string): string {
  return existsSync(join(packageRoot, name)) ? name : join('server-runtime', name);
}
