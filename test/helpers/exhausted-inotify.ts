/** A system that reports changes of so many paths only: the environment of a process that lives there. */
export function exhaustedInotify(
  code: 'ENOSPC' | 'EMFILE',
  paths: number,
): { readonly NODE_OPTIONS: string } {
  const reason =
    code === 'ENOSPC' ? 'System limit for number of file watchers reached' : 'too many open files';
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { watch } = fs;
    let left = ${paths};
    fs.watch = (path, ...rest) => {
      if (left-- > 0) return watch(path, ...rest);
      throw Object.assign(new Error('${code}: ${reason}, watch'), { code: '${code}', syscall: 'watch', path });
    };
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
