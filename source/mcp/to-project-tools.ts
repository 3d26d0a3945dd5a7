import { join } from 'node:path';
import * as z from 'zod';
import { capability } from '../../server-runtime/capability/capability-factory.ts';
import type { GroupTree } from '../../server-runtime/capability/group-tree.ts';
import { defineError } from '../../server-runtime/errors/define-error.ts';
import { readDevJournal, readServerState } from '../files/server-state.ts';
import type { Project } from '../manifest/project.ts';
import { packageRoot } from '../package-root.ts';
import { nodeBinary } from '../terminal/terminal.ts';

const Key = z
  .string()
  .regex(/^[\w.]+$/)
  .describe('Key of a capability, such as items.getItem');
const Last = z.object({ last: z.int().min(1).max(200).default(50).describe('The last so many') });
const Checked = z.object({
  agents: z.boolean().default(false).describe('Look for what keeps AI agents from using the tools, too'),
});
const Compared = z.object({
  before: z.string().regex(/^[^-]/).default('HEAD').describe('Git ref, file or URL of the contract as it was'),
});
const Generated = z.object({
  group: z.string().describe('Group, such as users or products/variants'),
  name: z.string().describe('Name, such as getUser; method and path follow from it'),
  withId: z.boolean().default(false).describe('Give it an input with an id'),
  dryRun: z.boolean().default(false).describe('Show what would be written, and write nothing'),
});
const Called = z.object({
  capability: Key,
  input: z.record(z.string(), z.unknown()).default({}),
  headers: z.record(z.string(), z.string()).default({}).describe('With a header the context is that of the project'),
  onServer: z.boolean().default(false).describe('Call the server of the capix dev that runs, over HTTP'),
});

/** The commands of the tool on a project, as capabilities: each runs its command and answers with its JSON. */
export function toProjectTools(project: Project): GroupTree {
  const run = (...words: readonly string[]) => runOwnCommand(project, words);
  return {
    list: capability(() => run('list'), 'query').describe(
      'List the capabilities: key, method, path, guards, source file.',
    ),
    show: capability(z.object({ capability: Key }), (input) => run('show', input.capability), 'query').describe(
      'Show one capability in full: input and output schemas, errors, guards, route, source file and line.',
    ),
    check: capability(Checked, ({ agents }) => run('check', ...(agents ? ['--agents'] : [])), 'query').describe(
      'Check routes, names, schemas and guards; each problem has a file, a line and a hint. Run it after every change.',
    ),
    diff: capability(Compared, ({ before }) => run('diff', before), 'query').describe(
      'Tell what changed for callers since a git ref, and whom it breaks.',
    ),
    generate: capability(
      Generated,
      ({ group, name, withId, dryRun }) => {
        const flags = [...(withId ? ['--input'] : []), ...(dryRun ? ['--dry-run'] : [])];
        return run('generate', 'capability', ...flags, '--', group, name);
      },
      'mutation',
    )
      .describe('Write the file of a new capability and its line in the index of its group. Nothing is replaced.')
      .tool({ destructive: false }),
    call: capability(
      Called,
      ({ capability: key, input, headers, onServer }) => {
        const sent = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
        return run('call', key, JSON.stringify(input), ...sent, ...(onServer ? ['--server'] : []));
      },
      'mutation',
    ).describe(
      'Call a capability with the code as it is now, in a process of its own, and give its answer or its error.',
    ),
    dev: capability(() => readState(project), 'query').describe(
      'Tell whether capix dev runs in the project, where it answers, and whether the newest code is the one that ' +
        'answers.',
    ),
    logs: capability(
      Last,
      ({ last }) => readJournal(project, { kinds: ['output', 'failed', 'exited', 'notice', 'ready'], last }),
      'query',
    ).describe('Read the log of the capix dev that runs: output of the code, starts, failures.'),
    requests: capability(Last, ({ last }) => readJournal(project, { kinds: ['request'], last }), 'query').describe(
      'Read the last requests to the capix dev that runs: method, URL, capability, status, time.',
    ),
  };
}

async function readState({ root }: Project): Promise<object> {
  return (await readServerState(root)) ?? { phase: 'not running' };
}

interface Wanted {
  readonly kinds: readonly string[];
  readonly last: number;
}

async function readJournal({ root }: Project, { kinds, last }: Wanted): Promise<readonly object[]> {
  const events = await readDevJournal(root);
  return events.filter(({ event }) => kinds.includes(String(event))).slice(-last);
}

/** The JSON of a command. */
interface Envelope {
  readonly ok: boolean;
  readonly data?: unknown;
  /** With the status that the API answers a call with. */
  readonly error?: { readonly code: string; message: string; hint?: string; status?: number; meta?: object };
}

/**
 * Runs a command of this tool on a project in a process of its own, so that it sees the code as it is now, and gives
 * the `data` of its JSON.
 *
 * @throws FrameworkError with the code, the message and the hint of the command's error, and the status of a call, else
 * 400
 */
async function runOwnCommand({ root, entryFile }: Project, words: readonly string[]): Promise<unknown> {
  const { execa } = await import('execa');
  const end = words.indexOf('--');
  const options = words[0] === 'generate' ? ['--json'] : ['--json', '--config', entryFile];
  const given = words.toSpliced(end === -1 ? words.length : end, 0, ...options);
  const args = [join(packageRoot(), 'dist', 'cli.cjs'), ...given];
  const { stdout, stderr } = await execa(nodeBinary, args, { cwd: root, stdin: 'ignore', reject: false });
  const { ok, data, error } = parse(stdout, stderr);
  if (ok) return data;
  const { code = 'Failed', message = '', hint, status = 400, meta } = error ?? {};
  throw defineError(status, code)([message, hint].filter(Boolean).join(' '), meta && { ...meta });
}

function parse(stdout: string, stderr: string): Envelope {
  try {
    return JSON.parse(stdout) as Envelope;
  } catch {
    return { ok: false, error: { code: 'NoJson', message: stderr.slice(-2000) || stdout.slice(-2000) } };
  }
}
