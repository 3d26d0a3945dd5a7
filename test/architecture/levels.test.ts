import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { libraryLevels, toolLevels } from '../../oxlint.config.mjs';
import { packageRoot } from '../helpers/run-capix.ts';

/** What paths on the pages are relative to. */
const rooms = ['', 'server-runtime', 'server-runtime/rest', 'server-runtime/http'];

it('lint knows every room of the library, and no other', () => {
  expect(libraryLevels.flat().toSorted()).toEqual(findFolders('server-runtime'));
});

it('lint knows the shared rooms of the tool by names that are folders', () => {
  expect(
    toolLevels.flat().filter((room) => !findRooms('source').includes(`source/${room}`)),
  ).toEqual([]);
});

it('no room holds more than twenty files', () => {
  // The folder of the commands itself is the command line: a file a command.
  const rooms = ['source', 'server-runtime'].flatMap((folder) => [folder, ...findRooms(folder)]);
  rooms.push(...findRooms('commands'));
  expect(rooms.filter((room) => countFiles(room) > 20)).toEqual([]);
});

it('tests of the tool lie in the folders of what they test', () => {
  const hasTests = (folder: string) =>
    readdirSync(join(packageRoot, folder)).some((name) => name.includes('.test.'));
  const folders = findRooms('test/source').filter(hasTests);
  expect(folders.length).toBeGreaterThan(0);
  expect(folders.filter((folder) => !existsSync(join(packageRoot, folder.slice(5))))).toEqual([]);
});

it('AGENTS.md states the levels that lint enforces', () => {
  const [, stated = ''] =
    /each level imports only lower ones: ([^.]+)\./.exec(read('AGENTS.md')) ?? [];
  expect(stated.split('·').map(toRooms)).toEqual(libraryLevels);
});

it('docs/internals/architecture.md states the levels that lint enforces', () => {
  const rows = [...read('docs/internals/architecture.md').matchAll(/^\| (\d+) \| ([^|]+) \|/gm)];
  const levels = rows.map(([, , rooms = '']) => toRooms(rooms));
  expect(levels).toEqual([...libraryLevels, ...toolLevels]);
  const numbers = [libraryLevels, toolLevels].flatMap((each) =>
    each.map((_, level) => String(level)),
  );
  expect(rows.map(([, number]) => number)).toEqual(numbers);
});

it('AGENTS.md names every shared room of the tool', () => {
  expect(
    toolLevels.flat().filter((room) => !read('AGENTS.md').includes(`| \`source/${room}/\` |`)),
  ).toEqual([]);
});

it.each([
  'AGENTS.md',
  'docs/internals/architecture.md',
  'docs/internals/request-lifecycle.md',
  'docs/internals/performance.md',
])('every source file and folder that %s names is there', (page) => {
  const named = [
    ...read(page).matchAll(/`([\w/-]+\.(?:ts|tsx|mjs)|(?:source|server-runtime)\/[\w/-]*)`/g),
  ].map(([, path = '']) => path);
  const isThere = (path: string) => rooms.some((room) => existsSync(join(packageRoot, room, path)));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

/** `` `input` `execution` `` or `` `input execution` `` as names. */
function toRooms(text: string): readonly string[] {
  return text.match(/[\w/]+/g) ?? [];
}

function findFolders(path: string): readonly string[] {
  const entries = readdirSync(join(packageRoot, path), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** The folders below a folder, at any depth. */
function findRooms(folder: string): readonly string[] {
  return findFolders(folder).flatMap((name) => [
    `${folder}/${name}`,
    ...findRooms(`${folder}/${name}`),
  ]);
}

function countFiles(room: string): number {
  return readdirSync(join(packageRoot, room), { withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;
}

function read(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}
