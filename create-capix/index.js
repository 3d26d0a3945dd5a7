#!/usr/bin/env node
// `npm create capix shop` is `capix new shop`: by the copy of capix that this package depends on.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const capix = dirname(createRequire(import.meta.url).resolve('capix/package.json'));
process.argv.splice(2, 0, 'new');
await import(pathToFileURL(join(capix, 'dist', 'cli.cjs')).href);
