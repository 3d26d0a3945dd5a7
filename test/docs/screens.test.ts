import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

const folder = join(packageRoot, 'docs', 'screens');
const pictures = readdirSync(folder);

function read(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}

it.each(pictures)('%s is a whole window: a title, a header and a key line', (name) => {
  const svg = read(`docs/screens/${name}`);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>\n$/);
  expect(svg).toMatch(/<title>capix/);
  expect(svg).toMatch(/<div><span><\/span><span style='color: #06989a;'> capix <\/span>/);
  expect(svg).toMatch(
    /<span style='color: #06989a; font-weight: bold;'>(q|Enter|Ctrl-T)<\/span><span>[^<]*<\/span>/,
  );
});

it.each(pictures)('%s shows nothing of the machine on which it was drawn', (name) => {
  expect(read(`docs/screens/${name}`)).not.toMatch(/\/tmp\/|\/home\/|\/Users\//);
});

it('every picture is shown on the page of the screens', () => {
  const page = read('docs/screens.md');
  expect(pictures.filter((name) => !page.includes(`(screens/${name})`))).toEqual([]);
});
