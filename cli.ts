#!/usr/bin/env node
// An old Node must be able to read this file to say what is wrong: there is no syntax in it that came after ES2015 but
// `import()`, and it imports nothing before the check. The build makes one CommonJS file of it and of what starts
// nothing: `--version` is printed before Node loads its loader of modules.

/** As `engines` in package.json, which says 20.19. */
function isTooOld(version: string): boolean {
  const parts = version.split('.').map(Number);
  return Number(parts[0]) * 1000 + Number(parts[1]) < 20019;
}

function tellTooOld(version: string): void {
  const message = `capix needs Node 20.19 or newer. This is Node ${version}, ${process.execPath}`;
  if (process.argv.indexOf('--json') === -1) process.stderr.write(`error: ${message}\n`);
  else
    process.stdout.write(
      `${JSON.stringify({ ok: false, error: { code: 'OldNode', message } }, undefined, 2)}\n`,
    );
  process.exitCode = 1;
}

function writeOut(text: string): void {
  process.stdout.write(text);
}

if (isTooOld(process.versions.node)) tellTooOld(process.versions.node);
else {
  void import('./source/cli/launch.ts').then(({ launch }) =>
    launch({
      argv: process.argv,
      workingDirectory: process.cwd(),
      ownCli: import.meta.filename,
      writeOut,
    }),
  );
}
