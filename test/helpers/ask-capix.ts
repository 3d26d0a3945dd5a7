import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanUp } from './clean-up.ts';
import { cleanEnvironment, packageRoot, type RunOptions, type RunResult } from './run-capix.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type AskOptions = Pick<RunOptions, 'cwd' | 'input' | 'env'>;

interface Question extends Required<AskOptions> {
  readonly args: readonly string[];
}

/** The process in which the commands run. */
interface Host {
  readonly run: (question: Question) => Promise<RunResult>;
  readonly end: () => Promise<unknown>;
}

const entry = fileURLToPath(new URL('capix-host.mjs', import.meta.url));
let host: Promise<Host> | undefined;
let lastAnswer: Promise<unknown> = Promise.resolve();

cleanUp.afterEachFile.add(endHost);

/**
 * Runs the built tool as `runCapix` does, but without a process of its own: one process runs all commands of a file of
 * tests, one after another, and loads the files of the project anew for each, which costs a tenth of the CPU. For tests
 * of what a command says and writes. What a process does as a whole is for `runCapix`: how it ends by itself or by code
 * of the project, signals, pipes, the options of Node. So is what it remembers: settings and packages that change
 * between two commands.
 */
export function askCapix(
  args: readonly string[],
  { cwd = packageRoot, input = '', env = {} }: AskOptions = {},
): Promise<RunResult> {
  const question = { args, cwd, input, env: { ...cleanEnvironment(), ...env } };
  const answer = lastAnswer.then(async () => {
    host ??= startHost();
    return (await host).run(question);
  });
  lastAnswer = answer.catch(endHost);
  return answer;
}

async function endHost(): Promise<void> {
  const ending = host;
  host = undefined;
  await (await ending)?.end();
}

async function startHost(): Promise<Host> {
  const folder = await temporaryFolder();
  const [stdout, stderr] = [join(folder, 'stdout'), join(folder, 'stderr')];
  const [data, messages] = [openSync(stdout, 'a'), openSync(stderr, 'a')];
  const child = spawn(process.execPath, [entry], {
    env: cleanEnvironment(),
    stdio: ['ignore', messages, messages, 'ipc', data],
  });
  const ended = once(child, 'exit');
  const failed = ended.then(([code, signal]) => {
    const text = readFileSync(stderr, 'utf8');
    throw new Error(`The process in which commands run has ended (${code ?? signal}):\n${text}`);
  });
  failed.catch(() => {});
  const next = (): Promise<unknown[]> => Promise.race([once(child, 'message'), failed]);
  await next();
  return {
    run: async (question) => {
      for (const file of [data, messages]) ftruncateSync(file);
      const answered = next();
      child.send(question);
      const [exitCode] = (await answered) as [number];
      return {
        stdout: readFileSync(stdout, 'utf8'),
        stderr: readFileSync(stderr, 'utf8'),
        exitCode,
      };
    },
    end: async () => {
      child.kill('SIGKILL');
      await ended;
      for (const file of [data, messages]) closeSync(file);
    },
  };
}
