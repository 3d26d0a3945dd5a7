import { build } from 'esbuild';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { cleanEnvironment, packageRoot } from '../../../helpers/run-capix.ts';

/** Counts the calls of a function until the engine has optimized it, without and then with `optimizeLate`. */
const counting = `
import { optimizeLate } from './source/terminal/engine/optimize-late.ts';
const isOptimized = new Function('f', 'return (%GetOptimizationStatus(f) & 16) !== 0');
function countCalls(sum) {
  let calls = 0;
  for (; !isOptimized(sum) && calls < 100_000; calls++) sum(10);
  return calls;
}
const toSum = () => new Function('n', 'let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum;');
const usual = countCalls(toSum());
optimizeLate();
console.log(JSON.stringify({ usual, late: countCalls(toSum()) }));
`;

it('lets a function run for longer before it is optimized on Node 20, and changes nothing on newer ones', async () => {
  const { outputFiles } = await build({
    stdin: { contents: counting, resolveDir: packageRoot, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const flags = ['--allow-natives-syntax', '--no-concurrent-recompilation', '--input-type=module'];
  const { stdout } = await execa(process.execPath, [...flags, '--eval', outputFiles[0]?.text ?? ''], {
    env: cleanEnvironment(),
    extendEnv: false,
  });
  const { usual, late } = JSON.parse(stdout) as { readonly usual: number; readonly late: number };
  const isOld = process.versions.node.startsWith('20.');
  expect(late / usual).toBeGreaterThan(isOld ? 4 : 0.5);
  expect(late / usual).toBeLessThan(isOld ? 20 : 2);
});
