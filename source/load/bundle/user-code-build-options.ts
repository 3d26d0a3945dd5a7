import type { BuildOptions } from 'esbuild';
import { importMetaDefines } from './define-import-meta.ts';
import { userCodePlugin } from './user-code-plugin.ts';

export interface UserCodeBuild {
  /** Absolute path of the file to load. */
  readonly entry: string;
  /** Absolute path of the project. */
  readonly root: string;
  /** Absolute path of the bundle, `<somewhere>.mjs`. */
  readonly outFile: string;
}

/** The options of every file, whether it is bundled or stands alone. */
export const userCodeSyntax = {
  platform: 'node',
  target: 'node20.19',
  // The names of guards and errors are shown, so two functions of one name must keep it.
  keepNames: true,
  define: importMetaDefines,
  sourcesContent: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * The options that bundle user code, for one build or for a context that rebuilds: the project's own files in one module, packages outside it.
 * `metafile.inputs` (paths relative to `root`) are the files that it was made of.
 */
export function userCodeBuildOptions({ entry, root, outFile }: UserCodeBuild) {
  return {
    ...userCodeSyntax,
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: outFile,
    bundle: true,
    format: 'esm',
    // Node resolves packages without esbuild's own `module` condition and field.
    conditions: [],
    mainFields: ['main'],
    // Node runs every import for its effects, whatever package.json says.
    ignoreAnnotations: true,
    sourcemap: 'inline',
    metafile: true,
    // A CommonJS file of the project requires packages.
    banner: {
      js: "import { createRequire as __capixCreateRequire } from 'node:module'; const require = __capixCreateRequire(import.meta.url);",
    },
    plugins: [userCodePlugin()],
  } as const satisfies BuildOptions;
}
