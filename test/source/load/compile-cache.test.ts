import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileFile, forgetCompiler } from '../../../source/load/hooks/compile.ts';
import { type Compiled, compileOnce } from '../../../source/load/hooks/compile-cache.ts';
import { forgetSettings } from '../../../source/load/hooks/compiler-options.ts';
import { forgetPackages } from '../../../source/load/hooks/own-file.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'capix-cache-'));
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const cacheFolder = () => join(root, 'node_modules', '.cache', 'capix', 'javascript');
const entries = () => readdirSync(cacheFolder()).map((name) => join(cacheFolder(), name));
const keep = (file: string, inputs: string, code: string) =>
  compileOnce(file, inputs, () => ({ format: 'module', code })).code;

it('compiles a file once for one text, and again for another text, whose entry replaces it', () => {
  const file = join(root, 'a.ts');
  expect(keep(file, 'text 1', 'code 1')).toBe('code 1');
  expect(keep(file, 'text 1', 'never compiled')).toBe('code 1');
  expect(keep(file, 'text 2', 'code 2')).toBe('code 2');
  expect(keep(file, 'text 1', 'code 1 again')).toBe('code 1 again');
  expect(entries()).toHaveLength(1);
});

it('keeps the files of a folder apart, and their formats', () => {
  const compile = vi.fn<() => Compiled>(() => ({ format: 'commonjs', code: 'exports.a = 1;\n' }));
  for (const name of ['a.ts', 'b.ts', 'a.ts', 'b.ts'])
    expect(compileOnce(join(root, name), 'text', compile)).toEqual({
      format: 'commonjs',
      code: 'exports.a = 1;\n',
    });
  expect(compile).toHaveBeenCalledTimes(2);
});

it('compiles anew what is not an entry of its own: empty, broken off, of somebody else', () => {
  const file = join(root, 'a.ts');
  keep(file, 'text', 'code');
  const [entry = ''] = entries();
  const whole = readFileSync(entry, 'utf8');
  for (const text of ['', whole.slice(0, 20), `x${whole}`, '{"code":"foreign"}']) {
    writeFileSync(entry, text);
    expect(keep(file, 'text', 'anew')).toBe('anew');
  }
});

it('lets nobody else read the entries', () => {
  keep(join(root, 'a.ts'), 'text', 'code');
  expect(statSync(cacheFolder()).mode & 0o777).toBe(0o700);
  expect(entries().map((entry) => statSync(entry).mode & 0o777)).toEqual([0o600]);
});

it('keeps nothing where there is no node_modules, of packages, or where a file is in the way', () => {
  const compile = vi.fn<() => Compiled>(() => ({ format: 'module', code: 'code' }));
  const inPackage = join(root, 'node_modules', 'dep', 'index.ts');
  for (let at = 0; at < 2; at++) compileOnce(inPackage, 'text', compile);
  writeFileSync(join(root, 'node_modules', '.cache'), '');
  for (let at = 0; at < 2; at++) compileOnce(join(root, 'a.ts'), 'text', compile);
  expect(compile).toHaveBeenCalledTimes(4);
  rmSync(join(root, 'node_modules'), { recursive: true });
  const lone = mkdtempSync(join(tmpdir(), 'capix-lone-'));
  for (let at = 0; at < 2; at++) compileOnce(join(lone, 'a.ts'), 'text', compile);
  expect(readdirSync(lone)).toEqual([]);
  rmSync(lone, { recursive: true });
});

it('compiles anew when tsconfig.json or package.json decide otherwise', () => {
  const file = join(root, 'a.ts');
  const text = 'export class A { a?: number }\n';
  const compile = () => {
    forgetSettings();
    forgetPackages();
    forgetCompiler();
    return compileFile(file, text);
  };
  const fields = compile();
  expect(fields).toMatchObject({ format: 'module', code: expect.stringMatching(/^ {4}a;$/m) });
  expect(compile()).toEqual(fields);
  const set = (options: object) =>
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  set({ target: 'es2018', module: 'commonjs' });
  expect(compile().code).not.toMatch(/^ {4}a;$/m);
  writeFileSync(join(root, 'package.json'), '{}');
  expect(compile()).toMatchObject({
    format: 'commonjs',
    code: expect.stringContaining('exports'),
  });
});

it('keeps no file that cannot be compiled, and finds its mistake each time', () => {
  const file = join(root, 'a.ts');
  for (let at = 0; at < 2; at++)
    expect(() => compileFile(file, 'export const a = 1 +')).toThrow(/Expression expected/);
  expect(compileFile(file, 'export const a = 1').code).toContain('a = 1');
});
