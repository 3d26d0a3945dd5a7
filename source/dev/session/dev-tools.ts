import { prepareCompiler } from '../../load/hooks/compile.ts';
import { LoadedCode } from '../../load/loaded-code.ts';
import { Supervisor, type SupervisorOptions } from '../../serve/supervisor.ts';
import { watchFiles } from '../../system/watch-files.ts';
import type { DevOptions } from './dev-options.ts';
import { tellServerState } from './tell-server-state.ts';

export interface DevTools {
  /** `others`: absolute paths of files that it reads and does not import. */
  readonly openCode: (others: ReadonlySet<string>) => Pick<LoadedCode, keyof LoadedCode>;
  readonly startSupervisor: (
    told: SupervisorEvents,
  ) => Pick<Supervisor, 'retryJob' | 'isServing' | 'prepare' | 'serve' | 'stop' | 'warm'>;
  readonly watchFiles: typeof watchFiles;
  readonly teller: ReturnType<typeof tellServerState>;
}

export type SupervisorEvents = Pick<
  SupervisorOptions,
  'onCode' | 'onJobNews' | 'onRequests' | 'onOutput' | 'onLateStart' | 'onNotice' | 'onExit'
>;

export function openDevTools({ debuggerWait, nodeOptions, ...options }: DevOptions): DevTools {
  const { project, watches } = options;
  // While the first process boots.
  setImmediate(prepareCompiler, project.entryFile);
  return {
    openCode: (others) => new LoadedCode({ ...options, others }),
    startSupervisor: (told) =>
      new Supervisor({
        ...options,
        ...told,
        nodeOptions,
        entryFile: project.entryFile,
        workingDirectory: project.root,
        waitsForDebugger: debuggerWait !== undefined,
        // What such an option names is read anew by each process, and may have been saved meanwhile.
        keepsSpare: watches && !nodeOptions.some((option) => /^(?:--import|--require|-r)\b/.test(option)),
      }),
    watchFiles,
    teller: tellServerState(project.root),
  };
}
