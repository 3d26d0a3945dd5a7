import { type ProjectEvent, type ProjectWatch, type WatchProjectOptions, watchProject } from './watch-project.ts';

type WatchedProject = Omit<WatchProjectOptions, 'onEvent'>;

interface BegunWatch {
  readonly key: string;
  readonly watching: Promise<ProjectWatch>;
  /** Gives the events that have come so far, then the others as they come. */
  readonly follow: (onEvent: WatchProjectOptions['onEvent']) => void;
}

let begun: BegunWatch | undefined;
/** The screen is there already. */
let isAsked = false;

/**
 * Begins to load the project of a screen that is not there yet: its own parts take as long to import as a small project
 * to load, in another process. The screen asks by `continueWatch`.
 */
export function watchAhead(options: WatchedProject): void {
  if (isAsked) return;
  const early: ProjectEvent[] = [];
  let take = (event: ProjectEvent): void => void early.push(event);
  const watching = watchProject({ ...options, onEvent: (event) => take(event) });
  watching.catch(() => {}); // The screen is told.
  const follow: BegunWatch['follow'] = (onEvent) => {
    for (const event of early) onEvent(event);
    take = onEvent;
  };
  begun = { key: toKey(options), watching, follow };
}

/**
 * As `watchProject`, which has begun already where `watchAhead` was told of the same project.
 *
 * @throws CliError `NoProject`, `NoEnvFile`
 */
export function continueWatch({ onEvent, ...options }: WatchProjectOptions): Promise<ProjectWatch> {
  // A screen that asks for a document has another load beside that of the project.
  if (options.published !== undefined) return watchProject({ ...options, onEvent });
  const watch = begun;
  begun = undefined;
  isAsked = true;
  if (watch === undefined) return watchProject({ ...options, onEvent });
  if (watch.key === toKey(options)) {
    watch.follow(onEvent);
    return watch.watching;
  }
  void watch.watching.then(({ close }) => close(), ignore);
  return watchProject({ ...options, onEvent });
}

function ignore(): void {}

function toKey({ config, envFile, workingDirectory, hasSchemas, published }: WatchedProject): string {
  return JSON.stringify([config, envFile, workingDirectory, hasSchemas, published]);
}
