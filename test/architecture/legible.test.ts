import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import config, { legibleRules } from '../../oxlint.config.mjs';

const names = Object.keys(legibleRules);

it('excuses no file of library and tool from a rule of legibility', () => {
  const others = config.overrides.filter(({ rules }) => rules !== legibleRules);
  expect(others.length).toBeLessThan(config.overrides.length);
  expect(others.filter(({ rules }) => names.some((name) => Object.hasOwn(rules, name)))).toEqual(
    [],
  );
});

/** Every file of code below some folders. */
function readSources(folders: readonly string[]) {
  const root = new URL('../../', import.meta.url);
  return folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
      .map((name) => `${folder}/${name}`)
      .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') })),
  );
}

it('switches none of these rules off by a comment', () => {
  const sources = readSources(['server-runtime', 'source', 'commands']);
  const disabled = new RegExp(`lint-disable.*(${names.join('|')})`);
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.filter(({ text }) => disabled.test(text))).toEqual([]);
});

it('switches no rule of lint and no check of the compiler off in the tool', () => {
  const sources = readSources(['source', 'commands']);
  const disabled = /lint-disable|@ts-(?:expect-error|ignore|nocheck)|biome-ignore/;
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.flatMap(({ path, text }) => (disabled.test(text) ? [path] : []))).toEqual([]);
});

/** Names with one of these participles in them. A job and a start are given up, which hooks and the JSON of `dev` say. */
const vagueNames =
  /\b(?:\w*(?:Told|Kept|Asked|Said|Given(?!Up)|News|Olds|Gone)(?![a-z])\w*|(?:told|kept|asked|said|given(?!Up)|gone)[A-Z]\w*)/g;

it('has no name of told, kept, asked, said, given or gone and something', () => {
  const named = readSources(['server-runtime', 'source', 'commands', 'scripts']).flatMap(
    ({ path, text }) => [...text.matchAll(vagueNames)].map(([name]) => `${path} ${name}`),
  );
  expect(named).toEqual([]);
});
