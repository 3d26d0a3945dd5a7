import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './test/helpers/patience.ts';

/** Tests that run the built package; everything else runs from the sources and needs no build. */
const builtTests = [
  'test/{cli,contract,docs,terminal,templates,package,architecture}/**/*.test.{ts,tsx}',
  'test/security/tool/*.test.ts',
];

/**
 * Those that start commands, servers and screens again and again, for each way in which a save, an end, a comparison or a package manager may go:
 * `npm test` leaves them to `npm run long`, which the build machine runs on each version of Node.
 */
const longTests = [
  'test/cli/dev-!(options).test.ts',
  'test/cli/{call-servers,check-mistakes,computed-imports,diff-*,env-files,load-*,module-order,npm-start,old-node,package-managers,start-*}.test.ts',
  'test/terminal/{call-*,clipboard,dev-*,env-files,every-screen,filter-and-reload,foreign-text,full-disk,habits,hand-over,load-ahead,watch-trouble,worktree}.test.ts',
  'test/templates/installed.test.ts',
  'test/package/{csrf-pages,docs-page-calls,same}.test.ts',
  'test/security/tool/terminal-texts.test.ts',
];

const shared = {
  // Only what never comes meets these limits: a busy computer takes its time.
  testTimeout: 5 * PATIENCE_MS,
  hookTimeout: 10 * PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
  // Ink draws without colour where the tests have no terminal; a test of colours sets it for its own process.
  env: { FORCE_COLOR: '0' },
  // A process has the modules of the files that it has run: a file imports only what is new.
  isolate: false,
  setupFiles: 'test/helpers/run-clean-up.ts',
} as const;

/**
 * Those that have a process of their own. Some move the clock by hours: a timer that another file has left behind, such
 * as a look each second at a store that is away, would run a million times. Others measure what the process holds,
 * or what a library tells one listener of the process.
 */
const aloneTests = [
  'test/server-runtime/websocket/idle-connections.test.ts',
  'test/server-runtime/enhancers/long-times.test.ts',
  'test/server-runtime/queue/schedules.test.ts',
  'test/server-runtime/testing/last-call.test.ts',
];

/** The promises at every boundary: a few hundred inputs for each property in `npm test`, and here very many. */
const securityTests = 'test/security/*.test.ts';

const built = { globalSetup: ['test/helpers/build-package.ts'] };

/** The next major of graphql, where `npm run compat:graphql` has installed it. */
const nextGraphql = fileURLToPath(
  new URL('node_modules/.cache/capix-graphql/node_modules/graphql', import.meta.url),
);

/** The tests of GraphQL with the next major of its library. */
const graphqlProject = {
  resolve: { alias: { graphql: nextGraphql } },
  test: {
    ...shared,
    name: 'graphql-17',
    include: ['test/server-runtime/graphql/*.test.ts'],
    env: { ...shared.env, CAPIX_GRAPHQL: '17' },
  },
};

export default defineConfig({
  test: {
    // Nearly half of a test's time is spent waiting, for a process or a socket: four workers keep two cores busy.
    maxWorkers: 4,
    reporters: ['default'],
    projects: [
      {
        test: {
          ...shared,
          name: 'sources',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [
            ...builtTests,
            ...aloneTests,
            'test/**/fixtures/**',
            'test/bench/**',
            '**/node_modules/**',
          ],
        },
      },
      { test: { ...shared, name: 'alone', include: aloneTests, isolate: true } },
      ...(existsSync(nextGraphql) ? [graphqlProject] : []),
      {
        test: {
          ...shared,
          name: 'built',
          include: builtTests,
          exclude: [...longTests, 'test/**/fixtures/**'],
          ...built,
        },
      },
      { test: { ...shared, name: 'long', include: longTests, ...built } },
      {
        test: {
          ...shared,
          name: 'inputs',
          include: [securityTests, 'test/server-runtime/graphql/random-projects.test.ts'],
          env: { ...shared.env, CAPIX_INPUTS: '20000', CAPIX_PROJECTS: '300' },
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});
