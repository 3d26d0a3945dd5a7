import { execa } from 'execa';
import { expect, test } from 'vitest';
import { cleanEnvironment, packageRoot } from '../helpers/run-capix.ts';

const program = `
import { capability, compileRegistry, generateOpenAPI } from 'capix';

const things = Array.from({ length: 500 }, (_, index) => ['placeThing' + index, capability(() => null)]);
const registry = compileRegistry({ things: Object.fromEntries(things) });
generateOpenAPI(registry);
globalThis.gc();
const before = process.memoryUsage().heapUsed;
const document = generateOpenAPI(registry);
globalThis.gc();
console.log(JSON.stringify({ bytes: process.memoryUsage().heapUsed - before, operations: Object.keys(document.paths).length }));
`;

test('an operation of a document takes 8,000 bytes at most', async () => {
  const { stdout } = await execa(
    process.execPath,
    ['--expose-gc', '--input-type=module', '-e', program],
    {
      cwd: packageRoot,
      env: cleanEnvironment(),
      extendEnv: false,
    },
  );
  const { bytes, operations } = JSON.parse(stdout) as {
    readonly bytes: number;
    readonly operations: number;
  };
  expect(operations).toBe(500);
  expect(bytes / operations).toBeLessThan(8000);
});
