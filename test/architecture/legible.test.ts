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

it('switches none of these rules off by a comment', () => {
  const root = new URL('../../', import.meta.url);
  const paths = ['server-runtime', 'source', 'commands'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const disabled = new RegExp(`lint-disable.*(${names.join('|')})`);
  expect(paths.length).toBeGreaterThan(400);
  const excused = paths.filter((path) => disabled.test(readFileSync(new URL(path, root), 'utf8')));
  expect(excused).toEqual([]);
});
