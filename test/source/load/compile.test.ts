import { expect, it } from 'vitest';
import { compileFile } from '../../../source/load/hooks/compile.ts';
import { toStripError } from '../../../source/load/hooks/compile-error.ts';

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

const unsupported = (what: string): string =>
  `TypeScript ${what} is not supported in strip-only mode`;

// As Node 22.23, 24.21 and 26.10 write them, without the frames of Node.
it.each([
  [
    'const a = 1;\n\tenum A { B }',
    ':2\nconst a = 1;\n    enum A { B }\n    ^^^^^^^^^^^^',
    unsupported('enum'),
    '2:2',
    'this is more than types (enum)',
  ],
  [
    'const é = "日本"; enum A {B}',
    ':1\nconst é = "日本"; enum A {B}\n                  ^^^^^^^^^^',
    unsupported('enum'),
    '1:17',
    'npm install --save-dev @swc/core',
  ],
  [
    '  enum A {\n B,\n}',
    ':1\n  >   enum A {\n     B,\n  > }',
    unsupported('enum'),
    '1:3',
    'npm install --save-dev @swc/core',
  ],
  ['const a = 1 +\n\n\n', ':3\n\n', 'Expression expected', '1:14', 'Expression expected'],
])(
  'finds the place at which Node cannot remove the types of %j',
  (text, drawn, message, place, says) => {
    const error = Object.assign(new SyntaxError(message), {
      stack: `${drawn}\n\nSyntaxError: ${message}`,
    });
    const found = toStripError('/project/a.ts', text, error);
    expect(found.place).toBe(`/project/a.ts:${place}`);
    expect(found.message).toContain(says);
  },
);
