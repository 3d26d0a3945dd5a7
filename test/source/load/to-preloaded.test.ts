import { expect, it } from 'vitest';
import { toPreloaded } from '../../../source/load/loaded-code.ts';

it('loads ahead what lies among the packages, and nothing that is there for what it does or is code of the project', () => {
  const packages = new Map([
    ['capix', 'file:///shop/node_modules/capix/index.js'],
    ['capix/queue', 'file:///shop/node_modules/capix/queue.js'],
    ['zod', 'file:///shop/node_modules/zod/index.js'],
    ['pg', 'file:///shop/node_modules/pg/lib/index.js'],
    ['environs', 'file:///shop/node_modules/environs/index.js'],
    ['dotenv/config', 'file:///shop/node_modules/dotenv/config.js'],
    ['config', 'file:///shop/node_modules/config/lib/config.js'],
    ['@nestjs/config', 'file:///shop/node_modules/@nestjs/config/index.js'],
    ['dd-trace/initialize.mjs', 'file:///shop/node_modules/dd-trace/initialize.mjs'],
    ['ours', 'file:///shop/packages/ours/index.js'],
    ['typed', 'file:///shop/node_modules/typed/index.ts'],
    ['data', 'data:text/javascript,1'],
  ]);
  expect(toPreloaded(packages)).toEqual(
    ['capix/queue.js', 'pg/lib/index.js', 'environs/index.js'].map(
      (path) => `file:///shop/node_modules/${path}`,
    ),
  );
});
