export interface Place {
  readonly line: number;
  readonly offset: number;
}

export interface TsServer {
  readonly pid: number | undefined;
  /** Tells it of a file, by its absolute path. */
  readonly open: (file: string) => void;
  readonly change: (file: string, place: Place, insertString: string) => void;
  /** Sends a request of its protocol: `definition`, `quickinfo`, `completionInfo`. Rejects where it cannot be answered. */
  readonly ask: (command: string, body: { readonly file: string } & Place) => Promise<unknown>;
  readonly end: () => Promise<void>;
}

export function startTsServer(tsserver: string, cwd: string): TsServer;
export function placeOf(file: string, text: string, within?: number): Place;
