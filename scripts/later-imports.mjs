/**
 * A plugin of esbuild that leaves what is imported later where it is; with `places`, only that of its paths, at the
 * place that it has for each: `{'./run-cli.ts': './source/cli/run-cli.js'}`.
 */
export function laterImports(places) {
  return {
    name: 'later-imports',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, kind }) => {
        const place = places === undefined ? path : places[path];
        return kind === 'dynamic-import' && place !== undefined
          ? { path: place, external: true }
          : undefined;
      });
    },
  };
}
