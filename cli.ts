#!/usr/bin/env node
// An old Node must be able to read this file to say what is wrong: there is no syntax in it that came after ES2015 but
// `import()`, and it imports nothing before the check. The build makes one CommonJS file of it and of what starts
// nothing: `--version` is told before Node loads its loader of modules.

/** As `engines` in package.json. */
const oldest = { major: 20, minor: 19 };

function isTooOld(version: string): boolean {
  const major = Number(version.split('.')[0]);
  const minor = Number(version.split('.')[1]);
  return major < oldest.major || (major === oldest.major && minor < oldest.minor);
}

function tellTooOld(version: string): void {
  const needed = `${oldest.major}.${oldest.minor}`;
  const message = `capix needs Node ${needed} or newer. This is Node ${version}, ${process.execPath}`;
  if (process.argv.indexOf('--json') === -1) process.stderr.write(`error: ${message}\n`);
  else process.stdout.write(`${JSON.stringify({ ok: false, error: { code: 'OldNode', message } }, undefined, 2)}\n`);
  process.exitCode = 1;
}

function writeOut(text: string): void {
  process.stdout.write(text);
}

if (isTooOld(process.versions.node)) tellTooOld(process.versions.node);
else {
  void import('./source/cli/launch.ts').then(({ launch }) =>
    launch({ argv: process.argv, workingDirectory: process.cwd(), ownCli: import.meta.filename, writeOut }),
  );
}
