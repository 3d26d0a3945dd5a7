import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownProcessId } from '../../system/own-process-id.ts';
import { atExit } from '../../terminal/at-exit.ts';

/** A folder of programs of one file for each module. They share what is the same in them. */
export interface ModuleFolder {
  /** Absolute path. It need not be there yet. */
  readonly path: string;
  /** Writes what is not there of a program: texts by name. A program that is no longer among the newest ones is removed. */
  readonly write: (files: ReadonlyMap<string, () => string | Uint8Array>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Running code may import more, long after it has started; so may what it has replaced, until it has ended. */
const KEPT_PROGRAMS = 4;

/** In a folder by its absolute path. It goes with this process. */
export function createModuleFolder(parent: string): ModuleFolder {
  const path = join(parent, `${ownProcessId}-${randomUUID()}`);
  const written = new Set<string>();
  const programs: ReadonlySet<string>[] = [];
  let forget = (): void => {};
  return {
    path,
    write: async (files) => {
      // An installation may have removed it.
      if ((await mkdir(path, { recursive: true })) !== undefined) {
        written.clear();
        forget();
        forget = atExit(() => rmSync(path, { recursive: true, force: true }));
      }
      const added = [...files].filter(([name]) => !written.has(name));
      await Promise.all(added.map(([name, toText]) => writeFile(join(path, name), toText())));
      for (const [name] of added) written.add(name);
      programs.push(new Set(files.keys()));
      const now = new Date();
      await Promise.all([utimes(path, now, now), ...dropOld().map((name) => rm(join(path, name), { force: true }))]);
    },
    close: async () => {
      forget();
      await rm(path, { recursive: true, force: true });
    },
  };

  function dropOld(): readonly string[] {
    if (programs.length <= KEPT_PROGRAMS) return [];
    const [old] = programs.splice(0, 1);
    const gone = [...(old ?? [])].filter((name) => !programs.some((program) => program.has(name)));
    for (const name of gone) written.delete(name);
    return gone;
  }
}
