export function bundleTool(options: {
  /** Folder of `cli.ts` and `commands/`; absolute. */
  readonly baseDir: string;
  readonly outDir: string;
  /** Relative to `baseDir`. */
  readonly entryPoints: readonly string[];
}): Promise<void>;
