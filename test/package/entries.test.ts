import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

it('every entry of the built package can be imported', async () => {
  const { exports } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  ) as PackageJson;
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue;
    const loaded = (await import(pathToFileURL(join(packageRoot, target.default)).href)) as object;
    expect([entry, Object.keys(loaded).length > 0]).toEqual([entry, true]);
  }
});

it('the settings of a project load neither the library nor the tool', () => {
  const { exports } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  ) as PackageJson;
  const { default: file } = exports['./config'] as { readonly default: string };
  expect(readFileSync(join(packageRoot, file), 'utf8')).not.toMatch(/\b(?:import|require)\b/);
});
