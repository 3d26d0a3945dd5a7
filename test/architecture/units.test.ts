import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

/** The rule of docs/internals/glossary.md. */
const rule = [
  { what: 'milliseconds', name: /Ms$/ },
  { what: 'seconds', name: /Seconds$|^maxAge$|^stopGrace$|^(start|hang)?[tT]imeout$/ },
  { what: 'bytes', name: /^size$|Size$/ },
  { what: 'a count', name: /(?<!s)s$/ },
  { what: 'a rate', name: /PerSecond$/ },
  { what: 'no unit', name: /^(status|statusCode|code|order|limit|budget)$|[pP]ort$/ },
];

const reports = readdirSync(join(packageRoot, 'etc')).filter((file) => file.endsWith('.api.md'));
/** The interfaces of options, which users write without their names. */
const options = readdirSync(join(packageRoot, 'server-runtime'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    [...read(`server-runtime/${file}`).matchAll(/^export interface \w*Options\b[^]*?^}/gm)].map(
      String,
    ),
  );
/** The numbers of the public types, but for types that stand in for those of others. */
const numbers = [...reports.map((file) => read(`etc/${file}`)), ...options].flatMap((text) =>
  [...text.matchAll(/^\s+(?:readonly )?(\w+)\??: number\b/gm)].map(([, name = '']) => name),
);
const numbersOfCommands = ['commands', 'source/flags']
  .flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [
    ...read(file).matchAll(/^\s+(\w+): (?:z\s*\.(?:coerce\.)?number|option\.number)\(/gm),
  ])
  .map(([, name = '']) => name);

describe('a number', () => {
  it('says its unit by its name in the public types', () => {
    expect(numbers).toEqual(
      expect.arrayContaining(['timeoutMs', 'maxBodySize', 'maxFiles', 'maxAge', 'port']),
    );
    expect(numbers.filter((name) => !rule.some((each) => each.name.test(name)))).toEqual([]);
  });

  it('says its unit by its name in the options of commands', () => {
    expect(numbersOfCommands).toContain('port');
    expect(numbersOfCommands.filter((name) => !rule.some((each) => each.name.test(name)))).toEqual(
      [],
    );
  });

  it.each(['bytes', 'seconds'])('of %s is described as such', (unit) => {
    const pattern = rule.find(({ what }) => what === unit)?.name ?? /^$/;
    const names = [...new Set(numbers.filter((name) => pattern.test(name)))];
    const described = findComments().filter(({ comment }) => comment.toLowerCase().includes(unit));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => described.every((each) => each.name !== name))).toEqual([]);
  });
});

/** Fields of the library and of settings that are numbers, with the comment above each. */
function findComments() {
  const library = readdirSync(join(packageRoot, 'server-runtime'), {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `server-runtime/${file}`);
  return [...library, 'source/manifest/define-config.ts'].flatMap((file) =>
    [
      ...read(file).matchAll(
        /((?:^ *(?:\/\*\*|\*).*\n)*)^ +(?:readonly )?(\w+)\??: number\b(?! *[),])/gm,
      ),
    ].map(([, comment = '', name = '']) => ({ name, comment })),
  );
}

function read(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}
