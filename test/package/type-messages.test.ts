import { beforeAll, describe, expect, it } from 'vitest';
import { compile, compilerNames, type Messages, typedProject } from '../helpers/compile-types.ts';
import { mistakes } from '../types/mistakes/mistakes.ts';
import { prelude } from '../types/mistakes/type-mistake.ts';

const fileOf = (index: number): string => `mistake-${index}.ts`;

it('tells its mistakes apart, and there are enough of them', () => {
  expect(new Set(mistakes.map(({ title }) => title)).size).toBe(mistakes.length);
  expect(mistakes.length).toBeGreaterThanOrEqual(80);
});

describe.each(compilerNames)('%s', (compiler) => {
  let messages: Messages = {};
  beforeAll(async () => {
    const files = mistakes.map(({ code }, index) => [fileOf(index), `${prelude}${code}\n`]);
    const folder = await typedProject({
      files: { ...Object.fromEntries(files), 'none.ts': prelude },
    });
    messages = await compile(folder, compiler);
  });

  it('finds nothing where nobody is wrong', () => {
    expect(messages['none.ts']).toBeUndefined();
    expect(messages['']).toBeUndefined();
  });

  it.each(mistakes.map((mistake, index) => ({ ...mistake, index })))(
    'tells of $title',
    ({ index, says }) => {
      const told = (messages[fileOf(index)] ?? []).join('\n');
      for (const text of says) expect(told).toContain(text);
      expect(told).not.toContain("type 'never'");
    },
  );
});
