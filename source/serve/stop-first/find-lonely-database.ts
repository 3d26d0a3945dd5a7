/** Embedded databases that read and write their files as if they were alone, and say nothing where they are not. */
const ALONE =
  /[\\/]node_modules[\\/]((?:@electric-sql[\\/]pglite|lowdb|nedb|@seald-io[\\/]nedb|@duckdb[\\/]node-api|duckdb|classic-level|level))[\\/]/;

/** The name of an imported package whose files only one process may have open; undefined where there is none. */
export function findLonelyDatabase(imports: readonly string[]): string | undefined {
  for (const path of imports) {
    const name = ALONE.exec(path)?.[1];
    if (name !== undefined) return name.replaceAll('\\', '/');
  }
  return undefined;
}
