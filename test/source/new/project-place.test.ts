import { join, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../source/cli/cli-error.ts';
import { toProjectPlace } from '../../../source/new/project-place.ts';

const here = join(sep, 'work', 'My Shop');

describe('the place of a new project', () => {
  test.each([
    ['shop', 'shop', 'shop', 'shop'],
    ['apps/shop', join('apps', 'shop'), 'apps/shop', 'shop'],
    ['./shop/', 'shop', 'shop', 'shop'],
    ['@acme/shop', 'shop', 'shop', '@acme/shop'],
    ['.', '', '.', 'my-shop'],
    ['a/../shop', 'shop', 'shop', 'shop'],
  ])('%s is the folder %s', (name, folder, path, packageName) => {
    expect(toProjectPlace(name, here)).toEqual({ folder: join(here, folder), path, packageName });
  });

  test.each(['..', '../shop', 'a/../../shop', join(sep, 'tmp', 'shop'), '../My Shop2'])(
    '%s is outside',
    (name) => {
      expect(() => toProjectPlace(name, here)).toThrow('outside the current folder');
    },
  );

  test.each([
    ['Shop', 'capital letters'],
    ['my shop', 'URL-friendly'],
    ['.shop', 'start with a period'],
    ['node_modules', 'not a valid package name'],
    ['http', 'core module'],
    ['capix', 'name is that of the package capix'],
    ['zod', 'name is that of the package zod'],
    ['x'.repeat(215), 'more than 214'],
  ])('%s cannot be the name of a package', (name, reason) => {
    expect(() => toProjectPlace(name, here)).toThrow(reason);
  });

  test('a folder of any name gives a project that npm accepts', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^/\\\0]{1,40}$/), (folderName) => {
        fc.pre(folderName !== '.' && folderName !== '..');
        try {
          expect(toProjectPlace('.', join(sep, folderName)).packageName).toMatch(
            /^[a-z0-9~][a-z0-9~.-]*$/,
          );
        } catch (error) {
          // Names of Node's own modules and of our packages are still refused.
          expect(error).toBeInstanceOf(CliError);
        }
      }),
    );
  });

  test('no name leads out of the current folder', () => {
    const part = fc.constantFrom('..', '.', 'a', 'b', '', '@a', '\\', '...');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        try {
          const { folder } = toProjectPlace(parts.join('/'), here);
          expect(folder === here || folder.startsWith(here + sep)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(CliError);
        }
      }),
    );
  });

  test('a name with escape sequences is shown without them', () => {
    expect(() => toProjectPlace('a\u001B[31mb', here)).toThrow(/^'ab' cannot be the name/);
  });
});
