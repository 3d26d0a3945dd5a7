import { type ProjectEvent, type ProjectWatch, type WatchProjectOptions, watchProject } from './watch-project.ts';

type OnEvent = WatchProjectOptions['onEvent'];

interface BegunWatch {
  readonly key: string;
  readonly watching: Promise<ProjectWatch>;
  /** Gives the events that have come so far, then the others as they come. */
  readonly follow: (onEvent: OnEvent) => void;
}

let begun: BegunWatch | undefined;

/**
 * Begins to load the project of a screen that is not there yet: its own parts take as long to import as a small project
 * to load, in another process. The screen asks by `continueWatch`.
 */
export function watchAhead(options: Omit<WatchProjectOptions, 'onEvent'>): void {
  const early: ProjectEvent[] = [];
  let take: OnEvent = (event) => void early.push(event);
  const watching = watchProject({ ...options, onEvent: (event) => take(event) });
  watching.catch(() => {}); // The screen is told.
  const follow = (onEvent: OnEvent): void => {
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
export function continueWatch(options: WatchProjectOptions): Promise<ProjectWatch> {
  if (begun?.key !== toKey(options)) return watchProject(options);
  const { watching, follow } = begun;
  begun = undefined;
  follow(options.onEvent);
  return watching;
}

function toKey({ config, envFile, workingDirectory, hasSchemas, published }: Partial<WatchProjectOptions>): string {
  return JSON.stringify([config, envFile, workingDirectory, hasSchemas, published]);
}
