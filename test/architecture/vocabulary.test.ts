import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

/** A function or value that a file exports under its name, with its source text up to the end of its declaration. */
interface Exported {
  readonly file: string;
  readonly kind: 'function' | 'class' | 'const' | 'type';
  readonly name: string;
  readonly text: string;
}

/** Entry points of a package export what their readers expect. */
const unnamed = /(\/index\.ts|\.d\.ts)$/;
const files = ['source', 'server-runtime'].flatMap(findSources);
const exported = files.flatMap(readExports);
const own = exported.filter(({ file }) => !unnamed.test(file));

describe('a file', () => {
  it('draws where it is a .tsx, and only there: a command does not', () => {
    const isDrawing = (file: string) =>
      /<\/?[A-Z]\w*[\s/>]|<>/.test(read(file).replaceAll(/^ *(\/\/|\*|\/\*).*$/gm, ''));
    expect(
      files.filter((file) => file.endsWith('.tsx')).filter((file) => !isDrawing(file)),
    ).toEqual([]);
    expect(findSources('commands').filter((file) => file.endsWith('.tsx'))).toEqual([]);
  });

  it('exports a function or value that no other file exports under its name', () => {
    const places = new Map<string, string[]>();
    for (const { name, file } of own.filter(({ kind }) => kind !== 'type'))
      places.set(name, [...new Set([...(places.get(name) ?? []), file])]);
    expect([...places].filter(([name, at]) => at.length > 1 && !isPair(name, at))).toEqual([]);
  });
});

describe('a comment that switches a check off', () => {
  it('says why', () => {
    const off = /(?:oxlint-disable|biome-ignore|@ts-expect-error|@ts-ignore|eslint-disable)\b.*/g;
    const all = [...files, ...findSources('commands'), 'cli.ts'].flatMap((file) =>
      [...read(file).matchAll(off)].map(([text]) => `${file} ${text}`),
    );
    expect(all.filter((text) => !/ -- \w+ \w+ .+/.test(text))).toEqual([]);
  });
});

describe('a function that is called', () => {
  it.each([
    ['to…', /^to[A-Z]/, isAsynchronous, 'converts, at once'],
    ['parse…', /^parse[A-Z]/, isAsynchronous, 'reads text, at once'],
    ['find…', /^find[A-Z]/, throws, 'gives undefined where there is nothing'],
  ])('%s does what the name says: never otherwise', (_, verb, breaks) => {
    expect(findFunctions(verb).filter(breaks).map(toPlace)).toEqual([]);
  });

  it.each([
    ['expect…', /^expect[A-Z]/, throws, 'throws where it is not so'],
    ['load…', /^load[A-Z]/, isAsynchronous, 'waits for what it loads'],
    ['read…', /^read[A-Z]/, touchesOutside, 'reads from outside of the process'],
    ['write…', /^write[A-Z]/, touchesOutside, 'writes outside of the process'],
  ])('%s does what the name says', (_, verb, holds) => {
    expect(
      findFunctions(verb)
        .filter((each) => !holds(each))
        .map(toPlace),
    ).toEqual([]);
  });
});

function findSources(folder: string): readonly string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
}

function read(file: string): string {
  return readFileSync(join(packageRoot, file), 'utf8');
}

function findFunctions(verb: RegExp): readonly Exported[] {
  return own.filter(({ kind, name }) => kind === 'function' && verb.test(name));
}

function isAsynchronous({ text }: Exported): boolean {
  return /^export (default )?async |\): (AsyncGenerator|AsyncIterable|Promise)</.test(text);
}

function throws({ text }: Exported): boolean {
  return /\bthrow |\bexpect[A-Z]\w*\(|\brefuse\w*\(/.test(text);
}

/** Files, sockets, streams, or another function that says so by its name. */
function touchesOutside(each: Exported): boolean {
  return (
    isAsynchronous(each) ||
    /Sync\(|\b(read|write|load)[A-Z]\w*\(|\.(on|once|pipe|write|read)\(/.test(each.text)
  );
}

function toPlace({ file, name }: Exported): string {
  return `${file} ${name}`;
}

/** A component and the type of its properties, or a function and what it makes, may share a word; two places of one word may not. */
function isPair(_name: string, at: readonly string[]): boolean {
  return at.length === 2 && at.some((file) => file.endsWith('/index.ts'));
}

function readExports(file: string): readonly Exported[] {
  const text = read(file);
  const starts = [
    ...text.matchAll(
      /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(function\*?|class|const|let|interface|type) (\w+)/gm,
    ),
  ];
  return starts.map((start) => {
    const [whole, word = '', name = ''] = start;
    const kind = word.startsWith('function')
      ? 'function'
      : word === 'class'
        ? 'class'
        : /const|let/.test(word)
          ? 'const'
          : 'type';
    const rest = text.slice(start.index + whole.length);
    const end =
      /^\S/m.exec(rest.slice(rest.indexOf('\n') + 1).replace(/^[)}\]].*$/gm, ' $&'))?.index ??
      rest.length;
    return { file, kind, name, text: whole + rest.slice(0, rest.indexOf('\n') + 1 + end) };
  });
}
