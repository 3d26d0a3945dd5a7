import { expect, it, onTestFinished } from 'vitest';
import { capability, createServer } from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { connectToUrl } from '../../helpers/connect-to-tools.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const done = capability(() => 'done');
const jobs = {
  findAndDeleteJob: done,
  getOrCreate: done,
  createOrReplace: done,
  getJobs: done,
  createJob: done,
  readAndClear: done.tool({ readOnly: true }),
};

it('a tool whose name says more than its first word is never said to read or to add only, unless it is declared', async () => {
  const log = recordLog();
  const server = createServer({
    capabilities: { jobs },
    transports: [mcpTransport({ port: 0 })],
    logger: log,
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const client = await connectToUrl(started?.url ?? '');
  const { tools } = await client.listTools();
  expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual({
    jobs_findAndDeleteJob: { destructiveHint: true },
    jobs_getOrCreate: { destructiveHint: true },
    jobs_createOrReplace: { destructiveHint: true },
    jobs_getJobs: { readOnlyHint: true },
    jobs_createJob: { destructiveHint: false },
    jobs_readAndClear: { readOnlyHint: true },
  });
  expect(log.warnings.filter((line) => line.includes('alone'))).toEqual(
    [
      ['jobs.findAndDeleteJob', 'find', 'delete'],
      ['jobs.getOrCreate', 'get', 'create'],
      ['jobs.createOrReplace', 'create', 'replace'],
      ['jobs.readAndClear', 'read', 'clear'],
    ].map(
      ([key, first, verb]) =>
        `[capix] The route of \`${key}\` follows from \`${first}\` alone, although its name also says \`${verb}\`. Rename it after what it changes.`,
    ),
  );
});
