import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyEdit, isShown, readSteps, writeFiles } from '../compat/tutorial-steps.mjs';
import { packageRoot } from '../helpers/run-capix.ts';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');
const page = read('docs/tutorial.md');

/** drizzle-kit writes these, and `compat:tutorial` compares the SQL among them. */
const isMade = (path: string): boolean => path.startsWith('migrations/');

it('the text writes each file of examples/clinic, to the letter', () => {
  const listed = execFileSync('git', ['ls-files', 'examples/clinic'], {
    cwd: packageRoot,
    encoding: 'utf8',
  });
  const paths = listed
    .trim()
    .split('\n')
    .map((path) => path.replace('examples/clinic/', ''))
    .filter((path) => !isMade(path));
  const files = writeFiles(readSteps(page));
  expect([...files.keys()].toSorted()).toEqual(paths.toSorted());
  for (const [path, text] of files)
    expect([path, text]).toEqual([path, read(`examples/clinic/${path}`)]);
});

it('each chapter ends with something that runs and its output', () => {
  const [, ...chapters] = page.split(/^(?=## \d)/m);
  expect(chapters).toHaveLength(12);
  for (const chapter of chapters) {
    const commands = readSteps(chapter).flatMap((step) =>
      step.kind === 'commands' ? step.commands : [],
    );
    expect(commands.at(-1)?.output).toMatch(/\S/);
  }
});

describe('what the script reads', () => {
  const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

  it('refuses a block that is neither a file nor an edit nor a command', () => {
    expect(() => readSteps(`Text\n\n${block('ts', 'const a = 1;')}`)).toThrow(
      'Line 3: the block names no file in its first line.',
    );
    expect(() => readSteps(block('console', 'ls'))).toThrow('does not begin with $');
    expect(() => readSteps(block('diff', '-a\n+b'))).toThrow('the edit names no file');
  });

  it('refuses an edit whose lines are not there, or are there twice', () => {
    const [edit] = readSteps(block('diff', '+++ a.ts\n-one\n+two'));
    if (edit?.kind !== 'edit') throw new Error('It is no edit.');
    expect(applyEdit('zero\none\n', edit)).toBe('zero\ntwo\n');
    expect(() => applyEdit('zero\n', edit)).toThrow('a.ts has this 0 times');
    expect(() => applyEdit('one\none\n', edit)).toThrow('a.ts has this 2 times');
  });

  it('takes any id for an id, and any text for …, and nothing else', () => {
    const shown = '{"id":"3f2b6a51-8c1e-4c5e-9a57-0d2f1b7a9c44","name":"Elm"}\n…\nend';
    const printed = '{"id":"00000000-0000-4000-8000-000000000000","name":"Elm"}\na\nb\nend\n';
    expect(isShown(shown, printed)).toBe(true);
    expect(isShown(shown, printed.replace('Elm', 'Oak'))).toBe(false);
    expect(isShown(shown, `${printed}more`)).toBe(false);
  });
});
