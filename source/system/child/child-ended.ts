/** A child process ended, or could not be used, before it answered. */
export class ChildEnded extends Error {
  /** `'ended the process with exit code 3'`, `'was not done after 45 seconds'`, `'could not be run (…)'` */
  readonly reason: string;
  constructor(reason: string) {
    super(`The code ${reason}.`);
    this.reason = reason;
  }
}
