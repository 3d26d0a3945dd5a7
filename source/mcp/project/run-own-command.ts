import { join } from 'node:path';
import { defineError } from '../../../server-runtime/errors/define-error.ts';
import type { Project } from '../../manifest/project.ts';
import { packageRoot } from '../../package-root.ts';
import { nodeBinary } from '../../terminal/terminal.ts';

interface Envelope {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    /** The status that the API answers a call with. */
    readonly status?: number;
    readonly meta?: object;
  };
}

/**
 * Runs a command of this tool on a project in a process of its own, so that it sees the code as it is now, and gives
 * the `data` of its JSON.
 *
 * @throws FrameworkError with the code, the message and the hint of the command's error, and the status of a call, else
 * 400
 */
export async function runOwnCommand({ root, entryFile }: Project, words: readonly string[]): Promise<unknown> {
  const { execa } = await import('execa');
  const [command = '', ...rest] = words;
  const options = command === 'generate' ? ['--json'] : ['--json', '--config', entryFile];
  const at = rest.indexOf('--');
  const args =
    at === -1 ? [command, ...rest, ...options] : [command, ...rest.slice(0, at), ...options, ...rest.slice(at)];
  const entry = join(packageRoot(), 'dist', 'cli.cjs');
  const { stdout, stderr } = await execa(nodeBinary, [entry, ...args], { cwd: root, stdin: 'ignore', reject: false });
  const { ok, data, error } = parse(stdout, stderr);
  if (ok) return data;
  const { code = 'Failed', message = '', hint, status = 400, meta } = error ?? {};
  throw defineError(status, code)(
    [message, hint].filter(Boolean).join(' '),
    meta === undefined ? undefined : { ...meta },
  );
}

function parse(stdout: string, stderr: string): Envelope {
  try {
    return JSON.parse(stdout) as Envelope;
  } catch {
    return { ok: false, error: { code: 'NoJson', message: stderr.slice(-2000) || stdout.slice(-2000) } };
  }
}
