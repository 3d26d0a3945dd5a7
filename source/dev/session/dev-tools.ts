import { prepareCompiler } from '../../load/hooks/compile.ts';
import { createLoadedCode, type LoadedCode } from '../../load/loaded-code.ts';
import { compiledFile } from '../../package-root.ts';
import { Supervisor } from '../../serve/supervisor.ts';
import type { SupervisorOptions } from '../../serve/supervisor-options.ts';
import { watchFiles } from '../../system/watch-files.ts';
import type { DevOptions } from './dev-options.ts';
import { type ServerTeller, tellServerState } from './tell-server-state.ts';

/** The tools of a session. */
export interface DevTools {
  /** `others`: absolute paths of files that it reads and does not import. */
  readonly openCode: (others: ReadonlySet<string>) => LoadedCode;
  readonly startSupervisor: (
    told: SupervisorEvents,
  ) => Pick<Supervisor, 'askJobs' | 'isServing' | 'prepare' | 'serve' | 'stop' | 'warm'>;
  readonly watchFiles: typeof watchFiles;
  readonly teller: ServerTeller;
}

/** The events of a supervisor. */
export type SupervisorEvents = Pick<
  SupervisorOptions,
  'onCode' | 'onJobNews' | 'onRequests' | 'onOutput' | 'onLateStart' | 'onNotice' | 'onEnding' | 'onExit'
>;

/** Processes, files, and ports. */
export function openDevTools({
  project,
  environment,
  envFiles,
  watches,
  port,
  host,
  allowedHosts,
  inspectPort,
  debuggerWait,
  nodeOptions = [],
  stopsFirst,
  graceMs,
  records,
}: DevOptions): DevTools {
  // While the first process boots.
  setImmediate(prepareCompiler, project.entryFile);
  return {
    openCode: (others) => createLoadedCode({ project, envFiles, environment, others }),
    startSupervisor: (told) =>
      new Supervisor({
        ...told,
        childFile: compiledFile('serve/dev-child.js'),
        entryFile: project.entryFile,
        workingDirectory: project.root,
        environment,
        port,
        host,
        allowedHosts,
        inspectPort,
        waitsForDebugger: debuggerWait !== undefined,
        nodeOptions,
        stopsFirst,
        graceMs,
        // What such an option names is read anew by each process, and may have been saved meanwhile.
        keepsSpare: watches && !nodeOptions.some((option) => /^(?:--import|--require|-r)\b/.test(option)),
        records,
      }),
    watchFiles,
    teller: tellServerState(project.root),
  };
}
