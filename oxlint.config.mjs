import { readdirSync } from 'node:fs';

/** Rooms of the library, lowest first. A room imports rooms of lower levels; those of one level do not know each other. */
export const libraryLevels = [
  ['errors', 'patches', 'resources'],
  ['schema', 'stores'],
  ['capability'],
  ['routing', 'enhancers', 'topics'],
  ['registry'],
  ['input', 'execution'],
  ['server'],
  ['http'],
  ['openapi', 'mcp', 'queue', 'websocket', 'graphql', 'observe', 'cookies'],
  ['rest'],
  ['client'],
  ['testing'],
];

/**
 * Rooms of the tool that others may import, lowest first; a room imports rooms of lower levels. `check/rules` is the half of
 * a feature that others may import.
 */
export const toolLevels = [
  ['values'],
  ['terminal'],
  ['patches'],
  ['cli'],
  ['flags', 'system'],
  ['files'],
  ['document'],
  ['kit', 'manifest'],
  ['check/rules', 'form'],
  ['contract', 'record', 'load'],
  ['invoke', 'serve', 'screens', 'sides'],
  ['written'],
];
const sharedRooms = toolLevels.flat();

/** Every other folder of `source/` is a feature, which no room imports but `app`, where their screens come together. */
const features = readdirSync(new URL('source', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !sharedRooms.includes(entry.name))
  .map((entry) => entry.name);

const drawing = { regex: '^(ink|react|pastel|@inkjs/.*|ink-.*)(/|$)' };
const commandLine = { regex: '^commander$', message: 'Only source/cli speaks to Commander.' };
const toTool = {
  regex: String.raw`^(\.\./)+(source|commands|cli\.ts)(/|$)`,
  message: 'The library knows nothing of the tool.',
};
const toCommands = {
  regex: String.raw`^(\.\./)+(commands/|cli\.ts$)`,
  message: 'Nothing imports a command or the entry.',
};
const toProcess = {
  regex: '^(node:)?process$',
  message: 'The process is reached through source/terminal.',
};
const toSystem = {
  regex: '^(node:.*|execa|chokidar|undici|esbuild)(/|$)',
  message: 'A view draws; a .ts file reads and decides.',
};

function rooms(names, message) {
  return names.length === 0 ? [] : [{ regex: String.raw`^(\.\./)+(${names.join('|')})/`, message }];
}

function restrict(...patterns) {
  return { 'no-restricted-imports': ['error', { patterns }] };
}

function libraryRoom(room) {
  const level = libraryLevels.findIndex((names) => names.includes(room));
  const notBelow = libraryLevels.slice(level).flat();
  return {
    files: [`server-runtime/${room}/**`],
    rules: restrict(
      { ...drawing, message: 'A server loads no terminal code.' },
      commandLine,
      toTool,
      { regex: String.raw`^\.\./index\.ts$`, message: 'The public index is for users.' },
      ...rooms(
        notBelow.filter((name) => name !== room),
        'A room imports only rooms of a lower level.',
      ),
    ),
  };
}

const drawsOnly = {
  ...drawing,
  message: 'A .ts file decides, a .tsx file draws.',
  allowTypeImports: true,
};
const noPastel = { regex: '^pastel$', message: 'Only source/cli speaks to Pastel.' };
const inTool = [commandLine, toCommands, toProcess];

/** How deep the folders of a room may go below `source/<room>`. */
const depths = [1, 2, 3];

/**
 * The rules of a room of the tool. What a relative import means depends on how deep the file lies, so each depth has its own.
 * `touchesProcess`: rooms that may use the process; a child process of its own may too.
 */
function toolRoom(room) {
  const touchesProcess = ['terminal', 'patches', 'system', 'serve'].includes(room);
  const around = room.split('/').length - 1;
  return depths.flatMap((depth) => {
    const folder = `source/${room}/${'*/'.repeat(depth - 1)}`;
    const others = notBelow(room).filter((name) => name !== room);
    const up = String.raw`^(\.\./){${depth + around}}`;
    const toFeature = around === 0 ? '' : String.raw`|^(\.\./){${depth}}[^.]`;
    const toOthers =
      others.length === 0 || room === 'app'
        ? []
        : [
            {
              regex: `${up}(${others.map(withoutShared).join('|')})${toFeature}`,
              message: 'A room imports only rooms of a lower level, and none a feature.',
            },
          ];
    const process = touchesProcess ? [commandLine, toCommands] : inTool;
    return [
      { files: [`${folder}*.ts`], rules: restrict(drawsOnly, ...process, ...toOthers) },
      { files: [`${folder}use-*.ts`], rules: restrict(noPastel, ...process, ...toOthers) },
      { files: [`${folder}*.tsx`], rules: restrict(toSystem, noPastel, ...process, ...toOthers) },
      {
        files: [`${folder}*-child.ts`],
        rules: restrict(drawsOnly, commandLine, toCommands, ...toOthers),
      },
    ];
  });
}

/** What is in a folder, as an import names it: of a feature with a shared half only its own files. */
function withoutShared(folder) {
  const hasHalf = sharedRooms.some((room) => room.startsWith(`${folder}/`));
  return `${folder}/${hasHalf ? '[^/]*$' : ''}`;
}

/** Rooms of the same level or a higher one, and the features. */
function notBelow(room) {
  const level = toolLevels.findIndex((names) => names.includes(room));
  return level === -1 ? features : [...toolLevels.slice(level).flat(), ...features];
}

/** What reading is spent on: at zero in the library and the tool. */
export const legibleRules = {
  complexity: ['error', { max: 12 }],
  'id-denylist': [
    'error',
    'told',
    'kept',
    'asked',
    'said',
    'given',
    'news',
    'olds',
    'come',
    'gone',
  ],
  'no-nested-ternary': 'error',
  'no-sequences': 'error',
  'legible/no-assignment-in-expression': 'error',
  'legible/no-boolean-index': 'error',
  'legible/no-holes': 'error',
  'legible/no-vague-comment': 'error',
};

export default {
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'react', 'vitest'],
  jsPlugins: ['./scripts/lint/legible.mjs'],
  categories: { correctness: 'error' },
  ignorePatterns: [
    'dist',
    'node_modules',
    'coverage',
    'temp',
    'etc',
    'templates',
    'examples',
    'test/**/fixtures',
  ],
  rules: {
    eqeqeq: 'error',
    'no-console': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
    ],
    'no-control-regex': 'off', // Taking control characters out of foreign text is what some of ours are for.
    'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 90, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', { max: 3 }],
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/only-throw-error': 'error',
    // A parameter `name?: T` and `name: T | undefined` differ under exactOptionalPropertyTypes; these do not know it.
    'typescript/no-duplicate-type-constituents': 'off',
    'typescript/no-redundant-type-constituents': 'off',
    // Node's own functions do not use `this`, and a sort of strings needs no comparison.
    'typescript/unbound-method': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/switch-exhaustiveness-check': 'error',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'unicorn/no-process-exit': 'error',
    'unicorn/prefer-node-protocol': 'error',
  },
  overrides: [
    ...libraryLevels.flat().map(libraryRoom),
    {
      files: ['server-runtime/**'],
      rules: { 'typescript/explicit-module-boundary-types': 'error' },
    },
    {
      files: ['source/**'],
      rules: {
        'no-restricted-globals': ['error', { name: 'process', message: toProcess.message }],
      },
    },
    {
      files: ['source/{terminal,patches,system,serve}/**', 'source/**/*-child.ts'],
      rules: { 'no-restricted-globals': 'off', 'unicorn/no-process-exit': 'off' },
    },
    // What counts for the half of a feature comes after what counts for the feature.
    ...[...features, ...sharedRooms].flatMap(toolRoom),
    {
      // The bridge: beside the features it is the only one that knows Pastel and Commander.
      files: ['source/cli/{command,commander,common-options,create-command,run-cli}.ts'],
      rules: restrict(toCommands, toProcess),
    },
    {
      files: ['commands/**'],
      rules: {
        ...restrict({
          regex: String.raw`^((\.\./)+server-runtime/|(ink|react|node:.*|execa|chokidar|undici|esbuild)(/|$))`,
          message: 'The build runs the file of every command: it is only metadata.',
        }),
        'max-lines': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      },
    },
    {
      files: [
        'commands/**',
        '*.config.{ts,mjs}',
        'source/*/*-command.ts',
        'source/*/*-screen.tsx',
        'source/dev/screen/dev-screen.tsx',
        'source/cli/create-command.ts',
        'test/helpers/build-package.ts',
        'scripts/lint/legible.mjs',
        'oxlint.config.d.mts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['test/**'],
      rules: {
        'max-lines-per-function': 'off',
        'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
        'max-params': 'off', // A table has as many columns as it needs.
        'typescript/only-throw-error': 'off',
        'typescript/no-non-null-assertion': 'off',
        'vitest/valid-describe-callback': 'off', // A matrix of servers returns its cases.
        'vitest/expect-expect': [
          'error',
          { assertFunctionNames: ['expect*', 'fc.assert', '**.waitFor'] },
        ],
        'vitest/no-standalone-expect': [
          'error',
          { additionalTestBlockFunctions: ['itOverHttp', 'itOverHttp.each'] },
        ],
        'vitest/no-conditional-expect': 'off',
        'vitest/require-to-throw-message': 'off',
      },
    },
    {
      // The compiler asserts.
      files: ['test/**/*.test-d.ts'],
      rules: { 'vitest/expect-expect': 'off' },
    },
    {
      files: ['server-runtime/server/logger.ts'],
      rules: { 'no-console': 'off' },
    },
    { files: ['server-runtime/**', 'source/**', 'commands/**', 'cli.ts'], rules: legibleRules },
    {
      files: ['scripts/**', 'test/bench/**'],
      rules: { 'no-console': 'off', 'unicorn/no-process-exit': 'off' },
    },
  ],
};
