// Boundary: text of others in a developer's shell. Promise: what is copied, or completed, runs nothing of theirs.
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRequestCurl } from '../../source/record/curl.ts';
import {
  toPlainShellWord,
  toShellVariable,
  toShellWord,
} from '../../source/terminal/shell-word.ts';
import { countInputs } from '../helpers/count-inputs.ts';

/** The arguments that bash makes of words; what a substitution would run writes nothing that is among them. */
function splitByBash(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const script = `printf '%s\\0' ${words.join(' ')}`;
  const out = execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' });
  return out.split('\0').slice(0, -1);
}

/** Characters that do something in a shell, among others. */
const shellText = fc
  .array(
    fc.oneof(fc.constantFrom(...'`$(){}[]\'"\\;&|<>*?~!#\n\t -='), fc.string({ unit: 'grapheme' })),
  )
  .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());

it('gives a shell each word as it is', () => {
  fc.assert(
    fc.property(fc.array(shellText, { minLength: 1, maxLength: 40 }), (texts) => {
      expect(splitByBash(texts.map(toShellWord))).toEqual(texts);
      const plain = texts.filter((text) => text !== '');
      if (plain.length > 0) expect(splitByBash(plain.map(toPlainShellWord))).toEqual(plain);
    }),
    { numRuns: countInputs(20) / 20 },
  );
});

it('gives a shell the value of a variable within a word, whatever stands around it', () => {
  fc.assert(
    fc.property(shellText, shellText, (before, after) => {
      const word = toShellWord(`${before}${toShellVariable('api-key')}${after}`);
      const [split] = splitByBash([word], { API_KEY: '$(id) `id` "' });
      // A letter behind the mark would belong to the name.
      if (!/^\w/.test(after)) expect(split).toBe(`${before}$(id) \`id\` "${after}`);
    }),
    { numRuns: countInputs(200) / 20 },
  );
});

describe('the curl command of a request', () => {
  const details = { mediaType: 'application/json' };
  const toCurl = (headers: readonly (readonly [string, string])[], body?: string) =>
    toRequestCurl(
      { method: 'POST', url: '/a', details: { ...details, headers, body } } as never,
      'http://localhost:3000',
    );
  const run = (command: string) => splitByBash(command.split(/^curl /)[1]?.split('\n') ?? []);

  it.each([
    ['x-token`id`', 'v'],
    ['x-token$(id)', 'v'],
    ['x-token$HOME', 'v'],
    ['authorization$$', 'v'],
    ["x-secret'", 'v'],
    ['x-plain`id`', '`id` $(id) "quoted" \'single\''],
  ])('keeps a header called %s whole', (name, value) => {
    const words = run(toCurl([[name, value]]));
    const isSecret = !name.startsWith('x-plain');
    expect(words[4]).toBe(`${name}: ${isSecret ? '' : value}`);
  });

  it.each(['\uE000HOME\uE001', '$HOME', 'capix-variable-HOME'])('keeps %s in a body', (text) => {
    expect(run(toCurl([], `{"a":"${text}"}`)).at(-1)).toBe(`{"a":"${text}"}`);
  });
});
