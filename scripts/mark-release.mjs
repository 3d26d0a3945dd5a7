/**
 * Leaves `dist/release.json` in a package that `npm publish` makes, and in no other: projects that it creates depend on
 * its version in the registry, those of every other copy on the copy itself (source/new/create-project.ts).
 */
import { writeFileSync } from 'node:fs';
import process from 'node:process';

if (process.env.npm_command === 'publish') {
  const version = process.env.npm_package_version;
  writeFileSync(
    new URL('../dist/release.json', import.meta.url),
    `${JSON.stringify({ version })}\n`,
  );
}
