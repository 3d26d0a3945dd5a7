import type { DiffValues } from '../flags/diff-flags.ts';
import type { OpenApiValues } from '../flags/document-flags.ts';
import type { CapabilityValues } from '../flags/generate-flags.ts';
import type { NewValues } from '../flags/new-flags.ts';
import type { DevValues } from '../flags/serve-flags.ts';

export type Location =
  | { readonly screen: 'home' }
  | { readonly screen: 'list' }
  | { readonly screen: 'show'; readonly key: string }
  | { readonly screen: 'check'; readonly strict?: boolean | undefined }
  | ({ readonly screen: 'call'; readonly key: string } & CallRouteOptions)
  | {
      readonly screen: 'dev';
      readonly entry?: string | undefined;
      readonly options?: Partial<DevValues> | undefined;
    }
  | { readonly screen: 'openapi'; readonly options?: Partial<OpenApiValues> | undefined }
  /** A side that the open project, or `after`, is compared with. Without it, the screen asks. */
  | {
      readonly screen: 'diff';
      readonly before?: string | undefined;
      readonly after?: string | undefined;
      readonly options?: Partial<DiffValues> | undefined;
    }
  | {
      readonly screen: 'new';
      readonly name?: string | undefined;
      readonly options?: Partial<NewValues> | undefined;
    }
  /** Without a kind, the screen asks. */
  | {
      readonly screen: 'generate';
      readonly kind?: 'capability' | 'group' | undefined;
      /** The key of a capability. */
      readonly group?: string | undefined;
      readonly options?: Partial<CapabilityValues> | undefined;
    };

/** The call that a form begins with. */
export interface CallRouteOptions {
  /** JSON. */
  readonly input?: string | undefined;
  /** The folder from which its paths of files are. @default that of the project */
  readonly folder?: string | undefined;
  /** In place of those that were last filled in, and for this call only. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The address of the dev server to call, without a slash at its end. @default the one that is found */
  readonly server?: string | undefined;
}

/** The screens where the user has been, the one that is shown last. */
export type History = readonly HistoryEntry[];

export interface HistoryEntry {
  readonly id: number;
  readonly route: Location;
  /** The state that the screen keeps while another one is in front of it. */
  readonly memory: Map<string, unknown>;
}

/** `replace` is as `go`, but the way back does not lead here. */
export type RouteEvent =
  | { readonly kind: 'go' | 'replace'; readonly route: Location }
  | { readonly kind: 'back' };

export function toHistory(route: Location): History {
  return [{ id: 0, route, memory: new Map() }];
}

/** Goes on or back. Going to where one is changes nothing; there is no way back from the first screen. */
export function moveInHistory(history: History, event: RouteEvent): History {
  if (event.kind === 'back') return history.length > 1 ? history.slice(0, -1) : history;
  const { id, route } = currentEntry(history);
  const isGoing = event.kind === 'go';
  if (isGoing && JSON.stringify(route) === JSON.stringify(event.route)) return history;
  return [
    ...(isGoing ? history : history.slice(0, -1)),
    { id: id + 1, route: event.route, memory: new Map() },
  ];
}

export function currentEntry(history: History): HistoryEntry {
  const entry = history.at(-1);
  if (entry === undefined) throw new Error('The history of screens is empty.');
  return entry;
}
