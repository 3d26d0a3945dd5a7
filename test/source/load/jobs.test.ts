import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkProject } from '../../../source/check/check-project.ts';
import { loadCheckedManifest } from '../../../source/check/rules/load-checked-manifest.ts';
import { compare } from '../../../source/contract/compare.ts';
import { readJobs } from '../../../source/document/operations/read-operations.ts';
import { filterRows } from '../../../source/kit/row.ts';
import { toListText } from '../../../source/list/list-command.ts';
import { toListTable } from '../../../source/list/list-rows.ts';
import { toShowText } from '../../../source/list/show-rows.ts';
import { readRegistry } from '../../../source/load/read-registry.ts';
import { describeApi } from '../../../source/manifest/describe-api.ts';
import type { LoadedRegistry } from '../../../source/manifest/loaded-registry.ts';
import {
  type Manifest,
  toCapabilities,
  toJobs,
  toListed,
} from '../../../source/manifest/manifest.ts';
import { toLockText } from '../../../source/sides/lock-file.ts';
import { toProjectDocsText } from '../../../source/written/docs/docs-text.ts';
import { loadAiContextText } from '../../../source/written/load-ai-context-text.ts';
import { packageRoot } from '../../helpers/run-capix.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const options = `{
  'emails.send': { maxJobs: 5, attempts: 3, backoffMs: 500, rate: { limit: 100, windowMs: 60_000 } },
  'reports.nightly': { attempts: 1, repeat: { cron: '0 3 * * *', timezone: 'Europe/Berlin', input: { days: 1 } } },
}`;

const EMAIL = 'z.object({ to: z.string(), copies: z.number().default(1) })';

function toCode(jobs = options, email = EMAIL): string {
  return `
import { capability } from '${packageRoot}/server-runtime/index.ts';
import { queueTransport } from '${packageRoot}/server-runtime/queue/index.ts';
import * as z from 'zod';

const send = capability(${email}, ({ to }) => to).describe('Sends one e-mail.');
const nightly = capability(z.object({ days: z.number() }), ({ days }) => days);
const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id }));
export const capabilities = { users: { getUser }, emails: { send } };
export const jobs = queueTransport({ capabilities: { emails: { send }, reports: { nightly } }, jobs: ${jobs} });
`;
}

/** Loads code as the commands do. */
async function load(
  code: string,
): Promise<{ readonly loaded: LoadedRegistry; readonly manifest: Manifest }> {
  const root = await temporaryFolder();
  await mkdir(join(root, 'node_modules'));
  await symlink(
    join(packageRoot, 'node_modules', 'zod'),
    join(root, 'node_modules', 'zod'),
    'junction',
  );
  await writeTree(root, {
    'package.json': '{ "name": "mails", "type": "module" }\n',
    'capabilities.ts': code,
  });
  const entryFile = join(root, 'capabilities.ts');
  const loaded = await readRegistry({ root, name: 'mails', entryFile });
  return { loaded, manifest: await loadCheckedManifest(loaded) };
}

const { loaded, manifest } = await load(toCode());

describe('a project whose capabilities file exports a queue', () => {
  const show = (key: string): string => {
    const listed = toListed(manifest).find((each) => each.key === key);
    if (listed === undefined) throw new Error(key);
    return toShowText(listed, manifest);
  };

  it('lists its jobs after its capabilities, with how they run', () => {
    expect(toListText(toCapabilities(manifest), toJobs(manifest))).toBe(`Capabilities (2)

  users.getUser  GET   /users/:id    public
  emails.send    POST  /emails/send  public

Jobs (2)

  emails.send      JOB  5 at once, 3 attempts, 100 in 1 min    public
  reports.nightly  JOB  cron 0 3 * * *, 10 at once, 1 attempt  public
