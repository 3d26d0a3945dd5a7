import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledLibraryNames, findFolder, readLicenseText } from './bundle-libraries.mjs';

/**
 * The text of `dist/BUNDLED.md`: the packages whose code is in `dist/`, with their versions, so that an advisory can be
 * looked for, and their licences, which must be part of each copy. `inputs` are the files that went into the tool.
 */
export async function toBundledText(root, inputs) {
  const folders = new Set([
    ...[...inputs].flatMap((file) => findPackageFolder(file) ?? []).map((each) => join(root, each)),
    ...(await findLibraryFolders(root, bundledLibraryNames)),
  ]);
  const packages = await Promise.all([...folders].map(readPackage));
  // One of a version may lie in several folders.
  const unique = [...new Map(packages.map((each) => [each.title, each])).values()];
  const sorted = unique.toSorted((one, other) => (one.title < other.title ? -1 : 1));
  return [
    '# Packages whose code is in this one',
    'The build writes this file. The code of the library that a server imports, and of the command.',
    '| Package | License |\n|---|---|',
    sorted.map(({ title, license }) => `| ${title} | ${license} |`).join('\n'),
    ...sorted.map(({ title, text }) => `## ${title}\n\n~~~text\n${text}\n~~~`),
    '',
  ]
    .join('\n\n')
    .replace('|---|---|\n\n', '|---|---|\n');
}

/** `node_modules/@a/b` for `node_modules/@a/b/index.js`; of one inside another, the inner one. */
function findPackageFolder(file) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replace(/^[\w-]+:/, ''))?.[0];
}

/** Those of the library and what they depend on. */
async function findLibraryFolders(root, names) {
  const folders = await Promise.all(
    names.map(async (name) => {
      const folder = findFolder(root, name);
      const { dependencies = {} } = JSON.parse(
        await readFile(join(folder, 'package.json'), 'utf8'),
      );
      return [folder, ...(await findLibraryFolders(root, Object.keys(dependencies)))];
    }),
  );
  return folders.flat();
}

async function readPackage(folder) {
  const {
    name,
    version,
    license = 'see below',
    author,
  } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const text = await readLicenseText(folder);
  const by = typeof author === 'object' ? author?.name : author;
  const words = `Licensed under ${license}, as its package.json says; copyright ${by ?? `the authors of ${name}`}.`;
  return { title: `${name} ${version}`, license, text: (text ?? words).trim() };
}
