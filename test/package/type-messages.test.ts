import { beforeAll, describe, expect, it } from 'vitest';
import {
  allCompilerNames,
  compile,
  type Messages,
  typedProject,
} from '../helpers/compile-types.ts';
import { mistakes } from '../types/mistakes/mistakes.ts';
import { prelude } from '../types/mistakes/type-mistake.ts';

const fileOf = (index: number): string => `mistake-${index}.ts`;

it('tells its mistakes apart, and there are enough of them', () => {
  expect(new Set(mistakes.map(({ title }) => title)).size).toBe(mistakes.length);
  expect(mistakes.length).toBeGreaterThanOrEqual(80);
});

describe.each(allCompilerNames)('%s', (compiler) => {
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
    ({ index, says, saysIn54 = says }) => {
      const told = (messages[fileOf(index)] ?? []).join('\n');
      const expected = compiler === 'TypeScript 5.4' ? saysIn54 : says;
      for (const text of expected) expect(told).toContain(text);
      expect(told).not.toContain("type 'never'");
    },
  );
});
