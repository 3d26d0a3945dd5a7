import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

/** A variable of a module that may change: one that can be assigned, or a collection that is made empty. */
const changing =
  /^(?:export )?(?:let (\w+)|const (\w+)[^=\n]*= new (?:(?:Weak)?(?:Map|Set)|AsyncLocalStorage)\b(?:<[^()]*>)?\(\))/gm;

const findState = (path: string, text: string): readonly string[] =>
  [...text.matchAll(changing)].map(
    ([, variable, collection]) => `${variable ?? collection} ${path}`,
  );

it('modules of the library hold no state but what docs/internals/architecture.md names', () => {
  const page = readFileSync(join(packageRoot, 'docs/internals/architecture.md'), 'utf8');
  const [, section = ''] = page.split('## State of the process\n');
  const [table = ''] = section.split('\n## ');
  const named = [...table.matchAll(/^\| `(\w+)` \| `([\w./-]+)` \| \w/gm)].map(
    ([, name, path]) => `${name} ${path}`,
  );
  const root = join(packageRoot, 'server-runtime');
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => findState(path, readFileSync(join(root, path), 'utf8')));
  expect(found.toSorted()).toEqual(named.toSorted());
});

it.each([
  ['let calls: Storage | undefined;', ['calls a.ts']],
  ['export let count = 0;', ['count a.ts']],
  ['const states = new WeakMap<object, State>();', ['states a.ts']],
  ['export const sinks: WeakMap<object, Sink> = new WeakMap();', ['sinks a.ts']],
  ['export const calls = new AsyncLocalStorage<{\n  readonly call: Call;\n}>();', ['calls a.ts']],
  ["const verbs: ReadonlySet<string> = new Set(['get']);", []],
  ['function run() {\n  let count = 0;\n}', []],
])('state is found where it stands: %j', (text, state) => {
  expect(findState('a.ts', text)).toEqual(state);
});
