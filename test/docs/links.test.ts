import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

const pages = ['', 'questions/', 'internals/'].flatMap((folder) =>
  readdirSync(join(packageRoot, 'docs', folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`),
);
const texts = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', ...pages.map((name) => `docs/${name}`)];

it.each(texts)('every link of %s leads to a file, and to a heading where it names one', (path) => {
  const broken = findLinks(read(path)).filter((target) => !leadsSomewhere(path, target));
  expect(broken).toEqual([]);
});

/** What `npm pack` takes of the folder besides `files`. */
const packed = [
  ...(JSON.parse(read('package.json')) as { files: readonly string[] }).files,
  'README.md',
  'LICENSE',
  'package.json',
];

it.each(['README.md', 'CHANGELOG.md', 'SECURITY.md', ...pages.map((name) => `docs/${name}`)])(
  'every link of %s leads to a file that the package has too',
  (path) => {
    const missing = findLinks(read(path)).filter((target) => {
      const [file = ''] = target.split('#');
      const to = file === '' ? path : join(dirname(path), file);
      return !packed.some((part) => to === part || to.startsWith(`${part}/`));
    });
    expect(missing).toEqual([]);
  },
);

it.each(pages)('tables of docs/%s have words in their rows, not paragraphs', (name) => {
  const long = read(`docs/${name}`)
    .split('\n')
    .filter((line) => line.startsWith('|') && line.length > 165);
  expect(long).toEqual([]);
});

it.each([
  'transaction',
  'pagination',
  'upload',
  'webhook',
  'tenant',
  'environment',
  'CORS',
  'auth',
])('docs/README.md has the word that people search: %s', (word) => {
  expect(read('docs/README.md')).toContain(word);
});

it('docs/README.md lists every page', () => {
  const listed = findLinks(read('docs/README.md'));
  expect(pages.filter((name) => name !== 'README.md' && !listed.includes(name))).toEqual([]);
});

it('docs/llms.txt, which agents begin with, says the same of each page for users', () => {
  const told = [...read('docs/README.md').matchAll(/^\| \[(.+?)\]\((.+?)\) \| (.+) \|$/gm)];
  const pagesForUsers = told.filter(([, , target = '']) => !target.startsWith('internals/'));
  const lines = pagesForUsers.map(([, name, target, words]) => `- [${name}](${target}): ${words}`);
  expect(
    read('docs/llms.txt')
      .split('\n')
      .filter((line) => line.startsWith('- ')),
  ).toEqual(lines);
});

it('CHANGELOG.md dates each version, the newest first', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(
    ([, heading = '']) => heading,
  );
  const versions = headings[0] === 'Unreleased' ? headings.slice(1) : headings;
  expect(versions.length).toBeGreaterThan(0);
  expect(
    versions.filter((heading) => !/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading)),
  ).toEqual([]);
  const dates = versions.map((heading) => /\((.+)\)/.exec(heading)?.[1] ?? '');
  expect(dates).toEqual(dates.toSorted().toReversed());
});

function read(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}

/** Targets of links within the repository, outside of code. */
function findLinks(text: string): readonly string[] {
  const prose = text.replaceAll(/```[^]*?```|`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) =>
    /^[a-z]+:/.test(target) ? [] : [target],
  );
}

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', heading] = target.split('#');
  const path = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(packageRoot, path))) return false;
  return heading === undefined || findHeadings(read(path)).includes(heading);
}

/** The anchors of a page, as GitHub makes them. */
function findHeadings(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