`);
  });

  it('finds them in the list of the screen by their words', () => {
    const { rows } = toListTable(toListed(manifest));
    const find = (query: string) => filterRows(rows, query).map(({ id }) => id);
    expect(find('job')).toEqual(['JOB emails.send', 'JOB reports.nightly']);
    expect(find('nightly')).toEqual(['JOB reports.nightly']);
    expect(find('get users')).toEqual(['users.getUser']);
  });

  it('shows a job, and of a route that it is a job, too', () => {
    expect(show('reports.nightly')).toContain('cron 0 3 * * * Europe/Berlin, with {"days":1}');
    expect(show('reports.nightly')).not.toContain('Route');
    expect(show('reports.nightly')).toMatch(/Guards +none; only code of the project adds the job/);
    expect(show('emails.send')).toMatch(/Guards +public/);
    expect(show('emails.send')).toMatch(/Route +POST \/emails\/send/);
    expect(show('emails.send')).toMatch(
      /Job +up to 5 at once in each process\n +3 attempts, 500 ms before the second/,
    );
    expect(show('emails.send')).toContain('up to 100 in 1 min in all processes');
  });

  it('has them in its document, its Markdown and its AI context', async () => {
    const { document } = describeApi(loaded);
    expect(document['x-jobs']).toMatchObject({
      'emails.send': {
        description: 'Sends one e-mail.',
        maxJobs: 5,
        rate: { limit: 100, windowMs: 60_000 },
      },
      'reports.nightly': {
        attempts: 1,
        repeat: { cron: '0 3 * * *', timezone: 'Europe/Berlin', input: { days: 1 } },
        input: { type: 'object', required: ['days'] },
      },
    });
    // The same input as that of the route.
    const body = {
      type: 'object',
      properties: { to: { type: 'string' }, copies: { type: 'number', default: 1 } },
    };
    expect(document['x-jobs']?.['emails.send']?.input).toEqual({ ...body, required: ['to'] });
    expect(document.paths['/emails/send']).toMatchObject({
      post: {
        requestBody: { content: { 'application/json': { schema: { ...body, required: ['to'] } } } },
      },
    });
    const markdown = toProjectDocsText(loaded);
    expect(markdown).toContain("### reports.nightly as a job\n\n`enqueue('reports.nightly', …)`");
    expect(markdown).toContain('| `days` | `number` | yes |');
    const context = JSON.parse(await loadAiContextText(loaded)) as {
      readonly jobs: readonly object[];
    };
    expect(context.jobs).toMatchObject([
      { key: 'emails.send', maxJobs: 5, source: 'capabilities.ts' },
      { key: 'reports.nightly', input: { type: 'object' } },
    ]);
  });

  it('keeps them in its lock file, and reads them from it', () => {
    const kept = JSON.parse(toLockText(manifest.document)) as object;
    expect(compare(kept, manifest.document).class).toBeUndefined();
    expect(readJobs(kept).map(({ key }) => key)).toEqual(['emails.send', 'reports.nightly']);
  });

  it('tells what a change does to the code that adds jobs', async () => {
    const jobs = options.replace("'0 3 * * *'", "'0 4 * * *'").replace('maxJobs: 5', 'maxJobs: 6');
    const email = 'z.object({ to: z.string(), copies: z.number(), subject: z.string() })';
    const { changed } = compare(
      manifest.document,
      (await load(toCode(jobs, email))).manifest.document,
    );
    const facts = changed.flatMap(({ key, route, changes }) =>
      changes.map(
        ({ rule, at, audience }) => `${key} ${route}: ${rule} ${at} for ${audience.join(' ')}`,
      ),
    );
    expect(facts).toContain(
      'emails.send POST /emails/send: input-field-required input.subject for http client agents',
    );
    expect(facts).toContain(
      'emails.send JOB emails.send: input-field-required input.subject for jobs',
    );
    expect(facts).toContain('emails.send JOB emails.send: job-settings-changed job for jobs');
    expect(facts).toContain(
      'reports.nightly JOB reports.nightly: job-settings-changed job.repeat for jobs',
    );
    const { 'emails.send': kept } = manifest.document['x-jobs'] ?? {};
    const fewer = { ...manifest.document, 'x-jobs': { 'emails.send': kept } };
    const { removed, class: worst } = compare(manifest.document, fewer);
    expect(removed).toMatchObject([
      { key: 'reports.nightly', changes: [{ rule: 'job-removed', class: 'breaking' }] },
    ]);
    expect(worst).toBe('breaking');
  });
});

it('a check tells of schedules that cannot run, and of inputs that no queue can keep', async () => {
  const jobs = "{ 'reports.nightly': { repeat: { cron: '61 * * * *' } } }";
  const code = toCode(jobs).replace('days: z.number()', 'days: z.number(), until: z.date()');
  const { manifest } = await load(code);
  const found = checkProject(manifest).problems.map(({ code, message }) => `${code}: ${message}`);
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^invalid-schedule: The schedule of `reports.nightly`, `61 \* \* \* \*`, cannot be read/,
      ),
      expect.stringMatching(
        /^invalid-schedule: `reports.nightly` is repeated with an input that does not fit/,
      ),
      expect.stringMatching(
        /^unsendable-field: `reports.nightly` takes the type `date` in `until`/,
      ),
    ]),
  );
});
