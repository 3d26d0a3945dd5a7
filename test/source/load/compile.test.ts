import { expect, it } from 'vitest';
import { compileFile } from '../../../source/load/hooks/compile.ts';

it.each([
  ['export const a = 1 +', '1:21'],
  ['const x = 1;\nexport const a = 1 +\n\n', '2:21'],
  ['export default {', '1:17'],
  ['const x = f(1,;\nlet y;', '1:15'],
  ['const é = 日本(1,;', '1:16'],
])('finds the place at which %j cannot be compiled in what the compiler draws', (text, place) => {
  const compile = () => compileFile('/project/a.ts', text);
  expect(compile).toThrow(
    expect.objectContaining({ stack: expect.stringContaining(`/project/a.ts:${place}`) }),
  );
});
