import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

/** Paths of the page are relative to one of these. */
const rooms = ['', 'server-runtime', 'server-runtime/rest', 'server-runtime/http'];

/** Files that no file before them imports, each with the way in which it is reached. */
const handedOver: Readonly<Record<string, string>> = {
  'server-runtime/rest/request-handler.ts': 'the transport gives it to the listener',
  'commands/list.ts': 'Pastel finds commands by their files',
  'source/cli/run-command.ts': 'the command gives itself to it',
  'source/app/begin-at.ts': 'the command imports it before the screen',
  'source/app/start-at.tsx': 'the command imports it beside the screen',
  'source/dev/session/dev-session.ts': 'it listens to the watcher',
  'source/serve/dev-child.ts': 'it is the entry of another process',
  'source/load/child/project-loader-child.ts': 'it is the entry of another process',
  'source/load/project-state.ts': 'the hook of the screen takes what the watch reports',
};

const walks = readWalks();

it('there are five walks: a request, a command, a screen, a save, and a load of user code', () => {
  expect(walks.map(({ title }) => title)).toEqual([
    'One request',
    'One command',
    'One screen',
    'One save',
    'One load of user code',
  ]);
});

describe('docs/internals/architecture.md', () => {
  it.each(walks)('names in $title files that lead to each other', ({ files }) => {
    expect(files.length).toBeGreaterThan(7);
    const reached = new Set<string>();
    const unreached = files.filter((file, index) => {
      const isReached = index === 0 || reached.has(file) || file in handedOver;
      addImported(file, reached);
      return !isReached;
    });
    expect(unreached).toEqual([]);
  });

  it('says of no file that it is handed over which is on no walk, or is imported', () => {
    const all = new Set(walks.flatMap(({ files }) => files));
    expect(Object.keys(handedOver).filter((file) => !all.has(file))).toEqual([]);
  });
});

interface Walk {
  readonly title: string;
  /** Relative to the package, in the order of the page. */
  readonly files: readonly string[];
}

function readWalks(): readonly Walk[] {
  const page = readFileSync(join(packageRoot, 'docs/internals/architecture.md'), 'utf8');
  const section = page.slice(page.indexOf('## Five walks'), page.indexOf('## Decisions'));
  return [...section.matchAll(/^\*\*([^*]+)\*\*([^]*?)(?=\n\n|$(?![^]))/gm)].map(([, title = '', text = '']) => ({
    title,
    files: [...text.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, name = '']) => findFile(name)),
  }));
}

function findFile(name: string): string {
  const found = rooms.map((room) => join(room, name)).find((path) => existsSync(join(packageRoot, path)));
  return found ?? name;
}

/** Adds a file and all that it imports, directly or not. */
function addImported(file: string, reached: Set<string>): void {
  if (reached.has(file) || !existsSync(join(packageRoot, file))) return;
  reached.add(file);
  const text = readFileSync(join(packageRoot, file), 'utf8');
  for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g))
    addImported(join(dirname(file), path), reached);
}
