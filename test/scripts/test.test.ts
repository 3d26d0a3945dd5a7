import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, packageRoot } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const names = [
  'format:check',
  'typecheck',
  'lint',
  'build',
  'check:docs',
  'check:api',
  'check:unused',
  'check:exports',
  'check:package-types',
  'vitest',
];

/** Stands in for vitest: prints its words, and counts tests where it is told to. */
const vitest = `
import { writeFileSync } from 'node:fs';
const words = process.argv.slice(2);
console.log('vitest got', words.filter((word) => !word.startsWith('--')).join(' '));
const report = words.find((word) => word.startsWith('--outputFile.json='))?.split('=')[1];
if (report) writeFileSync(report, JSON.stringify({ numPassedTests: 7, numFailedTests: 0, numPendingTests: 0 }));
`;

/** Runs `npm test` in a package whose checks pass but for those in `failing`. */
async function runTest(failing: readonly string[], words: readonly string[] = []) {
  const folder = await temporaryFolder();
  const script = (name: string) => (failing.includes(name) ? 'exit 3' : `echo ran ${name}`);
  const scripts = Object.fromEntries(names.map((name) => [name, script(name)]));
  if (!failing.includes('vitest')) scripts['vitest'] = 'node vitest.mjs';
  await writeTree(folder, {
    'package.json': JSON.stringify({ type: 'module', scripts }),
    'vitest.mjs': vitest,
  });
  const { exitCode, stdout } = await execa(
    process.execPath,
    [join(packageRoot, 'scripts', 'test.mjs'), ...words],
    {
      cwd: folder,
      env: cleanEnvironment(),
      extendEnv: false,
      reject: false,
    },
  );
  return { exitCode, lines: stdout.split('\n') };
}

describe('npm test', () => {
  it('runs every check, says what each took, and counts checks and tests on its last lines', async () => {
    const { exitCode, lines } = await runTest([]);
    expect(exitCode).toBe(0);
    for (const name of names.slice(0, -1)) expect(lines).toContain(`ran ${name}`);
    expect(lines.filter((line) => /^ {2}passed {3}\w.* \d+\.\d s$/.test(line))).toHaveLength(
      names.length,
    );
    expect(lines.at(-2)).toMatch(/^Checks: 10 passed, 0 failed or not run, in \d+\.\d s$/);
    expect(lines.at(-1)).toBe('Tests: 7 passed, 0 failed');
  });

  it('fails where checks fail, and still runs the rest', async () => {
    const { exitCode, lines } = await runTest(['format:check', 'lint']);
    expect(exitCode).toBe(1);
    expect(lines.filter((line) => line.startsWith('  failed '))).toHaveLength(2);
    expect(lines.at(-2)).toMatch(/^Checks: 8 passed, 2 failed/);
    expect(lines.at(-1)).toBe('Tests: 7 passed, 0 failed');
  });

  it('does not test what could not be built', async () => {
    const { exitCode, lines } = await runTest(['build']);
    expect(exitCode).toBe(1);
    expect(lines).toContain('ran check:unused');
    expect(lines.filter((line) => line.startsWith('  not run'))).toHaveLength(4);
    expect(lines.at(-1)).toBe('Tests: not run');
  });

  it('says so where the tests end before they are counted', async () => {
    const { exitCode, lines } = await runTest(['vitest']);
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toBe('Tests: vitest ended before it counted them');
  });

  it('runs only the tests that its words name', async () => {
    const { exitCode, lines } = await runTest(['lint'], ['test/docs', 'test/types']);
    expect({ exitCode, lines }).toEqual({
      exitCode: 0,
      lines: ['vitest got test/docs test/types'],
    });
  });
});
