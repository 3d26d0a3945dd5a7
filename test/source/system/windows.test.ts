import { win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSourcePlace } from '../../../source/manifest/find-source-place.ts';
import { toProjectPath } from '../../../source/manifest/project.ts';
import { toProjectPlace } from '../../../source/new/project-place.ts';
import { isInside } from '../../../source/system/paths.ts';
import { toEditorArguments, toWords } from '../../../source/system/user-programs.ts';
import { parseWatchedGlob } from '../../../source/system/watched-places.ts';

// The decisions that differ on Windows, which cannot be run here.

describe('a path of Windows', () => {
  it.each([
    ['C:\\shop\\src\\a.ts', true],
    ['c:\\Shop', true],
    ['C:\\shop-2\\a.ts', false],
    ['C:\\', false],
    ['D:\\shop\\a.ts', false],
    ['C:\\shop\\..name', true],
    ['\\\\server\\share\\a.ts', false],
  ])('%s is inside of C:\\shop: %s', (file, expected) => {
    expect(isInside(file, 'C:\\shop', win32)).toBe(expected);
  });

  it('is told with forward slashes in the project, and as it is outside it', () => {
    expect(toProjectPath('C:\\shop\\src\\a.ts', 'c:\\shop', win32)).toBe('src/a.ts');
    expect(toProjectPath('D:\\other\\a.ts', 'C:\\shop', win32)).toBe('D:\\other\\a.ts');
    expect(toProjectPath('C:\\a.ts', 'C:\\shop', win32)).toBe('C:\\a.ts');
  });

  it.each([
    ['    at list (C:\\shop\\src\\a.ts:3:9)', 'C:\\shop\\src\\a.ts'],
    ['    at file:///C:/shop/src/a%20b.ts:3:9', 'C:\\shop\\src\\a b.ts'],
    ['    at async D:\\shared\\a.ts:3:9', 'D:\\shared\\a.ts'],
  ])('is found in the frame %s', (frame, file) => {
    const stack = [
      'Error: no',
      '    at C:\\capix\\dist\\cli.js:1:1',
      '    at C:\\shop\\node_modules\\zod\\a.js:1:1',
      frame,
    ];
    const places = { root: 'C:\\shop', except: 'c:\\capix\\dist' };
    expect(findSourcePlace(stack.join('\n'), places, win32)).toEqual({ file, line: 3, column: 9 });
  });

  it('is watched by a pattern of either slash', () => {
    const place = { folder: 'C:\\shop', root: 'C:\\shop' };
    for (const text of ['views\\**\\*.html', 'views/**/*.html']) {
      const glob = parseWatchedGlob(text, place, win32);
      if (typeof glob === 'string') throw new Error(glob);
      expect(glob.base).toBe('C:\\shop\\views');
      expect(
        ['views\\mail\\a.html', 'views\\a.css', 'views\\dist\\a.html', 'b.html'].map((file) =>
          glob.matches(`C:\\shop\\${file}`),
        ),
      ).toEqual([true, false, false, false]);
    }
    expect(parseWatchedGlob('..\\*.html', place, win32)).toBe(
      'takes in folders around the project',
    );
  });

  it('is the place of a new project below the working directory, and no other', () => {
    expect(toProjectPlace('apps\\shop', 'C:\\work', win32)).toEqual({
      folder: 'C:\\work\\apps\\shop',
      path: 'apps/shop',
      packageName: 'shop',
    });
    expect(toProjectPlace('@acme/shop', 'C:\\work', win32)).toMatchObject({
      path: 'shop',
      packageName: '@acme/shop',
    });
    for (const name of ['D:\\shop', '..\\shop', '\\shop'])
      expect(() => toProjectPlace(name, 'C:\\work', win32)).toThrow('outside the current folder');
  });

  it('of an editor is taken as it stands, quoted where it has blanks, and gets the line as the editor wants it', () => {
    const words = toWords('"C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd" --wait', 'win32');
    expect(words).toEqual(['C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd', '--wait']);
    const place = { file: 'C:\\shop\\a.ts', line: 3 };
    expect(toEditorArguments(words[0] ?? '', place)).toEqual(['--goto', 'C:\\shop\\a.ts:3:1']);
    expect(toWords('C:\\vim\\gvim.exe', 'win32')).toEqual(['C:\\vim\\gvim.exe']);
    expect(toWords('vim -c set\\ number', 'linux')).toEqual(['vim', '-c', 'set number']);
    expect(toEditorArguments('/usr/bin/vim', { ...place, file: '/a.ts' })).toEqual(['+3', '/a.ts']);
  });
});
