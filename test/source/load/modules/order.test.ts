import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { createServerBundler } from '../../../../source/load/bundle/server-bundler.ts';
import { generatePrograms } from '../../../helpers/module-graphs.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const RUN = `
const traces = [];
for (const url of process.argv.slice(1)) {
  Object.assign(globalThis, { trace: [], later: [] });
  try { await import(url); await Promise.all(later); } catch (error) { trace.push(error.name + ' ends it'); }
  traces.push(trace);
}
console.log(JSON.stringify(traces));
`;

/** What each of the modules, by their URLs, writes down, one after the other in one process. */
async function traceEach(urls: readonly string[]): Promise<readonly (readonly string[])[]> {
  const { stdout } = await execa(process.execPath, ['--no-warnings', '--input-type=module', '-e', RUN, ...urls]);
  return JSON.parse(stdout) as string[][];
}

test('200 random programs run as Node runs them: circles, top-level await, CommonJS, JSON, packages', async () => {
  const programs = generatePrograms(200);
  const root = await temporaryFolder();
  await writeTree(root, Object.assign({ 'package.json': '{"type": "module"}' }, ...programs.map(({ files }) => files)));
  const entries = programs.map(({ entry }) => join(root, entry));
  const bundlers = entries.map((configFile) => createServerBundler({ root, name: 'programs', configFile }));
  const bundles = await Promise.all(bundlers.map((bundler) => bundler.bundle()));
  const urls = bundles.map((bundle) => (bundle.kind === 'bundled' ? bundle.url : bundle.failure.message));
  const [expected, traces] = await Promise.all([
    traceEach(entries.map((file) => pathToFileURL(file).href)),
    traceEach(urls),
  ]);
  await Promise.all(bundlers.map((bundler) => bundler.close()));
  const wrong = programs.flatMap((program, index) =>
    JSON.stringify(traces[index]) === JSON.stringify(expected[index])
      ? []
      : [{ ...program, url: urls[index], expected: expected[index], trace: traces[index] }],
  );
  // Two are enough to look at.
  expect(wrong.slice(0, 2)).toEqual([]);
  // Both ways of writing a program are among them.
  expect(urls.filter((url) => url.includes('m0.js-')).length).toBeGreaterThan(50);
  expect(urls.filter((url) => !url.includes('m0.js-')).length).toBeGreaterThan(20);
});
