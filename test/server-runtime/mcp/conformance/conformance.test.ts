import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it, onTestFinished } from 'vitest';
import { createServer, silentLogger } from '../../../../server-runtime/index.ts';
import { mcpTransport } from '../../../../server-runtime/mcp/index.ts';
import { everythingOffers as offers } from './everything-offers.ts';
import { everythingTools as tools } from './everything-tools.ts';

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const allowNode20 = new URL('allow-node-20.mjs', import.meta.url).href;

async function serve(): Promise<string> {
  const transports = [mcpTransport({ port: 0 })];
  const server = createServer({
    capabilities: { tools, offers },
    transports,
    logger: silentLogger,
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return started?.url ?? '';
}

/** The scenarios of one revision, each with whether it passes. */
async function run(url: string, revision: string): Promise<ReadonlyMap<string, boolean>> {
  const args = ['--import', allowNode20, suite, 'server', '--url', url, '--requirements', revision];
  const { stdout } = await execa(process.execPath, args, { reject: false });
  const [, summary = stdout] = stdout.split('=== SUMMARY ===');
  return new Map(
    [...summary.matchAll(/^([✓✗]) ([\w-]+): /gm)].map(([, mark, name = '']) => [
      name,
      mark === '✓',
    ]),
  );
}

/** The scenarios that docs/mcp.md says are left, for one revision. */
async function readLeft(revision: string): Promise<readonly string[]> {
  const page = await readFile(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Conformance');
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `') && line.includes(revision));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
  );
}

// The suite waits most of its time, so both revisions are asked side by side; on a busy machine a run takes half a minute.
it('passes the scenarios of both revisions, but for those that the documentation names', async () => {
  const url = await serve();
  const counts = { '2025-11-25': 33, '2026-07-28': 50 };
  const told = Object.entries(counts).map(async ([revision, count]) => {
    const results = await run(url, revision);
    const left = [...results].filter(([, passes]) => !passes).map(([name]) => name);
    expect([revision, results.size, left.sort()]).toEqual([
      revision,
      count,
      [...(await readLeft(revision))].sort(),
    ]);
  });
  await Promise.all(told);
});
