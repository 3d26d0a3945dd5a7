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
  expect(svg).toMatch(/<text [^>]*>capix<\/text>/);
  expect(svg).toMatch(/<text [^>]*font-weight="bold"[^>]*>(q|Enter|Ctrl-T)<\/text>/);
});

it.each(pictures)('%s is drawn of texts, which every viewer shows', (name) => {
  const svg = read(`docs/screens/${name}`);
  expect(svg).not.toMatch(/<foreignObject|<div|<image|<script/);
  expect(svg.match(/<text /g)?.length).toBeGreaterThan(20);
});

it('minute.svg moves: each frame is shown once, and the last one where nothing moves', () => {
  const svg = read('docs/screens/minute.svg');
  const names = new Set([...svg.matchAll(/<g class="(f\d+-\d+)"/g)].map(([, name = '']) => name));
  const frames = new Set([...names].flatMap((name) => name.slice(1).split('-').map(Number)));
  expect([...frames].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  for (const name of names) {
    expect(svg).toContain(`@keyframes ${name} `);
    const hidden = !name.endsWith('-7');
    expect(svg.includes(`<g class="${name}" transform`)).toBe(true);
    const groups = svg.match(new RegExp(`<g class="${name}"[^>]*>`, 'g')) ?? [];
    expect(groups.every((group) => group.includes('visibility="hidden"') === hidden)).toBe(true);
  }
  // What the picture is for: a request, a reload with a new route, a log line, and a break with those whom it concerns.
  for (const words of ['/orders/:id', 'Reloaded in', 'Order o-1001', 'This edit breaks'])
    expect(svg).toContain(words);
});

it.each(pictures.filter((name) => name === 'dev.svg' || name === 'minute.svg'))(
  '%s shows the log in use',
  (name) => {
    expect(read(`docs/screens/${name}`)).toMatch(/3 logs [1-9]/);
  },
);

it.each(pictures)('%s shows nothing of the machine on which it was drawn', (name) => {
  expect(read(`docs/screens/${name}`)).not.toMatch(/\/tmp\/|\/home\/|\/Users\//);
});

it('every picture is shown on the page of the screens', () => {
  const page = read('docs/screens.md');
  expect(pictures.filter((name) => !page.includes(`(screens/${name})`))).toEqual([]);
});
