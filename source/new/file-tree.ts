/** A line of a tree of files. */
export interface FileLine {
  /** Path from the root of the tree; a folder's ends in a slash. */
  readonly path: string;
  /** The name of the file or folder itself; that of a folder ends in a slash. */
  readonly name: string;
  readonly depth: number;
}

/** Paths as a tree, folders before the files beside them, each in the order of the names. */
export function toFileTree(paths: readonly string[]): readonly FileLine[] {
  return toLines(paths, { prefix: '', depth: 0 });
}

function toLines(
  paths: readonly string[],
  { prefix, depth }: { readonly prefix: string; readonly depth: number },
): readonly FileLine[] {
  const inside = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const folders = new Set(
    inside.filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/') + 1)),
  );
  const files = inside.filter((path) => !path.includes('/'));
  return [
    ...[...folders]
      .toSorted()
      .flatMap((name) => [
        { path: prefix + name, name, depth },
        ...toLines(paths, { prefix: prefix + name, depth: depth + 1 }),
      ]),
    ...files.toSorted().map((name) => ({ path: prefix + name, name, depth })),
  ];
}
