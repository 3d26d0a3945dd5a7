import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { packageRoot } from './run-capix.ts';
import { writeTree } from './scaffold.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The compilers that projects use, by their versions. */
export const compilers = {
  'TypeScript 5.4': join(packageRoot, 'node_modules/typescript-5.4/bin/tsc'),
  'TypeScript 5.9': join(packageRoot, 'node_modules/typescript-5.9/bin/tsc'),
  'TypeScript 7': join(packageRoot, 'node_modules/typescript/bin/tsc'),
} as const;
export type Compiler = keyof typeof compilers;
export const allCompilerNames = Object.keys(compilers) as readonly Compiler[];
/** Those that most tests of types run: the latest of each line. */
export const compilerNames: readonly Compiler[] = ['TypeScript 5.9', 'TypeScript 7'];

/** The oldest zod 4 that is taken. */
export const oldestZod = join(packageRoot, 'node_modules/zod-4.2');

export interface TypedProject {
  /** Paths and texts. */
  readonly files: Readonly<Record<string, string>>;
  /** Added to those of a scaffold. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Folder of the project's zod. @default ours */
  readonly zod?: string;
  /** Folder of this package, as it is installed. @default the built package itself */
  readonly capix?: string;
  /** Other packages that it finds. @default none */
  readonly packages?: readonly string[];
}

/** Writes a project that finds this package, zod and the types of Node. Gives its folder. */
export async function typedProject({
  files,
  options = {},
  zod,
  capix,
  packages: more = [],
}: TypedProject): Promise<string> {
  const folder = await temporaryFolder();
  const tsconfig = { compilerOptions: { ...scaffoldOptions, ...options }, include: ['.'] };
  await writeTree(folder, {
    'package.json': '{"type": "module"}',
    'tsconfig.json': JSON.stringify(tsconfig),
    ...files,
  });
  const packages = {
    capix: capix ?? packageRoot,
    zod: zod ?? join(packageRoot, 'node_modules/zod'),
    'zod-3': join(packageRoot, 'node_modules/zod-3'),
    '@types/node': join(packageRoot, 'node_modules/@types/node'),
    ...Object.fromEntries(more.map((name) => [name, join(packageRoot, 'node_modules', name)])),
  };
  for (const [name, target] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link, 'junction');
  }
  return folder;
}

/** What a compiler says of a project, by file: each a message with the lines that explain it. */
export type Messages = Readonly<Record<string, readonly string[]>>;

/** Several checkers of the newer compiler, its default, work much of each other's out once more; `package/type-cost` counts what they do. */
const argsOf: Readonly<Record<Compiler, readonly string[]>> = {
  'TypeScript 5.4': [],
  'TypeScript 5.9': [],
  'TypeScript 7': ['--checkers', '1'],
};

/** Runs a compiler in a folder. */
export async function compile(
  folder: string,
  compiler: Compiler,
  args: readonly string[] = [],
): Promise<Messages> {
  const { stdout } = await execa(
    process.execPath,
    [compilers[compiler], ...args, ...argsOf[compiler], '--pretty', 'false'],
    {
      cwd: folder,
      reject: false,
    },
  );
  const messages: Record<string, string[]> = {};
  let current: string[] | undefined;
  for (const line of stdout.split('\n')) {
    const [, file, text] = /^(\S+)\(\d+,\d+\): (.*)$/.exec(line) ?? [];
    if (file !== undefined && text !== undefined) {
      current = messages[file] ??= [];
      current.push(text);
    } else if (line.startsWith(' ') && current !== undefined)
      current.push(`${current.pop()}\n${line}`);
    else if (line.trim() !== '') messages[''] = [...(messages[''] ?? []), line];
  }
  return messages;
}

const scaffoldOptions = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
};
