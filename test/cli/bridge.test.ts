import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, type RunOptions, runCapix } from '../helpers/run-capix.ts';
import { buildApp } from './build-app.ts';

let app: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  app = await buildApp();
});
afterAll(() => app.remove());

function run(args: readonly string[], options: RunOptions = {}) {
  return runCapix(args, { ...options, entry: app.entry });
}

async function understood(...args: readonly string[]): Promise<unknown> {
  const { stdout, stderr } = await run(['echo', ...args]);
  expect(stderr).toBe('');
  return JSON.parse(stdout).data;
}

describe('options', () => {
  it.each([
    ['defaults', [], { header: [], json: false, plain: false, mode: 'fast', quiet: false }],
    [
      'a list given twice, leaving the operand alone',
      ['-H', 'a', '--header', 'b'],
      { header: ['a', 'b'] },
    ],
    ['a number', ['--limit', '12'], { limit: 12 }],
    ['a key of two words', ['--max-items=3'], { maxItems: 3 }],
    ['a value that looks like an unknown option', ['-o', '--weird'], { output: '--weird' }],
    [
      'a value after an equals sign that is an option',
      ['--output=--jsonish'],
      { output: '--jsonish' },
    ],
    ['a switch before an operand', ['--quiet'], { quiet: true }],
    ['one of the choices', ['--mode', 'slow'], { mode: 'slow' }],
  ])('understands %s', async (_, words, expected) => {
    expect(await understood(...words, 'items.list')).toMatchObject({
      options: expected,
      args: ['items.list', null],
    });
  });

  it.each([
    [
      'half a number',
      ['--limit', '12abc'],
      "option '--limit <limit>' argument '12abc' is invalid. Expected a number.",
    ],
    [
      'hexadecimal',
      ['--limit', '0x10'],
      "option '--limit <limit>' argument '0x10' is invalid. Expected a number.",
    ],
    [
      'a number the schema refuses',
      ['--limit', '0'],
      "option '--limit': Too small: expected number to be >=1",
    ],
    [
      'a number of two words that the schema refuses',
      ['--max-items', '10'],
      "option '--max-items': Too big: expected number to be <=9",
    ],
    [
      'no choice',
      ['--mode', 'slwo'],
      "option '--mode <mode>' argument 'slwo' is invalid. Allowed choices are fast, slow.",
    ],
    ['a missing value', ['-o'], "option '-o, --output <file>' argument missing"],
    [
      'another option as value',
      ['-o', '--json'],
      "option '-o, --output <file>' argument '--json' is invalid.",
    ],
    ['an unknown option', ['--outptu', 'x'], "unknown option '--outptu'"],
    ['the version, which is an option of the root', ['-v'], "unknown option '-v'"],
  ])('refuses %s with exit code 2, on stderr', async (_, words, message) => {
    const { stdout, stderr, exitCode } = await run(['echo', 'items.list', ...words]);
    // With `--json` among the words the message is in the document on stdout.
    expect(words.includes('--json') ? JSON.parse(stdout).error.message : stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('takes the options of a command only after its name', async () => {
    const { stderr, exitCode } = await run(['--quiet', 'echo', 'items.list']);
    expect(stderr).toBe(
      "error: unknown option '--quiet'\nRun `capix --help` to see how it is used.\n",
    );
    expect(exitCode).toBe(2);
  });

  it('asks for an option that the schema needs', async () => {
    const { stderr, exitCode } = await run(['save']);
    expect(stderr).toBe(
      "error: option '--output': Invalid input: expected string, received undefined\nRun `capix save --help` to see how it is used.\n",
    );
    expect(exitCode).toBe(2);
  });

  it('suggests the nearest option', async () => {
    expect((await run(['echo', 'x', '--outptu', 'y'])).stderr).toContain(
      'Did you mean `--output`?',
    );
  });
});

describe('commands and operands', () => {
  it.each([
    [['ehco'], "unknown command 'ehco'", 'Did you mean `echo`?'],
    [['group', 'ad'], "unknown command 'ad'", 'Did you mean `add`?'],
    [['zzzzzz'], "unknown command 'zzzzzz'", 'Run `capix --help` to see how it is used.'],
    [
      ['echo'],
      "missing required argument 'capability'",
      'Run `capix echo --help` to see how it is used.',
    ],
    [
      ['group', 'add'],
      "missing required argument 'group'",
      'Run `capix group add --help` to see how it is used.',
    ],
    [
      ['echo', 'a', 'b', 'c'],
      'too many arguments',
      'Run `capix echo --help` to see how it is used.',
    ],
  ])('answers %j with exit code 2 and what to do', async (words, message, hint) => {
    const { stdout, stderr, exitCode } = await run(words);
    expect(stdout).toBe('');
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).toContain(hint);
    expect(exitCode).toBe(2);
  });

  it.each([
    [
      ['group', 'add', 'list'],
      ['list', null],
    ],
    [
      ['g', 'a', 'items', 'list'],
      ['items', 'list'],
    ],
    [
      ['e', 'items.list', '{"id":"1"}'],
      ['items.list', '{"id":"1"}'],
    ],
    [
      ['echo', '--', '--json'],
      ['--json', null],
    ],
  ])('runs %j', async (words, args) => {
    const { stdout, exitCode } = await run(words);
    expect(JSON.parse(stdout).data.args).toEqual(args);
    expect(exitCode).toBe(0);
  });

  it('prints the help of a group without a command on stderr, with exit code 2', async () => {
    const { stdout, stderr, exitCode } = await run(['group']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain('add|a');
  });
});

describe('help', () => {
  it('groups the commands in a fixed order, and names each by one line', async () => {
    const { stdout, exitCode } = await run(['--help']);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^\w+:$/gm)).toEqual([
      'Options:',
      'Project:',
      'Inspect:',
      'Generate:',
      'Example:',
    ]);
    expect(stdout).toContain('echo|e [options] <capability> [input]');
  });

  it('is the same at the root, as a command and from no command at all', async () => {
    const [asOption, asCommand, alone] = await Promise.all([
      run(['--help']),
      run(['help']),
      run([]),
    ]);
    expect(asCommand).toEqual(asOption);
    expect(alone).toEqual(asOption);
  });

  it('ends with examples, once', async () => {
    const { stdout } = await run(['echo', '--help']);
    expect(stdout).toMatch(
      /\nExamples:\n {2}\$ capix echo items\.list\n {2}\$ capix echo items\.list -H a -H b\n$/,
    );
    expect((await run(['--help'])).stdout.match(/Example:/g)).toHaveLength(1);
  });

  it('reads the operands as the command says them', async () => {
    expect((await run(['group', 'add', '--help'])).stdout).toContain(
      'Usage: capix group add|a [options] [group] <name>\n',
    );
  });

  it('says defaults and choices, but not that a switch is off', async () => {
    const { stdout } = await run(['echo', '--help']);
    expect(stdout).toContain('How fast (choices: "fast", "slow", default: "fast")');
    expect(stdout).toMatch(/--quiet +Say less\n/);
    expect(stdout).toMatch(/-H, --header <headers?> +A header\n/);
  });
});

describe('failures', () => {
  it('prints message, frame and hint on stderr', async () => {
    expect(await run(['fail', 'known'])).toEqual({
      stdout: '',
      stderr: 'error: No project here.\n> 1 | import\nRun `capix new`.\n',
      exitCode: 1,
    });
  });

  it('prints one JSON document on stdout with --json', async () => {
    const { stdout, stderr, exitCode } = await run(['fail', 'known', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: { code: 'NoProject', message: 'No project here.', hint: 'Run `capix new`.' },
    });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
  });

  it('says wrong usage as JSON too', async () => {
    const { stdout, exitCode } = await run(['ehco', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: { code: 'Usage', message: "unknown command 'ehco'", hint: 'Did you mean `echo`?' },
    });
    expect(exitCode).toBe(2);
  });

  it('reports a defect without its stack and without its escape sequences', async () => {
    const { stdout, stderr, exitCode } = await run(['fail', 'defect']);
    expect(stderr).toBe('error: Broken red\nSet CAPIX_DEBUG=1 to see where it came from.\n');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  });

  it('repeats what was typed without its escape sequences', async () => {
    expect((await run(['\u001B[31mecho'])).stderr).toContain("error: unknown command 'echo'\n");
    expect((await run(['echo', 'a', '--\u001B]0;title\u0007x'])).stderr).toContain(
      "error: unknown option '--x'\n",
    );
  });

  it('shows the stack of a defect with CAPIX_DEBUG', async () => {
    expect((await run(['fail', 'defect'], { env: { CAPIX_DEBUG: '1' } })).stderr).toMatch(
      /Error: Broken red\n\s+at /,
    );
  });

  it('reports a thrown value that is not an error', async () => {
    expect((await run(['fail', 'text'])).stderr).toContain('error: only text\n');
  });
});

describe('the end of the process', () => {
  it('has the exit code that the command returned', async () => {
    expect((await run(['fail', 'code'])).exitCode).toBe(7);
  });

  it('comes although a timer is still running', async () => {
    expect((await run(['fail', 'open'])).exitCode).toBe(0);
  });

  it('comes after a slow reader has read everything', async () => {
    const { stdout } = await run(['fail', 'flood']);
    expect(stdout).toHaveLength(16 * 200_000);
  });

  it('is quiet where the reader goes away', async () => {
    const { stdout, stderr } = await execa(
      'bash',
      ['-c', '"$0" "$1" fail flood | head -1', process.execPath, app.entry],
      {
        env: cleanEnvironment(),
        extendEnv: false,
      },
    );
    expect({ stdout, stderr }).toEqual({ stdout: '0123456789abcde', stderr: '' });
  });

  it('says why the output could not be written, without a stack', async () => {
    const { stderr, exitCode } = await execa(
      'bash',
      ['-c', '"$0" "$1" fail flood >/dev/full', process.execPath, app.entry],
      { env: cleanEnvironment(), extendEnv: false, reject: false },
    );
    expect(stderr).toBe(
      'error: The output could not be written: ENOSPC: no space left on device, write.',
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'waits for a command that asked for the interrupt: %s gives %i',
    async (signalName, exitCode) => {
      const child = execa(process.execPath, [app.entry, 'fail', 'wait'], {
        reject: false,
        env: cleanEnvironment(),
        extendEnv: false,
      });
      child.stdout.once('data', () => child.kill(signalName));
      const result = await child;
      expect({ stdout: result.stdout, exitCode: result.exitCode }).toEqual({
        stdout: 'waiting\nstopped',
        exitCode,
      });
    },
  );

  it('is quiet where the command was aborted by the interrupt', async () => {
    const child = execa(process.execPath, [app.entry, 'fail', 'abort'], {
      reject: false,
      env: cleanEnvironment(),
      extendEnv: false,
    });
    child.stdout.once('data', () => child.kill('SIGINT'));
    const { stdout, stderr, exitCode } = await child;
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'waiting', stderr: '', exitCode: 130 });
  });

  it('comes at once on the second interrupt', async () => {
    const child = execa(process.execPath, [app.entry, 'fail', 'stubborn'], {
      reject: false,
      env: cleanEnvironment(),
      extendEnv: false,
    });
    child.stdout.on('data', () => child.kill('SIGINT'));
    const { stdout, exitCode } = await child;
    expect({ stdout, exitCode }).toEqual({ stdout: 'waiting\nnot yet', exitCode: 130 });
  });
});
