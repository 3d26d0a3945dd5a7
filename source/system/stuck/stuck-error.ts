/** Code was not done in time. Its stack is that of the code, where it was interrupted; empty where that is not known. */
export class StuckError extends Error {
  /** `was not done after 30 seconds` */
  readonly reason: string;
  constructor(limitMs: number, stack = '') {
    const reason = `was not done after ${limitMs === 1000 ? '1 second' : `${limitMs / 1000} seconds`}`;
    super(`The code ${reason}.`);
    this.reason = reason;
    this.stack = stack;
  }
}
