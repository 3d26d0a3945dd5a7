import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';
import { measurePaths, type Paths } from '../helpers/size/measure-paths.ts';
import { measureRoom, measureWhole } from '../helpers/size/measure-size.ts';
import {
  findRises,
  type Measure,
  readRows,
  type SizeRow,
  writeRows,
} from '../helpers/size/size-table.ts';

/** Set by `npm run size`: why figures may rise, or nothing where they may only fall. */
const reason = process.env['CAPIX_SIZE'];

const toPlaces = ({ label }: SizeRow): readonly string[] =>
  [...label.matchAll(/`([^`]+)`/g)].map(([, at = '']) => at);

function expectNoRise(title: string, measure: Measure): void {
  if (reason !== undefined) writeRows(title, measure, reason);
  expect(
    findRises(title, measure),
    "A figure of docs/internals/architecture.md may only fall. Make it smaller, or run npm run size -- '<why it must grow>'.",
  ).toEqual([]);
}

describe('in the tables of docs/internals/architecture.md', () => {
  it('every folder of the tool and the library is in a room', () => {
    const rooms = readRows('Rooms').flatMap(toPlaces);
    const folders = ['source', 'server-runtime'].flatMap((parent) =>
      readdirSync(join(packageRoot, parent)).map((name) => `${parent}/${name}`),
    );
    expect(folders.filter((folder) => !rooms.includes(folder))).toEqual([]);
    expect(rooms.filter((room) => !existsSync(join(packageRoot, room)))).toEqual([]);
  });

  it('no room has more files, lines or code than is written there', () => {
    expectNoRise('Rooms', (row) => ({ figures: measureRoom(toPlaces(row)) }));
  });

  it('the whole is no larger than is written there', () => {
    const whole = measureWhole();
    expect(readRows('The whole').map(({ label }) => label)).toEqual(Object.keys(whole));
    expectNoRise('The whole', ({ label }) => ({ figures: [whole[label] ?? 0] }));
  });
});

describe('a path through the code', () => {
  let measured: Promise<Paths> | undefined;
  const findPaths = (): Promise<Paths> => (measured ??= measurePaths());

  it('passes no more files than is written there', async () => {
    const paths = await findPaths();
    expect(readRows('Paths').map(({ label }) => label)).toEqual(Object.keys(paths));
    expectNoRise('Paths', ({ label }) => {
      const passes = paths[label] ?? [];
      const any = [...new Set(passes.flatMap((pass) => [...pass]))];
      return {
        figures: countApart(any),
        least: countApart(any.filter((file) => passes.every((pass) => pass.has(file)))),
      };
    });
  });

  it('has run the files that the page names', async () => {
    const paths = await findPaths();
    const named = readNamedFiles();
    expect(Object.keys(named)).toEqual(Object.keys(paths));
    for (const [name, files] of Object.entries(named)) {
      expect(files.length, name).toBeGreaterThan(5);
      const passes = paths[name] ?? [];
      expect(
        files.filter((file) => !passes.some((pass) => pass.has(file))),
        name,
      ).toEqual([]);
    }
  });

  it('has no file in a request that the page on requests does not name', async () => {
    const page = readFileSync(join(packageRoot, 'docs/internals/request-lifecycle.md'), 'utf8');
    const named = [...page.matchAll(/^\| `([\w/-]+\.ts)` \|/gm)].map(([, name = '']) =>
      toPath(name),
    );
    const passed = (await findPaths())['one request'] ?? [];
    const missing = passed.flatMap((pass) => [...pass].filter((file) => !named.includes(file)));
    expect(missing).toEqual([]);
    expect(named.filter((file) => !existsSync(join(packageRoot, file)))).toEqual([]);
  });
});

function countApart(files: readonly string[]): readonly number[] {
  const library = files.filter((file) => file.startsWith('server-runtime/')).length;
  return [files.length - library, library];
}

/** The files of each path that lead to its end on the page, until its first full stop. */
function readNamedFiles(): Readonly<Record<string, readonly string[]>> {
  const page = readFileSync(join(packageRoot, 'docs/internals/architecture.md'), 'utf8');
  const section = page.slice(page.indexOf('## Five paths'), page.indexOf('## One screen'));
  const paragraphs = section.matchAll(/^\*\*([^*]+)\*\*([^]*?)\.\s/gm);
  return Object.fromEntries(
    [...paragraphs].map(([, title = '', text = '']) => {
      const files = [...text.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, name = '']) => name);
      return [title.toLowerCase(), files.map(toPath)];
    }),
  );
}

/** Files of the library are named without their folder. */
function toPath(name: string): string {
  return existsSync(join(packageRoot, name)) ? name : join('server-runtime', name);
}
