#!/usr/bin/env node
// An old Node must be able to read this file, be it as a module or as CommonJS, to say what is wrong: there is no syntax in it that came after
// ES2015 but `import()`, and it imports nothing before the check. The build only takes the types out.

/** As `engines` in package.json. */
const oldest = { major: 20, minor: 19 };

function isTooOld(version: string): boolean {
  const major = Number(version.split('.')[0]);
  const minor = Number(version.split('.')[1]);
  return major < oldest.major || (major === oldest.major && minor < oldest.minor);
}

function tellTooOld(version: string): void {
  const message = `capix needs Node ${oldest.major}.${oldest.minor} or newer. This is Node ${version}, ${process.execPath}`;
  if (process.argv.indexOf('--json') === -1) process.stderr.write(`error: ${message}\n`);
  else process.stdout.write(`${JSON.stringify({ ok: false, error: { code: 'OldNode', message } }, undefined, 2)}\n`);
  process.exitCode = 1;
}

if (isTooOld(process.versions.node)) tellTooOld(process.versions.node);
else void import('./source/cli/start.ts').then(({ start }) => start(process.argv));
