import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript-5.9';
import { expect, it } from 'vitest';
import config, { legibleRules } from '../../oxlint.config.mjs';

const names = Object.keys(legibleRules);

it('excuses no file of library and tool from a rule of legibility', () => {
  const others = config.overrides.filter(({ rules }) => rules !== legibleRules);
  expect(others.length).toBeLessThan(config.overrides.length);
  expect(others.filter(({ rules }) => names.some((name) => Object.hasOwn(rules, name)))).toEqual(
    [],
  );
});

/** Every file of code below some folders. */
function readSources(folders: readonly string[]) {
  const root = new URL('../../', import.meta.url);
  return folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
      .map((name) => `${folder}/${name}`)
      .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') })),
  );
}

it('switches none of these rules off by a comment', () => {
  const sources = readSources(['server-runtime', 'source', 'commands']);
  const disabled = new RegExp(`lint-disable.*(${names.join('|')})`);
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.filter(({ text }) => disabled.test(text))).toEqual([]);
});

/**
 * Participles that stand for whatever was just spoken of, and `who` for code. `come` is English before a place or an
 * order, and `who` after a person.
 */
const vague =
  /\b(?:told|kept|asked|said|given|news|olds|gone|come(?! (?:from|back|before|first|last)\b)|(?<!\b(?:users?|callers?|people|\w+body) )who)\b/i;

/** The comments of a file: whatever stands before or behind one of its tokens and is not code. */
function findComments(path: string, text: string): readonly ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const around = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    // A text in JSX may hold what looks like a comment.
    if (node.kind !== ts.SyntaxKind.JsxText)
      for (const range of around) found.set(range.pos, range);
    for (const child of node.getChildren(file)) visit(child);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  visit(file);
  return [...found.values()].toSorted((one, other) => one.pos - other.pos);
}

const findVague = (path: string, text: string): readonly string[] => {
  if (!vague.test(text)) return [];
  return findComments(path, text).flatMap(({ pos, end }) => {
    const first = text.slice(0, pos).split('\n').length;
    const lines = text.slice(pos, end).split('\n');
    return lines.flatMap((line, at) =>
      [...line.matchAll(new RegExp(vague, 'gi'))].map(([word]) => `${path}:${first + at} ${word}`),
    );
  });
};

/** Names with one of these participles in them. A job and a start are given up, which hooks and the JSON of `dev` say. */
const vagueNames =
  /\b(?:\w*(?:Told|Kept|Asked|Said|Given(?!Up)|News|Olds|Gone)(?![a-z])\w*|(?:told|kept|asked|said|given(?!Up)|gone)[A-Z]\w*)/g;

it('has no name of told, kept, asked, said, given or gone and something', () => {
  const named = readSources(['server-runtime', 'source', 'commands', 'scripts']).flatMap(
    ({ path, text }) => [...text.matchAll(vagueNames)].map(([name]) => `${path} ${name}`),
  );
  expect(named).toEqual([]);
});

it('says in no comment of library and tool what was told, kept, asked, given or gone', () => {
  const sources = readSources(['server-runtime', 'source', 'commands', 'scripts']);
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.flatMap(({ path, text }) => findVague(path, text))).toEqual([]);
});

it.each([
  ['/** The file that was asked for. */', ['a.ts:1 asked']],
  ['const a = 1;\n// Who draws it\n// is told.', ['a.ts:2 Who', 'a.ts:3 told']],
  ['/**\n * What has come,\n * and is gone.\n */', ['a.ts:2 come', 'a.ts:3 gone']],
  ['/** The names of users who may pass come from the token; others come last. */', []],
  ["const given = 'told'; // A name, and a text.", []],
])('a comment with a vague word is found where it stands: %j', (text, found) => {
  expect(findVague('a.ts', text)).toEqual(found);
});
