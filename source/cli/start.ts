import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import { optimizeLate } from '../terminal/engine/optimize-late.ts';
import { keepStdout, STDOUT_VARIABLE } from '../terminal/stdout/keep-stdout.ts';
import { enterFolder, terminal } from '../terminal/terminal.ts';
import { findProjectCli } from './find-project-cli.ts';
import { ownsStdout } from './owns-stdout.ts';
import { runCli } from './run-cli.ts';

/** Runs the command that `argv` names, in the copy of capix that the package has which `-w` names, and ends the process. */
export async function start(given: readonly string[]): Promise<void> {
  const argv = given.some((word) => WORKSPACE.test(word)) ? await enterWorkspace(given) : given;
  const packageCli = argv === given ? undefined : findOtherCli();
  if (packageCli !== undefined) return createRequire(import.meta.url)(packageCli);
  if (ownsStdout(argv) && !keepStdout()) {
    const { copyToDescriptor } = await import('../terminal/stdout/copy-to-descriptor.ts');
    if (!keepStdout(copyToDescriptor)) {
      const { runApart } = await import('../terminal/stdout/run-apart.ts');
      return runApart(argv, STDOUT_VARIABLE);
    }
  }
  if (!serving.has(argv[2] ?? '')) optimizeLate();
  await runCli(argv, import.meta);
}

/** Commands that run code of the project for as long as they are left running. */
const serving: ReadonlySet<string> = new Set(['mcp', 'start']);

const WORKSPACE = /^(-w|--workspace)(=|$)/;

/** Goes to the package that the words name, and gives the others; where there is none, the refusal is the command's. */
async function enterWorkspace(argv: readonly string[]): Promise<readonly string[]> {
  const { takeWorkspace } = await import('./workspace/take-workspace.ts');
  try {
    const taken = takeWorkspace(argv, terminal.workingDirectory());
    if (taken !== undefined) enterFolder(taken.folder);
    return taken?.argv ?? argv;
  } catch (thrown) {
    return runCli(argv, import.meta, thrown as Error);
  }
}

function findOtherCli(): string | undefined {
  return findProjectCli(terminal.workingDirectory(), join(packageRoot(), 'dist', 'cli.cjs'));
}
